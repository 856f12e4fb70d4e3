#include "server/routing.h"

#include <algorithm>

namespace basalt::server {
namespace {

constexpr std::string_view kExposedHeaders =
    "x-amzn-RequestId,x-amzn-ErrorType,x-amz-request-id,x-amz-id-2,x-amzn-ErrorMessage,x-amz-crc32,Date";

bool is_media_type(std::string_view content_type, std::string_view wanted) noexcept
{
    std::string_view type = content_type.substr(0, content_type.find(';'));
    while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) {
        type.remove_suffix(1);
    }
    return std::equal(type.begin(), type.end(), wanted.begin(), wanted.end(), [](char sent, char lower) {
        return (sent >= 'A' && sent <= 'Z' ? static_cast<char>(sent - 'A' + 'a') : sent) == lower;
    });
}

std::string_view without_query(std::string_view path) noexcept
{
    return path.substr(0, path.find('?'));
}

} // namespace

Route route(Entrance entrance, const RequestHead &head, std::size_t body_bytes) noexcept
{
    if (entrance == Entrance::metrics) {
        return head.method == Method::get && without_query(head.path) == "/metrics" ? Route::metrics : Route::not_found;
    }
    switch (head.method) {
    case Method::post:
        return body_bytes == 0 || is_media_type(head.content_type, kContentTypeAmzJson) ||
                       is_media_type(head.content_type, kContentTypeJson)
                   ? Route::call
                   : Route::not_found;
    case Method::get:
        return without_query(head.path) == "/" ? Route::health : Route::not_found;
    case Method::options:
        return head.origin.empty() ? Route::not_found : Route::preflight;
    case Method::head:
    case Method::other:
        break;
    }
    return Route::not_found;
}

std::string_view response_content_type(std::string_view content_type) noexcept
{
    return is_media_type(content_type, kContentTypeAmzJson) ? kContentTypeAmzJson : kContentTypeJson;
}

std::string health_body(std::string_view region)
{
    return "healthy: dynamodb." + std::string(region) + ".amazonaws.com ";
}

std::string cross_origin_lines(const RequestHead &head, Route route)
{
    std::string lines;
    if (head.origin.empty()) {
        return lines;
    }
    lines = "Access-Control-Allow-Origin: *\r\n";
    if (route != Route::preflight) {
        return lines.append("Access-Control-Expose-Headers: ").append(kExposedHeaders).append("\r\n");
    }
    if (!head.requested_headers.empty()) {
        lines.append("Access-Control-Allow-Headers: ").append(head.requested_headers).append("\r\n");
    }
    if (!head.requested_method.empty()) {
        lines.append("Access-Control-Allow-Methods: ").append(head.requested_method).append("\r\n");
    }
    return lines.append("Access-Control-Max-Age: 172800\r\n");
}

} // namespace basalt::server

// The part of an HTTP request head that the front end looks at.
#pragma once

#include <cstdint>
#include <string_view>

namespace basalt::server {

enum class Method : std::uint8_t { get, head, post, options, other };
enum class Expectation : std::uint8_t { none, continue_100, unknown };

/// The views point into the bytes that were parsed. A header that was not sent is an empty view.
struct RequestHead {
    Method method = Method::other;
    std::string_view path; // request target as sent, with its query
    std::string_view target;
    std::string_view content_type;
    std::string_view content_encoding;
    std::string_view accept_encoding;
    std::string_view origin;
    std::string_view requested_method;  // Access-Control-Request-Method
    std::string_view requested_headers; // Access-Control-Request-Headers
    Expectation expectation = Expectation::none;
    std::uint64_t content_length = 0;
    bool chunked = false;
    bool keep_alive = true;
};

} // namespace basalt::server

// The rules that come before an operation: which requests the front end answers itself, and with what.
#pragma once

#include "server/request_head.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace basalt::server {

/// Largest request body, packed or unpacked.
inline constexpr std::size_t kBodyLimitBytes = std::size_t{16} << 20;

enum class Route : std::uint8_t {
    call,      // hand it to the database
    health,    // GET /
    preflight, // OPTIONS with Origin
    metrics,   // GET /metrics, on its own port
    not_found, // everything else
};

/// Which port a connection came in by.
enum class Entrance : std::uint8_t { api, metrics };

/// body_bytes: length of the body as received.
[[nodiscard]] Route route(Entrance entrance, const RequestHead &head, std::size_t body_bytes) noexcept;

inline constexpr std::string_view kContentTypeAmzJson = "application/x-amz-json-1.0";
inline constexpr std::string_view kContentTypeJson = "application/json";
inline constexpr std::string_view kContentTypeMetrics = "text/plain; version=0.0.4; charset=utf-8";

/// The content type to answer a request's content type with.
[[nodiscard]] std::string_view response_content_type(std::string_view content_type) noexcept;

inline constexpr std::string_view kNotFoundBody = "<UnknownOperationException/>\n";
[[nodiscard]] std::string health_body(std::string_view region);

/// Header lines that answer an Origin header, or none.
[[nodiscard]] std::string cross_origin_lines(const RequestHead &head, Route route);

} // namespace basalt::server

// The HTTP/1.1 request parser. What does the parsing stays behind this interface.
#pragma once

#include "server/body_buffer.h"
#include "server/request_head.h"

#include <cstddef>
#include <memory>
#include <string_view>

namespace basalt::server {

/// Longest request line and headers together.
inline constexpr std::size_t kHeadLimitBytes = std::size_t{16} << 10;

enum class ParseOutcome : std::uint8_t { need_more, complete, malformed, too_large };

/// Parses one request at a time: parse_head() until complete, parse_chunks() if the head says chunked, then reset().
class HttpParser {
public:
    HttpParser();
    ~HttpParser();
    HttpParser(const HttpParser &) = delete;
    HttpParser &operator=(const HttpParser &) = delete;

    /// `bytes` begins with the first byte of the request on every call; what was there before has not changed, though
    /// it may have moved. When complete, head() and head_bytes() are set and head()'s views point into `bytes`.
    ParseOutcome parse_head(std::string_view bytes);
    [[nodiscard]] const RequestHead &head() const noexcept;
    [[nodiscard]] std::size_t head_bytes() const noexcept;
    /// The head's bytes were copied from `from` to `to`: its views follow.
    void move_head(const char *from, const char *to) noexcept;

    struct Chunks {
        ParseOutcome outcome;
        /// Bytes that need not be shown again.
        std::size_t consumed;
    };
    /// Decodes the next piece of a chunked body and appends it to `body`, which must have room for bytes.size() more.
    Chunks parse_chunks(std::string_view bytes, BodyBuffer &body);

    /// Ready for the next request.
    void reset();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace basalt::server

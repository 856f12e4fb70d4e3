// Writes the head of a response by hand: the status line and the headers that every answer carries, in a fixed order.
#pragma once

#include <array>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

namespace basalt::server {

/// The Date header, formatted once a second. One thread.
class HttpDate {
public:
    [[nodiscard]] std::string_view now();
    /// For `seconds` since 1970, 29 characters.
    [[nodiscard]] static std::string format(std::time_t seconds);

private:
    std::time_t second_ = -1;
    std::string text_;
};

/// Request identifiers: 52 characters of 0-9A-V. One thread; unique for all practical purposes, not secret.
class RequestIds {
public:
    static constexpr std::size_t kLength = 52;
    RequestIds();
    explicit RequestIds(std::uint64_t seed)
        : state_(seed)
    {}
    void write(char *out) noexcept;

private:
    std::uint64_t next() noexcept;
    std::uint64_t state_;
};

struct ResponseHead {
    int status = 200;
    std::string_view content_type = {};     // empty: no such header
    std::string_view content_encoding = {}; // empty: no such header
    std::size_t content_length = 0;
    std::uint32_t crc32 = 0;
    bool keep_alive = true;
    /// Whole further header lines, each with its line end.
    std::string_view further_lines = {};
};

/// Replaces the contents of `out`.
void write_response_head(const ResponseHead &head, HttpDate &date, RequestIds &ids, std::string &out);

} // namespace basalt::server

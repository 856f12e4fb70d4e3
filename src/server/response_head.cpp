#include "server/response_head.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <random>

namespace basalt::server {
namespace {

/// Room for everything but the further lines: the longest head is well below.
constexpr std::size_t kFixedBytes = 512;

std::string_view status_line(int status)
{
    switch (status) {
    case 200:
        return "HTTP/1.1 200 OK\r\n";
    case 400:
        return "HTTP/1.1 400 Bad Request\r\n";
    case 404:
        return "HTTP/1.1 404 Not Found\r\n";
    case 413:
        return "HTTP/1.1 413 Request Entity Too Large\r\n";
    case 417:
        return "HTTP/1.1 417 Expectation Failed\r\n";
    case 503:
        return "HTTP/1.1 503 Service Unavailable\r\n";
    default:
        return "HTTP/1.1 500 Internal Server Error\r\n";
    }
}

/// Appends to memory that is known to suffice.
class Cursor {
public:
    explicit Cursor(char *at)
        : at_(at)
    {}
    Cursor &text(std::string_view text)
    {
        at_ = std::copy(text.begin(), text.end(), at_);
        return *this;
    }
    Cursor &number(std::uint64_t value)
    {
        at_ = std::to_chars(at_, at_ + 20, value).ptr;
        return *this;
    }
    [[nodiscard]] char *at() const { return at_; }
    void skip(std::size_t count) { at_ += count; }

private:
    char *at_;
};

} // namespace

std::string_view HttpDate::now()
{
    timespec time{};
    clock_gettime(CLOCK_REALTIME_COARSE, &time);
    if (time.tv_sec != second_) {
        second_ = time.tv_sec;
        text_ = format(second_);
    }
    return text_;
}

std::string HttpDate::format(std::time_t seconds)
{
    // Not strftime: its names follow the locale.
    static constexpr std::array<const char *, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr std::array<const char *, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                             "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 64> text{};
    const int length = std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                                     kDays[static_cast<std::size_t>(parts.tm_wday)], parts.tm_mday,
                                     kMonths[static_cast<std::size_t>(parts.tm_mon)], parts.tm_year + 1900,
                                     parts.tm_hour, parts.tm_min, parts.tm_sec);
    return {text.data(), static_cast<std::size_t>(length)};
}

RequestIds::RequestIds()
{
    std::random_device entropy;
    state_ = (static_cast<std::uint64_t>(entropy()) << 32) ^ entropy();
}

std::uint64_t RequestIds::next() noexcept
{
    // SplitMix64: every seed gives a full-period sequence of well mixed words.
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
}

void RequestIds::write(char *out) noexcept
{
    static constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
    constexpr std::size_t kDigitsPerWord = 13;
    static_assert(kLength % kDigitsPerWord == 0);
    for (std::size_t i = 0; i < kLength; i += kDigitsPerWord) {
        std::uint64_t word = next();
        for (std::size_t digit = 0; digit < kDigitsPerWord; ++digit) {
            out[i + digit] = kDigits[word & 31];
            word >>= 5;
        }
    }
}

void write_response_head(const ResponseHead &head, HttpDate &date, RequestIds &ids, std::string &out)
{
    const std::size_t enough =
        kFixedBytes + head.content_type.size() + head.content_encoding.size() + head.further_lines.size();
    if (out.size() < enough) {
        out.resize(enough);
    }
    Cursor cursor(out.data());
    cursor.text(status_line(head.status)).text("Server: Server\r\nDate: ").text(date.now());
    if (!head.content_type.empty()) {
        cursor.text("\r\nContent-Type: ").text(head.content_type);
    }
    if (!head.content_encoding.empty()) {
        cursor.text("\r\nContent-Encoding: ").text(head.content_encoding);
    }
    cursor.text("\r\nContent-Length: ").number(head.content_length);
    cursor.text(head.keep_alive ? "\r\nConnection: keep-alive\r\n" : "\r\nConnection: close\r\n");
    cursor.text(head.further_lines).text("x-amzn-RequestId: ");
    ids.write(cursor.at());
    cursor.skip(RequestIds::kLength);
    cursor.text("\r\nx-amz-crc32: ").number(head.crc32).text("\r\n\r\n");
    out.resize(static_cast<std::size_t>(cursor.at() - out.data()));
}

} // namespace basalt::server

// Base64 with the standard alphabet and padding, as strict as the service.
#include "protocol/base64.h"

#include <array>
#include <cstdint>

namespace basalt::protocol {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint32_t kInvalid = 0x8000'0000U; // survives shifting in and combining with three other digits

constexpr std::array<std::uint32_t, 256> make_digits()
{
    std::array<std::uint32_t, 256> digits{};
    digits.fill(kInvalid);
    for (std::uint32_t i = 0; i < kAlphabet.size(); ++i) {
        digits[static_cast<unsigned char>(kAlphabet[i])] = i;
    }
    return digits;
}
constexpr auto kDigits = make_digits();

std::uint32_t digit(char c) noexcept
{
    return kDigits[static_cast<unsigned char>(c)];
}

std::uint32_t byte(char c) noexcept
{
    return static_cast<unsigned char>(c);
}

char low_byte(std::uint32_t bits) noexcept
{
    return static_cast<char>(bits & 0xFF);
}

} // namespace

void append_base64(Bytes bytes, std::string &out)
{
    const std::size_t start = out.size();
    out.resize(start + (bytes.size() + 2) / 3 * 4);
    char *to = out.data() + start;
    std::size_t i = 0;
    for (; i + 3 <= bytes.size(); i += 3) {
        const std::uint32_t bits = byte(bytes[i]) << 16 | byte(bytes[i + 1]) << 8 | byte(bytes[i + 2]);
        *to++ = kAlphabet[bits >> 18];
        *to++ = kAlphabet[bits >> 12 & 63];
        *to++ = kAlphabet[bits >> 6 & 63];
        *to++ = kAlphabet[bits & 63];
    }
    const std::size_t left = bytes.size() - i;
    if (left != 0) {
        const std::uint32_t bits = byte(bytes[i]) << 16 | (left == 2 ? byte(bytes[i + 1]) << 8 : 0);
        *to++ = kAlphabet[bits >> 18];
        *to++ = kAlphabet[bits >> 12 & 63];
        *to++ = left == 2 ? kAlphabet[bits >> 6 & 63] : '=';
        *to++ = '=';
    }
}

Base64Fault append_decoded_base64(std::string_view text, std::string &out)
{
    if (text.size() % 4 != 0) {
        return Base64Fault::length;
    }
    if (text.empty()) {
        return Base64Fault::none;
    }
    const std::size_t padding = text.back() != '=' ? 0 : text[text.size() - 2] == '=' ? 2 : 1;
    const std::size_t start = out.size();
    out.resize(start + text.size() / 4 * 3 - padding);
    char *to = out.data() + start;
    const std::size_t whole = text.size() - (padding == 0 ? 0 : 4);
    for (std::size_t i = 0; i < whole; i += 4) {
        const std::uint32_t last = digit(text[i + 3]);
        const std::uint32_t rest = digit(text[i]) | digit(text[i + 1]) | digit(text[i + 2]) | last;
        if ((rest & kInvalid) != 0) {
            return Base64Fault::character;
        }
        const std::uint32_t bits = digit(text[i]) << 18 | digit(text[i + 1]) << 12 | digit(text[i + 2]) << 6 | last;
        *to++ = low_byte(bits >> 16);
        *to++ = low_byte(bits >> 8);
        *to++ = low_byte(bits);
    }
    if (padding == 0) {
        return Base64Fault::none;
    }
    const std::uint32_t third = padding == 1 ? digit(text[whole + 2]) : 0;
    const std::uint32_t first = digit(text[whole]);
    const std::uint32_t second = digit(text[whole + 1]);
    const std::uint32_t unused = padding == 1 ? third & 3 : second & 15;
    if (((first | second | third) & kInvalid) != 0 || unused != 0) {
        return Base64Fault::character;
    }
    const std::uint32_t bits = first << 18 | second << 12 | third << 6;
    *to++ = low_byte(bits >> 16);
    if (padding == 1) {
        *to++ = low_byte(bits >> 8);
    }
    return Base64Fault::none;
}

} // namespace basalt::protocol

// Key parts and the partition hash. A number's part is base 100: one byte for sign and exponent, one for each pair of
// digits counted from the point; negative numbers are complemented and ended so that they sort the other way.
#include "codec/key_encoding.h"

#include "base/check.h"
#include "codec/fingerprint.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

namespace basalt::codec {

namespace {

using model::Decimal;

// Byte 0 of a positive number is this plus the power of 100 of its first pair: 0x80 to 0xFF.
constexpr int kUnitsByte = 0xC1;
constexpr std::uint8_t kZero = 0x80;
constexpr std::size_t kMaxPairs = 20;
constexpr std::uint8_t kNegativeEnd = 102;

Unexpected not_a_number_part()
{
    return fail(ErrorCode::corruption, "The bytes of a numeric key are not well-formed");
}

// The value of a pair's byte, or -1.
int decode_pair(char byte, bool negative)
{
    const int pair = negative ? 101 - static_cast<std::uint8_t>(byte) : static_cast<std::uint8_t>(byte) - 1;
    return pair >= 0 && pair <= 99 ? pair : -1;
}

// bytes: 1 to 20 pairs, the first of weight 10^first_power.
Result<Decimal> decode_pairs(Bytes bytes, bool negative, int first_power)
{
    const int first = decode_pair(bytes.front(), negative);
    const int last = decode_pair(bytes.back(), negative);
    // Twenty pairs leave room for 40 digits; a number has at most 38.
    if (first <= 0 || last <= 0 || (bytes.size() == kMaxPairs && (first > 9 || last % 10 != 0))) {
        return not_a_number_part();
    }
    model::uint128 coefficient = 0;
    for (const char byte : bytes.substr(0, bytes.size() - 1)) {
        const int pair = decode_pair(byte, negative);
        if (pair < 0) {
            return not_a_number_part();
        }
        coefficient = coefficient * 100 + static_cast<unsigned>(pair);
    }
    int exponent = first_power - 2 * (static_cast<int>(bytes.size()) - 1);
    if (last % 10 == 0) {
        coefficient = coefficient * 10 + static_cast<unsigned>(last / 10);
        ++exponent;
    } else {
        coefficient = coefficient * 100 + static_cast<unsigned>(last);
    }
    return Decimal::from_parts(negative, coefficient, exponent);
}

} // namespace

void append_number_part(const Decimal &value, std::string &out)
{
    if (value.is_zero()) {
        out.push_back(static_cast<char>(kZero));
        return;
    }
    // An even number of digits before the point, and one zero behind the last digit if it has no partner.
    std::array<char, Decimal::kMaxDigits + 2> digits;
    const bool padded = (value.magnitude() & 1) == 0;
    digits[0] = '0';
    const std::size_t count = value.write_digits(digits.data() + (padded ? 1 : 0)) + (padded ? 1 : 0);
    digits[count] = '0';
    const std::size_t pairs = (count + 1) / 2;

    std::array<char, kMaxPairs + 2> part;
    std::size_t used = 0;
    const int first = kUnitsByte + (value.magnitude() >> 1);
    part[used++] = static_cast<char>(value.is_negative() ? first ^ 0xFF : first);
    for (std::size_t i = 0; i < pairs; ++i) {
        const int pair = (digits[2 * i] - '0') * 10 + (digits[2 * i + 1] - '0');
        part[used++] = static_cast<char>(value.is_negative() ? 101 - pair : pair + 1);
    }
    if (value.is_negative() && pairs < kMaxPairs) {
        part[used++] = static_cast<char>(kNegativeEnd);
    }
    out.append(part.data(), used);
}

Result<Decimal> decode_number_part(Bytes part)
{
    if (part.size() == 1 && static_cast<std::uint8_t>(part.front()) == kZero) {
        return Decimal();
    }
    if (part.size() < 2) {
        return not_a_number_part();
    }
    const auto lead = static_cast<std::uint8_t>(part.front());
    const bool negative = lead < kZero;
    part.remove_prefix(1);
    const bool ended = negative && static_cast<std::uint8_t>(part.back()) == kNegativeEnd;
    part.remove_suffix(ended ? 1 : 0);
    // A negative number is ended exactly when it is shorter than the longest.
    if (part.empty() || part.size() > kMaxPairs || ended != (negative && part.size() < kMaxPairs)) {
        return not_a_number_part();
    }
    const int first_power = 2 * ((negative ? lead ^ 0xFF : lead) - kUnitsByte);
    return decode_pairs(part, negative, first_power);
}

void append_key_part(model::ValueView value, std::string &out)
{
    switch (value.type()) {
    case model::AttributeType::string:
    case model::AttributeType::binary:
        out.append(value.text());
        return;
    case model::AttributeType::number: {
        const auto number = Decimal::parse(value.text());
        BASALT_CHECK(number.has_value());
        append_number_part(*number, out);
        return;
    }
    default:
        BASALT_CHECK(false && "not a key type");
    }
}

void append_escaped(Bytes part, std::string &out)
{
    for (const char byte : part) {
        out.push_back(byte);
        if (byte == '\0') {
            out.push_back('\xFF');
        }
    }
}

void append_ended(Bytes part, std::string &out)
{
    append_escaped(part, out);
    out.append("\0\1", 2);
}

std::optional<std::vector<std::string>> split_ended(Bytes bytes)
{
    std::vector<std::string> parts;
    std::string part;
    while (!bytes.empty()) {
        const auto zero = bytes.find('\0');
        if (zero == Bytes::npos || zero + 1 == bytes.size()) {
            return std::nullopt;
        }
        part.append(bytes.substr(0, zero));
        const char next = bytes[zero + 1];
        bytes.remove_prefix(zero + 2);
        if (next == '\1') {
            parts.push_back(std::move(part));
            part.clear();
        } else if (next == '\xFF') {
            part.push_back('\0');
        } else {
            return std::nullopt;
        }
    }
    return part.empty() ? std::optional(std::move(parts)) : std::nullopt;
}

std::uint64_t partition_hash(Bytes part)
{
    return fingerprint("Outliers", part).front();
}

} // namespace basalt::codec

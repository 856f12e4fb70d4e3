// Writes response JSON into a string, without whitespace, in one pass.
#include "protocol/json_writer.h"

#include "protocol/base64.h"

#include <array>
#include <charconv>
#include <cstring>

namespace basalt::protocol {
namespace {

using model::AttributeType;

constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101U;
constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080U;

/// High bits of the bytes of word that are zero; exact up to and including the first such byte, which is all that
/// counts.
std::uint64_t zero_bytes(std::uint64_t word) noexcept
{
    return (word - kOnes) & ~word & kHighBits;
}

bool needs_escape(char c) noexcept
{
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

/// Position of the first character at or behind `at` that must be escaped, or the size.
std::size_t find_escape(std::string_view text, std::size_t at) noexcept
{
    for (; at + 8 <= text.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + at, 8);
        const std::uint64_t control = (word - kOnes * 0x20) & ~word & kHighBits;
        if ((control | zero_bytes(word ^ kOnes * '"') | zero_bytes(word ^ kOnes * '\\')) != 0) {
            break;
        }
    }
    while (at < text.size() && !needs_escape(text[at])) {
        ++at;
    }
    return at;
}

void append_escape(char c, std::string &out)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    switch (c) {
    case '"':
        out += "\\\"";
        return;
    case '\\':
        out += "\\\\";
        return;
    case '\n':
        out += "\\n";
        return;
    case '\r':
        out += "\\r";
        return;
    case '\t':
        out += "\\t";
        return;
    case '\b':
        out += "\\b";
        return;
    case '\f':
        out += "\\f";
        return;
    default:
        out += "\\u00";
        out += kHex[static_cast<unsigned char>(c) >> 4];
        out += kHex[static_cast<unsigned char>(c) & 15];
    }
}

void append_string(std::string_view text, std::string &out)
{
    out += '"';
    std::size_t at = 0;
    while (true) {
        const std::size_t end = find_escape(text, at);
        out.append(text, at, end - at);
        if (end == text.size()) {
            break;
        }
        append_escape(text[end], out);
        at = end + 1;
    }
    out += '"';
}

void append_binary(Bytes bytes, std::string &out)
{
    out += '"';
    append_base64(bytes, out);
    out += '"';
}

} // namespace

void JsonWriter::separate()
{
    if (needs_comma_) {
        out_ += ',';
    }
    needs_comma_ = true;
}

void JsonWriter::begin_object()
{
    separate();
    out_ += '{';
    needs_comma_ = false;
}

void JsonWriter::end_object()
{
    out_ += '}';
    needs_comma_ = true;
}

void JsonWriter::begin_array()
{
    separate();
    out_ += '[';
    needs_comma_ = false;
}

void JsonWriter::end_array()
{
    out_ += ']';
    needs_comma_ = true;
}

void JsonWriter::key(std::string_view name)
{
    separate();
    append_string(name, out_);
    out_ += ':';
    needs_comma_ = false;
}

void JsonWriter::string(std::string_view text)
{
    separate();
    append_string(text, out_);
}

void JsonWriter::integer(std::int64_t value)
{
    separate();
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    out_.append(digits.data(), end);
}

void JsonWriter::boolean(bool value)
{
    separate();
    out_ += value ? "true" : "false";
}

void JsonWriter::real(double value)
{
    separate();
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
    out_ += text;
    if (text.find_first_of(".e") == std::string_view::npos) {
        out_ += ".0";
    }
}

void JsonWriter::timestamp_ms(std::int64_t ms)
{
    separate();
    const std::uint64_t magnitude = ms < 0 ? 0 - static_cast<std::uint64_t>(ms) : static_cast<std::uint64_t>(ms);
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), magnitude / 1000).ptr;
    if (ms < 0) {
        out_ += '-';
    }
    out_.append(digits.data(), end);
    const auto fraction = magnitude % 1000;
    out_ += '.';
    out_ += static_cast<char>('0' + fraction / 100);
    out_ += static_cast<char>('0' + fraction / 10 % 10);
    out_ += static_cast<char>('0' + fraction % 10);
}

void JsonWriter::attribute_value(model::ValueView value)
{
    // "{" and the member's name, by type; spares escaping a name that needs none.
    constexpr std::array<std::string_view, 11> kOpenings = {
        "",         R"({"S":)", R"({"N":)",  R"({"B":)",  R"({"BOOL":)", R"({"NULL":)",
        R"({"M":)", R"({"L":)", R"({"SS":)", R"({"NS":)", R"({"BS":)"};
    const auto type = value.type();
    separate();
    out_ += kOpenings.at(static_cast<std::size_t>(type));
    needs_comma_ = false;
    switch (type) {
    case AttributeType::string:
        string(value.text());
        break;
    case AttributeType::number: // canonical text needs no escape
        out_ += '"';
        out_ += value.text();
        out_ += '"';
        break;
    case AttributeType::binary:
        separate();
        append_binary(value.text(), out_);
        break;
    case AttributeType::boolean:
        boolean(value.boolean());
        break;
    case AttributeType::null:
        boolean(true);
        break;
    case AttributeType::map:
        attributes(value.map());
        break;
    case AttributeType::list:
        begin_array();
        for (const auto element : value.list()) {
            attribute_value(element);
        }
        end_array();
        break;
    case AttributeType::string_set:
    case AttributeType::number_set:
    case AttributeType::binary_set:
        begin_array();
        for (const auto member : value.set()) {
            separate();
            type == AttributeType::binary_set ? append_binary(member, out_) : append_string(member, out_);
        }
        end_array();
        break;
    }
    end_object();
}

void JsonWriter::attributes(model::MapView attributes)
{
    begin_object();
    for (const auto [name, value] : attributes) {
        key(name);
        attribute_value(value);
    }
    end_object();
}

void JsonWriter::raw(std::string_view json)
{
    separate();
    out_ += json;
}

} // namespace basalt::protocol

// How JSON scalars become the model's scalars, and the service's texts for a value of the wrong type.
#include "protocol/conversion.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>

namespace basalt::protocol {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;
using Type = Shape::Type;

constexpr std::string_view kPackage = "com.amazonaws.dynamodb.v20120810.";

/// The simple name of the type a scalar is converted to.
std::string_view scalar_name(Type type) noexcept
{
    switch (type) {
    case Type::integer:
        return "Integer";
    case Type::long_integer:
        return "Long";
    case Type::double_number:
        return "Double";
    case Type::boolean:
        return "Boolean";
    case Type::timestamp:
        return "Date";
    default:
        return "String";
    }
}

/// The service's own name of the type that a shape is read into.
std::string type_name_of(const Shape &shape)
{
    switch (shape.type) {
    case Type::list:
        return "java.util.List<" + type_name_of(*shape.element) + ">";
    case Type::map:
        return "java.util.Map<java.lang.String, " + type_name_of(*shape.element) + ">";
    case Type::structure:
    case Type::attribute_value:
        return std::string(kPackage).append(shape.name);
    case Type::blob:
        return "java.nio.ByteBuffer";
    case Type::timestamp:
        return "java.util.Date";
    default:
        return std::string("java.lang.").append(scalar_name(shape.type));
    }
}

std::string_view token_name(element given) noexcept
{
    switch (given.type()) {
    case element_type::BOOL:
        return bool(given) ? "TRUE_VALUE" : "FALSE_VALUE";
    case element_type::DOUBLE:
        return "DECIMAL_VALUE";
    case element_type::STRING:
        return "STRING_VALUE";
    default:
        return "NUMBER_VALUE";
    }
}

bool is_container(Type type) noexcept
{
    return type == Type::list || type == Type::map || type == Type::structure || type == Type::attribute_value;
}

/// A scalar was given for a list, map or structure.
std::string scalar_for_container_text(const Shape &shape, Place place)
{
    if (place == Place::member) {
        return "Unexpected field type";
    }
    if (shape.type == Type::structure || shape.type == Type::attribute_value) {
        return "Unexpected value type in payload";
    }
    return "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class "
           "(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base "
           "of loader 'bootstrap')";
}

/// Reads exactly `width` digits at `at` and the separator behind them (0: none).
bool read_field(std::string_view text, std::size_t &at, std::size_t width, char separator, int &value)
{
    if (at + width > text.size()) {
        return false;
    }
    const char *begin = text.data() + at;
    const auto [end, error] = std::from_chars(begin, begin + width, value);
    at += width;
    if (error != std::errc() || end != begin + width || *begin == '-') {
        return false;
    }
    return separator == 0 || (at < text.size() && text[at++] == separator);
}

/// YYYY-MM-DDTHH:MM:SS, an optional fraction, Z.
std::optional<double> parse_iso8601(std::string_view text)
{
    int year = 0;
    int month = 0;
    int day = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
    std::size_t at = 0;
    if (!read_field(text, at, 4, '-', year) || !read_field(text, at, 2, '-', month) ||
        !read_field(text, at, 2, 'T', day) || !read_field(text, at, 2, ':', hour) ||
        !read_field(text, at, 2, ':', minute) || !read_field(text, at, 2, 0, second)) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    auto rest = text.substr(at);
    double fraction = 0;
    if (rest.starts_with('.')) {
        const auto end = rest.find_first_not_of("0123456789", 1);
        if (end == std::string_view::npos || end == 1 ||
            std::from_chars(rest.data(), rest.data() + end, fraction).ec != std::errc()) {
            return std::nullopt;
        }
        rest.remove_prefix(end);
    }
    if (!date.ok() || hour > 23 || minute > 59 || second > 60 || rest != "Z") {
        return std::nullopt;
    }
    const auto days = std::chrono::sys_days(date).time_since_epoch().count();
    return static_cast<double>(days) * 86400 + hour * 3600 + minute * 60 + second + fraction;
}

} // namespace

std::string wrong_type_text(const Shape &shape, element given, Place place)
{
    const bool is_array = given.type() == element_type::ARRAY;
    const bool is_object = given.type() == element_type::OBJECT;
    if (is_array) {
        return (shape.type == Type::map ? "Unrecognized collection type " : "Unrecognized collection type class ") +
               type_name_of(shape);
    }
    if (is_object) {
        return "Start of structure or map found where not expected";
    }
    if (is_container(shape.type)) {
        return scalar_for_container_text(shape, place);
    }
    if (shape.type == Type::blob) {
        return "only base-64-encoded strings are convertible to bytes";
    }
    if (shape.type == Type::boolean && given.type() == element_type::STRING) {
        return "Unexpected token received from parser";
    }
    return std::string(token_name(given)).append(" cannot be converted to ").append(scalar_name(shape.type));
}

std::optional<std::int64_t> to_integer(const Shape &shape, element given)
{
    std::int64_t value = 0;
    if (given.type() == element_type::DOUBLE) {
        const double floored = std::floor(double(given));
        constexpr double kLimit = 9223372036854775808.0;
        if (!(floored >= -kLimit && floored < kLimit)) {
            return std::nullopt;
        }
        value = static_cast<std::int64_t>(floored);
    } else if (given.type() == element_type::INT64) {
        value = std::int64_t(given);
    } else {
        return std::nullopt;
    }
    using Int32 = std::numeric_limits<std::int32_t>;
    if (shape.type == Type::integer && (value < Int32::min() || value > Int32::max())) {
        return std::nullopt;
    }
    return value;
}

std::optional<bool> to_boolean(element given)
{
    if (given.type() == element_type::BOOL) {
        return bool(given);
    }
    if (given.type() != element_type::STRING) {
        return std::nullopt;
    }
    const auto equals = [text = std::string_view(given)](std::string_view word) {
        return std::ranges::equal(text, word, [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
    };
    if (equals("true") || equals("1") || equals("yes")) {
        return true;
    }
    if (equals("false") || equals("0") || equals("no")) {
        return false;
    }
    return std::nullopt;
}

std::optional<double> to_real(const Shape &shape, element given)
{
    if (given.is_number()) {
        return double(given);
    }
    if (shape.type != Type::timestamp || given.type() != element_type::STRING) {
        return std::nullopt;
    }
    const std::string_view text(given);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!text.empty() && error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) {
        return value;
    }
    return parse_iso8601(text);
}

std::string wrong_base64_text(std::string_view given, bool wrong_length)
{
    if (wrong_length) {
        return "Base64 encoded length is expected a multiple of 4 bytes but found: " +
               std::to_string(utf16_length(given));
    }
    return "Invalid last non-pad Base64 character dectected";
}

std::size_t utf16_length(std::string_view text) noexcept
{
    std::size_t length = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        length += static_cast<std::size_t>((byte & 0xC0) != 0x80) + static_cast<std::size_t>(byte >= 0xF0);
    }
    return length;
}

} // namespace basalt::protocol

// How JSON scalars become the model's scalars, and the service's texts for a value of the wrong type. Internal to the
// decoder.
#pragma once

#include "protocol/service_model.h"

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace basalt::protocol {

/// Where a value stands; the service words some failures by it.
enum class Place : std::uint8_t {
    member,  // of a structure
    element, // of a list or map
};

/// The text for a value whose JSON kind does not suit the shape.
[[nodiscard]] std::string wrong_type_text(const Shape &shape, simdjson::dom::element given, Place place);

/// integer and long_integer: fractions are floored. Nothing: not a number, or out of the type's range.
[[nodiscard]] std::optional<std::int64_t> to_integer(const Shape &shape, simdjson::dom::element given);
/// A JSON boolean, or a string that the service takes for one. Nothing: neither.
[[nodiscard]] std::optional<bool> to_boolean(simdjson::dom::element given);
/// double_number: a number. timestamp: seconds since 1970, also as a string, also in ISO 8601 form.
[[nodiscard]] std::optional<double> to_real(const Shape &shape, simdjson::dom::element given);

/// The text for a string that does not decode as base64.
[[nodiscard]] std::string wrong_base64_text(std::string_view given, bool wrong_length);

/// Length as the service counts it: UTF-16 code units of UTF-8 text.
[[nodiscard]] std::size_t utf16_length(std::string_view text) noexcept;

} // namespace basalt::protocol

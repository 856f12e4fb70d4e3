// Order of attribute values as expressions see it, and the kinds of types.
#pragma once

#include "model/item_view.h"

#include <compare>
#include <string_view>

namespace basalt::expression {

/// SS, NS, BS.
[[nodiscard]] bool is_set(model::AttributeType type) noexcept;
/// M, L and sets.
[[nodiscard]] bool is_container(model::AttributeType type) noexcept;

/// Two values of one type S, N or B; everything else is unordered. S and B by unsigned bytes, N by value.
[[nodiscard]] std::partial_ordering compare_values(model::ValueView left, model::ValueView right);

/// Two numbers in canonical text.
[[nodiscard]] std::strong_ordering compare_numbers(std::string_view left, std::string_view right);

} // namespace basalt::expression

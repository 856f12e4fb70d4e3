// Comparison of encoded values, numbers by their canonical texts.
#include "expression/value_order.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace basalt::expression {

namespace {

using model::AttributeType;
using model::ValueView;

std::strong_ordering order_of(int comparison) noexcept
{
    return comparison <=> 0;
}

/// Of a number without sign.
std::size_t integer_digits(std::string_view text) noexcept
{
    return std::min(text.find('.'), text.size());
}

} // namespace

bool is_set(AttributeType type) noexcept
{
    return type == AttributeType::string_set || type == AttributeType::number_set || type == AttributeType::binary_set;
}

bool is_container(AttributeType type) noexcept
{
    return type == AttributeType::map || type == AttributeType::list || is_set(type);
}

std::partial_ordering compare_values(ValueView left, ValueView right)
{
    if (left.type() != right.type()) {
        return std::partial_ordering::unordered;
    }
    switch (left.type()) {
    case AttributeType::string:
    case AttributeType::binary:
        return order_of(left.text().compare(right.text()));
    case AttributeType::number:
        return compare_numbers(left.text(), right.text());
    default:
        return std::partial_ordering::unordered;
    }
}

std::strong_ordering compare_numbers(std::string_view left, std::string_view right)
{
    const bool negative = left.starts_with('-');
    if (negative != right.starts_with('-')) {
        return negative ? std::strong_ordering::less : std::strong_ordering::greater;
    }
    if (negative) {
        std::swap(left, right);
        left.remove_prefix(1);
        right.remove_prefix(1);
    }
    const std::size_t left_digits = integer_digits(left);
    const std::size_t right_digits = integer_digits(right);
    if (left_digits != right_digits) {
        return left_digits <=> right_digits;
    }
    // The points stand at the same place, and without trailing zeros a longer fraction is greater than its beginning.
    return order_of(left.compare(right));
}

} // namespace basalt::expression

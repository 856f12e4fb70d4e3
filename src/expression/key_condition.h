// KeyConditionExpression: what it may say, and the clauses that it comes down to.
#pragma once

#include "basalt/result.h"
#include "expression/placeholders.h"
#include "model/item_view.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::expression {

enum class KeyOperator : std::uint8_t { equal, less, less_or_equal, greater, greater_or_equal, between, begins_with };

/// One condition on one key attribute. Values are views into the request's ExpressionAttributeValues.
struct KeyClause {
    std::string_view attribute;
    KeyOperator op = KeyOperator::equal;
    model::ValueView value;
    std::optional<model::ValueView> upper; // between
};

/// Parses and checks everything that needs no table: syntax, reserved words, placeholders (which it marks as used),
/// operators, operand types. Clauses come in the order of the text (an expression has at most as many as the service
/// allows before it looks at the schema). Errors (validation): the service's texts, with or without
/// "Invalid KeyConditionExpression: ".
[[nodiscard]] Result<std::vector<KeyClause>> parse_key_condition(std::string_view text, Placeholders &placeholders);

} // namespace basalt::expression

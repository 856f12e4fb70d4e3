// The condition language as a whole: a syntax tree whose names, functions, placeholders and operands have been checked.
#pragma once

#include "basalt/result.h"
#include "expression/expression_kind.h"
#include "expression/placeholders.h"
#include "expression/tree.h"

#include <string_view>

namespace basalt::expression {

/// Parses, substitutes the placeholders (and marks them as used) and checks all that needs no item. Errors
/// (validation), the service's texts, the first of: syntax and parentheses; unknown functions; functions where they are
/// not allowed; reserved words and list indexes; then, for each comparison, BETWEEN, IN or function from left to right:
/// undefined placeholders, number of operands, equal operands, operand types.
[[nodiscard]] Result<Tree> parse_condition(std::string_view text, ExpressionKind kind, Placeholders &placeholders);

} // namespace basalt::expression

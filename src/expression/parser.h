// From the text of a condition to its syntax tree. What the text says is checked by condition.h.
//
//   condition := conjunction ( OR conjunction )*
//   conjunction := negation ( AND negation )*
//   negation  := NOT negation | predicate
//   predicate := operand cmp operand | operand BETWEEN operand AND operand | operand IN '(' operand ( ',' operand )*
//   ')'
//              | call | '(' condition ')'
//   operand   := path | ':'value | call | '(' operand ')'
//   call      := identifier '(' operand ( ',' operand )* ')'
//   path      := name ( '.' name | '[' integer ']' )*        name := identifier | '#'name
#pragma once

#include "basalt/result.h"
#include "expression/expression_kind.h"
#include "expression/tree.h"

#include <string_view>

namespace basalt::expression {

/// Errors (validation), texts as the service words them: empty, too long, syntax error, redundant parentheses, too many
/// operators; the first in reading order. Recursion is bounded by the number of operators.
[[nodiscard]] Result<Tree> parse_condition_syntax(std::string_view text, ExpressionKind kind);

} // namespace basalt::expression

// From the text of an expression to its syntax tree: grammar only, see syntax.h for what else the text can have wrong.
//
//   condition   := conjunction ( OR conjunction )*
//   conjunction := negation ( AND negation )*
//   negation    := NOT negation | predicate
//   predicate   := operand cmp operand | operand BETWEEN operand AND operand
//                | operand IN '(' operand ( ',' operand )* ')' | call | '(' condition ')'
//   update      := section+
//   section     := SET path '=' new ( ',' path '=' new )* | REMOVE path ( ',' path )*
//                | ADD path ':'value ( ',' path ':'value )* | DELETE path ':'value ( ',' path ':'value )*
//   new         := operand | operand '+' operand | operand '-' operand | '(' new ')'
//   projection  := path ( ',' path )*
#pragma once

#include "basalt/result.h"
#include "expression/expression_kind.h"
#include "expression/tree.h"

#include <string_view>

namespace basalt::expression {

// Texts of at most model::kMaxExpressionBytes. Errors (validation), texts as the service words them: syntax error or
// too many operators, the first in reading order; redundant parentheses in a text that is well-formed otherwise.
// Recursion is bounded by the number of operators.

/// kind: condition, filter or key_condition.
[[nodiscard]] Result<Tree> parse_condition_syntax(std::string_view text, ExpressionKind kind);
[[nodiscard]] Result<Tree> parse_update_syntax(std::string_view text);
[[nodiscard]] Result<Tree> parse_projection_syntax(std::string_view text);

} // namespace basalt::expression

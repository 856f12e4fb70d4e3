// From the text of any kind of expression to its syntax tree, with everything checked that the text alone can have
// wrong.
#pragma once

#include "basalt/result.h"
#include "expression/expression_kind.h"
#include "expression/tree.h"

#include <string_view>

namespace basalt::expression {

/// The work behind SyntaxCache::parse, without keeping anything. Errors: see there.
[[nodiscard]] Result<Tree> parse_syntax(std::string_view text, ExpressionKind kind);

} // namespace basalt::expression

// What the actions of an update demand of their operands, as far as it can be told without an item.
#pragma once

#include "expression/tree.h"

#include <optional>
#include <string>

namespace basalt::expression {

/// The service's text (without the prefix that names the expression) or nothing, for an update whose placeholders were
/// substituted: first what ADD and DELETE accept, then numbers and types of operands of functions, + and -.
[[nodiscard]] std::optional<std::string> update_operand_problem(const Tree &tree);

} // namespace basalt::expression

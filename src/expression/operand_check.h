// What an operator or function demands of its operands, as far as it can be told without an item: how many, not the
// same path twice, types of literal values, bounds of BETWEEN.
#pragma once

#include "expression/tree.h"

#include <optional>
#include <string>

namespace basalt::expression {

// Each looks at one node of a tree whose placeholders were substituted, not at the node's descendants, and gives the
// service's text (without the prefix that names the expression) or nothing.

[[nodiscard]] std::optional<std::string> operand_count_problem(const Tree &tree, const Node &node);
[[nodiscard]] std::optional<std::string> equal_operands_problem(const Tree &tree, const Node &node);
/// Only for nodes without operand_count_problem.
[[nodiscard]] std::optional<std::string> operand_type_problem(const Tree &tree, const Node &node);

} // namespace basalt::expression

// Replaces the placeholders of a syntax tree by the request's names and values.
#pragma once

#include "expression/placeholders.h"
#include "expression/tree.h"

#include <optional>
#include <span>
#include <string>

namespace basalt::expression {

// Each marks what it uses and gives the service's text (without the prefix that names the expression) for the first
// fault in the order of the nodes, or nothing.

/// Undefined names and, after a path's names, a path of over kMaxPathDepth elements.
[[nodiscard]] std::optional<std::string> substitute_path(std::span<PathElement> path, Placeholders &placeholders);

/// The same for each path, undefined values for each value node.
[[nodiscard]] std::optional<std::string> substitute(Tree &tree, std::span<Node> nodes, Placeholders &placeholders);

} // namespace basalt::expression

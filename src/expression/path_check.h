// Document paths that cannot stand together in an update or a projection.
#pragma once

#include "expression/path_tree.h"
#include "expression/tree.h"

#include <optional>
#include <span>
#include <string>

namespace basalt::expression {

/// The service's text (without the prefix that names the expression) or nothing, for the first path in the order given
/// that is equal to, the beginning of or the continuation of an earlier one; if there is none, for the first that takes
/// by name what an earlier one takes by index, or the reverse. tree: of these paths. Linear.
[[nodiscard]] std::optional<std::string> path_pair_problem(const PathTree &tree,
                                                           std::span<const std::span<const PathElement>> paths);

} // namespace basalt::expression

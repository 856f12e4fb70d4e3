// Conditions and operands evaluated on an item's encoded attributes, without decoding what no path touches.
#pragma once

#include "expression/fingerprint.h"
#include "expression/in_lists.h"
#include "expression/tree.h"
#include "model/item_view.h"

#include <optional>
#include <span>

namespace basalt::expression {

/// The value at the end of a path without placeholders, or nothing if any step is missing or of the wrong type.
[[nodiscard]] std::optional<model::ValueView> find_path(model::MapView item, std::span<const PathElement> path);

/// Whether the tree's condition holds for the item. literals and in_lists: the tree's. Recursion follows the tree,
/// whose depth the parser bounds.
[[nodiscard]] bool evaluate(const Tree &tree, const LiteralFingerprints &literals, const InLists &in_lists,
                            model::MapView item);

} // namespace basalt::expression

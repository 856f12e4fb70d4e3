// The long lists of values behind IN, sorted once for all items that are compared with them.
#pragma once

#include "base/bytes.h"
#include "expression/tree.h"
#include "model/item_view.h"

#include <optional>
#include <vector>

namespace basalt::expression {

/// Of those IN nodes that have many operands, all of them values that are equal only to what is encoded in the same
/// bytes. Immutable. Views into the request's values.
class InLists {
public:
    /// Placeholders are substituted. n log n in the number of operands.
    explicit InLists(const Tree &tree);

    /// Whether one of the node's operands equals the value; nothing if the node has no sorted list. Logarithmic.
    [[nodiscard]] std::optional<bool> contains(const Node &in, model::ValueView value) const;

private:
    struct List {
        NodeIndex first_child; // of the node
        std::vector<Bytes> values;
    };
    std::vector<List> lists_; // by first_child
};

} // namespace basalt::expression

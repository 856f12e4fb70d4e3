// The new values of SET: operands evaluated on the old item, without copying what they read.
#pragma once

#include "basalt/result.h"
#include "base/bytes.h"
#include "expression/path_tree.h"
#include "expression/tree.h"
#include "model/decimal.h"
#include "model/item_view.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace basalt::expression {

/// A value of the request or of the old item, a number that was computed, or two lists to be written as one.
struct NewValue {
    enum class Kind : std::uint8_t { value, number, lists };
    Kind kind = Kind::value;
    Bytes first = {};  // value, lists: encoded
    Bytes second = {}; // lists
    model::Decimal number = {};
};

/// The paths that an update's operands read; those that its actions change are not among them.
class OperandPaths {
public:
    explicit OperandPaths(const Tree &tree);

    [[nodiscard]] const PathTree &paths() const noexcept { return paths_; }
    /// The position in paths().steps() of a path node that is an operand.
    [[nodiscard]] std::size_t step_of(NodeIndex node) const;

private:
    std::vector<NodeIndex> nodes_; // ascending
    PathTree paths_;
};

/// Evaluates operands of one tree on one item; views into both.
class OperandEvaluator {
public:
    /// item: as it was before the update.
    OperandEvaluator(const Tree &tree, const OperandPaths &paths, model::MapView item);

    /// Errors (validation), the service's texts: a path that the item does not have; a wrong type; a number out of
    /// range. Recursion is bounded by the parser.
    [[nodiscard]] Result<NewValue> evaluate(NodeIndex operand) const;

private:
    [[nodiscard]] std::optional<Bytes> read(NodeIndex path) const;
    [[nodiscard]] Result<NewValue> call(const Node &node) const;
    [[nodiscard]] Result<model::Decimal> number(NodeIndex operand) const;
    [[nodiscard]] Result<Bytes> list(NodeIndex operand) const;

    const Tree &tree_;
    const OperandPaths &paths_;
    std::vector<std::optional<model::ValueView>> values_; // by step
};

/// Why an operand cannot be used: a validation error.
[[nodiscard]] Unexpected wrong_operand_type();

} // namespace basalt::expression

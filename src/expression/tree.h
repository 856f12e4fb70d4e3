// The syntax tree of an expression: nodes and path elements in two vectors, linked by index. Nodes stand in the order
// in which they end in the text, so children come before their parent and a parent's operands follow each other.
#pragma once

#include "base/bytes.h"
#include "model/item_view.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::expression {

using NodeIndex = std::uint16_t;
inline constexpr NodeIndex kNoNode = 0xFFFF;

/// The order matters: first operands, then what has operands, then what joins conditions, then what only updates and
/// projections have; passes over the nodes test for ranges.
enum class NodeKind : std::uint8_t {
    path,
    value,
    call,
    comparison,
    between,
    in,
    negation,
    conjunction,
    disjunction,
    // Updates: an update has sections, a section has actions of one kind.
    sum,
    difference,
    set,         // path, new value
    remove,      // path
    add,         // path, value
    delete_from, // path, value
    section,
    update,
    projection, // paths
};

enum class Comparator : std::uint8_t { equal, not_equal, less, less_or_equal, greater, greater_or_equal };

/// "=", "<>", "<", "<=", ">", ">=".
[[nodiscard]] std::string_view symbol(Comparator comparator) noexcept;

enum class Function : std::uint8_t {
    unknown,
    attribute_exists,
    attribute_not_exists,
    attribute_type,
    begins_with,
    contains,
    size,
    if_not_exists,
    list_append,
};

/// Names are case-sensitive; anything else is `unknown`.
[[nodiscard]] Function function_from_name(std::string_view name) noexcept;

struct PathElement {
    enum class Kind : std::uint8_t { attribute, placeholder, index };
    Kind kind = Kind::attribute;
    /// As written (an index: its digits); a placeholder becomes an attribute with the substituted name when resolved.
    std::string_view text;
};

/// "[a, [1], b]", as messages show a path.
[[nodiscard]] std::string path_text(std::span<const PathElement> path);

struct Node {
    NodeKind kind = NodeKind::path;
    Comparator comparator = Comparator::equal; // comparison
    Function function = Function::unknown;     // call
    bool parenthesised = false;
    NodeIndex first_child = kNoNode; // two operands: left, right; between: operand, lower, upper; in: operand, list
    NodeIndex next_sibling = kNoNode;
    std::uint16_t child_count = 0;
    std::uint16_t path_begin = 0; // path
    std::uint16_t path_length = 0;
    std::string_view text = {}; // value: the placeholder; call: the name; as written. section: "SET" or the like
    Bytes value = {};           // value: its encoding, once resolved
};

/// The children of a node under construction.
struct Children {
    NodeIndex first = kNoNode;
    NodeIndex last = kNoNode;
    std::uint16_t count = 0;
};

/// Views into the text, the request's names and its values; all must outlive the tree. Not thread-safe while changed.
class Tree {
public:
    Tree();

    [[nodiscard]] const Node &operator[](NodeIndex index) const { return nodes_[index]; }
    [[nodiscard]] Node &operator[](NodeIndex index) { return nodes_[index]; }
    [[nodiscard]] std::span<const Node> nodes() const noexcept { return nodes_; }
    [[nodiscard]] std::span<Node> nodes() noexcept { return nodes_; }
    /// The last node.
    [[nodiscard]] const Node &root() const { return nodes_.back(); }

    [[nodiscard]] std::span<const PathElement> elements() const noexcept { return elements_; }
    [[nodiscard]] std::span<PathElement> path(const Node &node);
    [[nodiscard]] std::span<const PathElement> path(const Node &node) const;

    NodeIndex add(Node node);
    /// The node's children are `children`.
    NodeIndex add(Node node, const Children &children);
    void append(Children &children, NodeIndex child);

    // Of nodes and of path elements there are fewer than 65,535; texts and the limits on legacy parameters see to it.

    /// Starts a path node whose elements are those added next.
    [[nodiscard]] Node begin_path() const;
    void add_element(Node &path, PathElement element);

    /// How many nodes are read or compared when the tree is evaluated, at least 1: paths and values.
    [[nodiscard]] std::uint32_t operand_count() const noexcept;

private:
    std::vector<Node> nodes_;
    std::vector<PathElement> elements_;
};

} // namespace basalt::expression

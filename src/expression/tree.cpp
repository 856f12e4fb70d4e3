// Building and reading the syntax tree.
#include "expression/tree.h"

#include "base/check.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace basalt::expression {

namespace {

// Enough for a usual key condition without growing.
constexpr std::size_t kUsualNodes = 12;
constexpr std::size_t kUsualElements = 4;
constexpr std::size_t kMaxElements = std::numeric_limits<std::uint16_t>::max();

constexpr std::array<std::pair<std::string_view, Function>, 8> kFunctions{{
    {"attribute_exists", Function::attribute_exists},
    {"attribute_not_exists", Function::attribute_not_exists},
    {"attribute_type", Function::attribute_type},
    {"begins_with", Function::begins_with},
    {"contains", Function::contains},
    {"size", Function::size},
    {"if_not_exists", Function::if_not_exists},
    {"list_append", Function::list_append},
}};

} // namespace

std::string_view symbol(Comparator comparator) noexcept
{
    switch (comparator) {
    case Comparator::equal:
        return "=";
    case Comparator::not_equal:
        return "<>";
    case Comparator::less:
        return "<";
    case Comparator::less_or_equal:
        return "<=";
    case Comparator::greater:
        return ">";
    case Comparator::greater_or_equal:
        return ">=";
    }
    return {};
}

Function function_from_name(std::string_view name) noexcept
{
    for (const auto &[known, function] : kFunctions) {
        if (name == known) {
            return function;
        }
    }
    return Function::unknown;
}

std::string path_text(std::span<const PathElement> path)
{
    std::string text = "[";
    for (const PathElement &element : path) {
        text.append(text.size() == 1 ? "" : ", ");
        if (element.kind == PathElement::Kind::index) {
            text.append("[").append(element.text).append("]");
        } else {
            text.append(element.text);
        }
    }
    return text.append("]");
}

Tree::Tree()
{
    nodes_.reserve(kUsualNodes);
    elements_.reserve(kUsualElements);
}

std::span<PathElement> Tree::path(const Node &node)
{
    return std::span(elements_).subspan(node.path_begin, node.path_length);
}

std::span<const PathElement> Tree::path(const Node &node) const
{
    return std::span(elements_).subspan(node.path_begin, node.path_length);
}

NodeIndex Tree::add(Node node)
{
    BASALT_CHECK(nodes_.size() < kNoNode);
    nodes_.push_back(node);
    return static_cast<NodeIndex>(nodes_.size() - 1);
}

NodeIndex Tree::add(Node node, const Children &children)
{
    node.first_child = children.first;
    node.child_count = children.count;
    return add(node);
}

void Tree::append(Children &children, NodeIndex child)
{
    if (children.count == 0) {
        children.first = child;
    } else {
        nodes_[children.last].next_sibling = child;
    }
    children.last = child;
    ++children.count;
}

Node Tree::begin_path() const
{
    BASALT_CHECK(elements_.size() < kMaxElements);
    Node node;
    node.kind = NodeKind::path;
    node.path_begin = static_cast<std::uint16_t>(elements_.size());
    return node;
}

void Tree::add_element(Node &path, PathElement element)
{
    BASALT_CHECK(elements_.size() < kMaxElements);
    elements_.push_back(element);
    ++path.path_length;
}

std::uint32_t Tree::operand_count() const noexcept
{
    const auto operands = std::ranges::count_if(
        nodes_, [](const Node &node) { return node.kind == NodeKind::path || node.kind == NodeKind::value; });
    return std::max(std::uint32_t{1}, static_cast<std::uint32_t>(operands));
}

} // namespace basalt::expression

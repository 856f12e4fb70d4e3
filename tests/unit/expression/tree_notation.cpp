// Prints a tree from its root.
#include "unit/expression/tree_notation.h"

namespace basalt::expression {

namespace {

std::string_view head_of(const Node &node)
{
    switch (node.kind) {
    case NodeKind::path:
    case NodeKind::value:
        return {};
    case NodeKind::call:
    case NodeKind::section:
        return node.text;
    case NodeKind::comparison:
        return symbol(node.comparator);
    case NodeKind::between:
        return "between";
    case NodeKind::in:
        return "in";
    case NodeKind::negation:
        return "not";
    case NodeKind::conjunction:
        return "and";
    case NodeKind::disjunction:
        return "or";
    case NodeKind::sum:
        return "+";
    case NodeKind::difference:
        return "-";
    case NodeKind::set:
        return "set";
    case NodeKind::remove:
        return "remove";
    case NodeKind::add:
        return "add";
    case NodeKind::delete_from:
        return "delete";
    case NodeKind::update:
        return "update";
    case NodeKind::projection:
        return "projection";
    }
    return "?";
}

std::string render_path(std::span<const PathElement> path)
{
    std::string out;
    for (const PathElement &element : path) {
        if (element.kind == PathElement::Kind::index) {
            out.append("[").append(element.text).append("]");
        } else {
            out.append(out.empty() ? "" : ".").append(element.text);
        }
    }
    return out;
}

std::string render(const Tree &tree, const Node &node)
{
    if (node.kind == NodeKind::path) {
        return render_path(tree.path(node));
    }
    if (node.kind == NodeKind::value) {
        return std::string(node.text);
    }
    std::string out = "(";
    out.append(head_of(node));
    for (NodeIndex child = node.first_child; child != kNoNode; child = tree[child].next_sibling) {
        out.append(" ").append(render(tree, tree[child]));
    }
    return out.append(")");
}

} // namespace

std::string notation_of(const Tree &tree)
{
    return render(tree, tree.root());
}

} // namespace basalt::expression

// Functions and arithmetic of SET.
#include "expression/update_operand.h"

#include <algorithm>
#include <span>
#include <utility>

namespace basalt::expression {

namespace {

using model::AttributeType;
using model::Decimal;
using model::ValueView;

Unexpected missing_attribute()
{
    return fail(ErrorCode::validation,
                "The provided expression refers to an attribute that does not exist in the item");
}

bool is_action(const Node &node)
{
    return node.kind == NodeKind::set || node.kind == NodeKind::remove || node.kind == NodeKind::add ||
           node.kind == NodeKind::delete_from;
}

std::vector<NodeIndex> operand_paths(const Tree &tree)
{
    const std::span<const Node> nodes = tree.nodes();
    std::vector<bool> is_target(nodes.size());
    for (const Node &node : nodes) {
        if (is_action(node)) {
            is_target[node.first_child] = true;
        }
    }
    std::vector<NodeIndex> paths;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].kind == NodeKind::path && !is_target[i]) {
            paths.push_back(static_cast<NodeIndex>(i));
        }
    }
    return paths;
}

PathTree merged(const Tree &tree, const std::vector<NodeIndex> &nodes)
{
    std::vector<std::span<const PathElement>> paths;
    paths.reserve(nodes.size());
    for (const NodeIndex node : nodes) {
        paths.push_back(tree.path(tree[node]));
    }
    return PathTree(paths);
}

} // namespace

Unexpected wrong_operand_type()
{
    return fail(ErrorCode::validation, "An operand in the update expression has an incorrect data type");
}

OperandPaths::OperandPaths(const Tree &tree)
    : nodes_(operand_paths(tree)),
      paths_(merged(tree, nodes_))
{}

std::size_t OperandPaths::step_of(NodeIndex node) const
{
    return paths_.end_of(static_cast<std::size_t>(std::ranges::lower_bound(nodes_, node) - nodes_.begin()));
}

OperandEvaluator::OperandEvaluator(const Tree &tree, const OperandPaths &paths, model::MapView item)
    : tree_(tree),
      paths_(paths),
      values_(paths.paths().steps().size())
{
    paths.paths().read(item, values_);
}

Result<NewValue> OperandEvaluator::evaluate(NodeIndex operand) const
{
    const Node &node = tree_[operand];
    switch (node.kind) {
    case NodeKind::value:
        return NewValue{.first = node.value};
    case NodeKind::path: {
        const auto value = read(operand);
        if (!value) {
            return missing_attribute();
        }
        return NewValue{.first = *value};
    }
    case NodeKind::call:
        return call(node);
    default:
        break;
    }
    const auto left = number(node.first_child);
    if (!left) {
        return fail(left.error());
    }
    const auto right = number(tree_[node.first_child].next_sibling);
    if (!right) {
        return fail(right.error());
    }
    const auto result = node.kind == NodeKind::sum ? left->add(*right) : left->subtract(*right);
    if (!result) {
        return fail(result.error());
    }
    return NewValue{.kind = NewValue::Kind::number, .number = *result};
}

std::optional<Bytes> OperandEvaluator::read(NodeIndex path) const
{
    const auto &value = values_[paths_.step_of(path)];
    return value ? std::optional(value->bytes()) : std::nullopt;
}

Result<NewValue> OperandEvaluator::call(const Node &node) const
{
    const NodeIndex second = tree_[node.first_child].next_sibling;
    if (node.function == Function::if_not_exists) {
        if (const auto value = read(node.first_child)) {
            return NewValue{.first = *value};
        }
        return evaluate(second);
    }
    const auto left = list(node.first_child);
    if (!left) {
        return fail(left.error());
    }
    const auto right = list(second);
    if (!right) {
        return fail(right.error());
    }
    return NewValue{.kind = NewValue::Kind::lists, .first = *left, .second = *right};
}

Result<Decimal> OperandEvaluator::number(NodeIndex operand) const
{
    const auto value = evaluate(operand);
    if (!value) {
        return fail(value.error());
    }
    if (value->kind != NewValue::Kind::value || ValueView(value->first).type() != AttributeType::number) {
        return wrong_operand_type();
    }
    return Decimal::parse(ValueView(value->first).text());
}

Result<Bytes> OperandEvaluator::list(NodeIndex operand) const
{
    const auto value = evaluate(operand);
    if (!value) {
        return fail(value.error());
    }
    if (value->kind != NewValue::Kind::value || ValueView(value->first).type() != AttributeType::list) {
        return wrong_operand_type();
    }
    return value->first;
}

} // namespace basalt::expression

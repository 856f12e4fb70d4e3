// Literal values are checked here; what a path or a function gives is known only when the update is applied.
#include "expression/update_check.h"

#include "expression/operand_check.h"
#include "expression/problem.h"
#include "model/item_view.h"

namespace basalt::expression {

namespace {

using model::AttributeType;
using model::ValueView;

/// As messages about ADD and DELETE name the types that they may refuse.
std::string_view long_type_name(AttributeType type)
{
    switch (type) {
    case AttributeType::string:
        return "STRING";
    case AttributeType::number:
        return "NUMBER";
    case AttributeType::binary:
        return "BINARY";
    case AttributeType::boolean:
        return "BOOLEAN";
    case AttributeType::null:
        return "NULL";
    case AttributeType::map:
        return "MAP";
    case AttributeType::list:
        return "LIST";
    default:
        return {};
    }
}

Problem add_or_delete_problem(const Tree &tree, const Node &action)
{
    const bool is_add = action.kind == NodeKind::add;
    if (!is_add && action.kind != NodeKind::delete_from) {
        return std::nullopt;
    }
    const AttributeType type = ValueView(tree[tree[action.first_child].next_sibling].value).type();
    const std::string_view name = long_type_name(type);
    if (name.empty() || (is_add && type == AttributeType::number)) {
        return std::nullopt;
    }
    return problem_text({"Incorrect operand type for operator or function; operator: ", is_add ? "ADD" : "DELETE",
                         ", operand type: ", name});
}

Problem literal_problem(const Tree &tree, const Node &node, std::string_view name, AttributeType accepted)
{
    for (NodeIndex child = node.first_child; child != kNoNode; child = tree[child].next_sibling) {
        const Node &operand = tree[child];
        if (operand.kind == NodeKind::value && ValueView(operand.value).type() != accepted) {
            return incorrect_operand_type(name, model::type_name(ValueView(operand.value).type()));
        }
    }
    return std::nullopt;
}

Problem operand_problem(const Tree &tree, const Node &node)
{
    switch (node.kind) {
    case NodeKind::sum:
        return literal_problem(tree, node, "+", AttributeType::number);
    case NodeKind::difference:
        return literal_problem(tree, node, "-", AttributeType::number);
    case NodeKind::call:
        break;
    default:
        return std::nullopt;
    }
    if (auto problem = operand_count_problem(tree, node)) {
        return problem;
    }
    if (node.function == Function::list_append) {
        return literal_problem(tree, node, node.text, AttributeType::list);
    }
    if (tree[node.first_child].kind != NodeKind::path) {
        return document_path_required(node.text);
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string> update_operand_problem(const Tree &tree)
{
    for (const auto check : {add_or_delete_problem, operand_problem}) {
        for (const Node &node : tree.nodes()) {
            if (auto problem = check(tree, node)) {
                return problem;
            }
        }
    }
    return std::nullopt;
}

} // namespace basalt::expression

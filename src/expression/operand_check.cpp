// Operand counts, distinctness and types.
#include "expression/operand_check.h"

#include "expression/problem.h"
#include "expression/value_order.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace basalt::expression {

namespace {

using model::AttributeType;
using model::ValueView;

constexpr std::uint16_t kMaxInOperands = 100;

/// The operator or function as messages name it; empty for nodes that have no operands.
std::string_view name_of(const Node &node)
{
    switch (node.kind) {
    case NodeKind::comparison:
        return symbol(node.comparator);
    case NodeKind::between:
        return "BETWEEN";
    case NodeKind::in:
        return "IN";
    case NodeKind::call:
        return node.text;
    default:
        return {};
    }
}

/// The type of a literal value or of size; none for a path, whose type depends on the item.
std::optional<AttributeType> static_type(const Node &operand)
{
    if (operand.kind == NodeKind::value) {
        return ValueView(operand.value).type();
    }
    if (operand.kind == NodeKind::call) {
        return AttributeType::number;
    }
    return std::nullopt;
}

Problem check_types(const Tree &tree, const Node &node, std::initializer_list<AttributeType> accepted)
{
    for (NodeIndex child = node.first_child; child != kNoNode; child = tree[child].next_sibling) {
        const auto type = static_type(tree[child]);
        if (type && std::ranges::find(accepted, *type) == accepted.end()) {
            return incorrect_operand_type(name_of(node), model::type_name(*type));
        }
    }
    return std::nullopt;
}

Problem check_document_path(const Tree &tree, const Node &call)
{
    if (tree[call.first_child].kind == NodeKind::path) {
        return std::nullopt;
    }
    return document_path_required(call.text);
}

Problem check_attribute_type(const Tree &tree, const Node &call)
{
    const Node &operand = tree[tree[call.first_child].next_sibling];
    const auto type = static_type(operand);
    if (type != AttributeType::string) {
        return incorrect_operand_type(call.text, type ? model::type_name(*type) : "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
    }
    const Bytes name = ValueView(operand.value).text();
    if (model::type_from_name(name)) {
        return std::nullopt;
    }
    return problem_text(
        {"Invalid attribute type name found; type: ", name, ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"});
}

std::string bounds(ValueView lower, ValueView upper)
{
    std::string text;
    for (const auto &[label, value] : {std::pair{"lower bound operand: ", lower}, {", upper bound operand: ", upper}}) {
        text.append(label).append("AttributeValue: {").append(model::type_name(value.type())).append(":");
        if (value.type() == AttributeType::binary) {
            const std::string size = std::to_string(value.text().size());
            text.append("java.nio.HeapByteBuffer[pos=0 lim=").append(size).append(" cap=").append(size).append("]");
        } else {
            text.append(value.text());
        }
        text.append("}");
    }
    return text;
}

Problem check_between(const Tree &tree, const Node &node)
{
    if (auto problem = check_types(tree, node, {AttributeType::string, AttributeType::number, AttributeType::binary})) {
        return problem;
    }
    const Node &lower = tree[tree[node.first_child].next_sibling];
    const Node &upper = tree[lower.next_sibling];
    if (lower.kind != NodeKind::value || upper.kind != NodeKind::value) {
        return std::nullopt;
    }
    const ValueView lower_value(lower.value);
    const ValueView upper_value(upper.value);
    if (lower_value.type() != upper_value.type()) {
        return "The BETWEEN operator requires same data type for lower and upper bounds; " +
               bounds(lower_value, upper_value);
    }
    if (compare_values(lower_value, upper_value) > 0) {
        return "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " +
               bounds(lower_value, upper_value);
    }
    return std::nullopt;
}

Problem check_call(const Tree &tree, const Node &call)
{
    switch (call.function) {
    case Function::attribute_exists:
    case Function::attribute_not_exists:
        return check_document_path(tree, call);
    case Function::attribute_type:
        return check_attribute_type(tree, call);
    case Function::begins_with:
        return check_types(tree, call, {AttributeType::string, AttributeType::binary});
    case Function::size:
        return check_types(tree, call,
                           {AttributeType::string, AttributeType::binary, AttributeType::map, AttributeType::list,
                            AttributeType::string_set, AttributeType::number_set, AttributeType::binary_set});
    default:
        return std::nullopt;
    }
}

bool same_path(const Tree &tree, const Node &left, const Node &right)
{
    return right.kind == NodeKind::path &&
           std::ranges::equal(tree.path(left), tree.path(right), [](const PathElement &a, const PathElement &b) {
               return a.kind == b.kind && a.text == b.text;
           });
}

std::uint16_t operand_count(Function function)
{
    switch (function) {
    case Function::attribute_exists:
    case Function::attribute_not_exists:
    case Function::size:
        return 1;
    default:
        return 2;
    }
}

} // namespace

std::optional<std::string> operand_count_problem(const Tree & /*tree*/, const Node &node)
{
    if (node.kind == NodeKind::call && node.child_count != operand_count(node.function)) {
        return problem_text({"Incorrect number of operands for operator or function; operator or function: ", node.text,
                             ", number of operands: ", std::to_string(node.child_count)});
    }
    if (node.kind == NodeKind::in && node.child_count - 1 > kMaxInOperands) {
        return "The IN operator is provided with too many operands; number of operands: " +
               std::to_string(node.child_count - 1);
    }
    return std::nullopt;
}

std::optional<std::string> equal_operands_problem(const Tree &tree, const Node &node)
{
    if (name_of(node).empty() || tree[node.first_child].kind != NodeKind::path) {
        return std::nullopt;
    }
    const Node &first = tree[node.first_child];
    for (NodeIndex other = first.next_sibling; other != kNoNode; other = tree[other].next_sibling) {
        if (same_path(tree, first, tree[other])) {
            return problem_text({"The first operand must be distinct from the remaining operands for this operator or "
                                 "function; operator: ",
                                 name_of(node), ", first operand: ", path_text(tree.path(first))});
        }
    }
    return std::nullopt;
}

std::optional<std::string> operand_type_problem(const Tree &tree, const Node &node)
{
    switch (node.kind) {
    case NodeKind::comparison:
        if (node.comparator == Comparator::equal || node.comparator == Comparator::not_equal) {
            return std::nullopt;
        }
        return check_types(tree, node, {AttributeType::string, AttributeType::number, AttributeType::binary});
    case NodeKind::between:
        return check_between(tree, node);
    case NodeKind::call:
        return check_call(tree, node);
    default:
        return std::nullopt;
    }
}

} // namespace basalt::expression

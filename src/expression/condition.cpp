// The checks that make a condition out of a syntax tree. Each is one pass over the tree's vectors, whose order is that
// of the text; what belongs to one sub-condition stands together there and ends with its own node.
#include "expression/condition.h"

#include "expression/operand_check.h"
#include "expression/parser.h"
#include "expression/reserved_words.h"
#include "model/limits.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace basalt::expression {

namespace {

// Texts without the prefix that names the expression; nothing if all is well.
using Problem = std::optional<std::string>;

std::string described(std::string_view text, std::string_view what)
{
    return std::string(text).append(what);
}

Problem find_unknown_function(const Tree &tree)
{
    for (const Node &node : tree.nodes()) {
        if (node.kind == NodeKind::call && node.function == Function::unknown) {
            return described("Invalid function name; function: ", node.text);
        }
    }
    return std::nullopt;
}

/// A call is a condition, except size, which is an operand.
Problem find_misuse(const Node &call, bool as_operand)
{
    if (call.kind != NodeKind::call) {
        return std::nullopt;
    }
    if (call.function == Function::if_not_exists || call.function == Function::list_append) {
        return described("The function is not allowed in a condition expression; function: ", call.text);
    }
    if (as_operand != (call.function == Function::size)) {
        return described("The function is not allowed to be used this way in an expression; function: ", call.text);
    }
    return std::nullopt;
}

Problem find_misused_function(const Tree &tree)
{
    for (const Node &node : tree.nodes()) {
        const bool as_operand = node.kind < NodeKind::negation;
        for (NodeIndex child = node.first_child; child != kNoNode; child = tree[child].next_sibling) {
            if (auto problem = find_misuse(tree[child], as_operand)) {
                return problem;
            }
        }
    }
    return find_misuse(tree.root(), false);
}

bool is_list_index(std::string_view digits)
{
    std::int32_t index = 0;
    return std::from_chars(digits.data(), digits.data() + digits.size(), index).ec == std::errc{};
}

Problem find_bad_path_element(const Tree &tree)
{
    for (const PathElement &element : tree.elements()) {
        if (element.kind == PathElement::Kind::attribute && is_reserved_word(element.text)) {
            return described("Attribute name is a reserved keyword; reserved keyword: ", element.text);
        }
        if (element.kind == PathElement::Kind::index && !is_list_index(element.text)) {
            return described("List index is not within the allowable range; index: [", element.text).append("]");
        }
    }
    return std::nullopt;
}

Problem resolve_path(std::span<PathElement> path, Placeholders &placeholders)
{
    for (PathElement &element : path) {
        if (element.kind == PathElement::Kind::placeholder) {
            const auto name = placeholders.name(element.text);
            if (!name) {
                return described(
                    "An expression attribute name used in the document path is not defined; attribute name: ",
                    element.text);
            }
            element = {PathElement::Kind::attribute, *name};
        }
    }
    if (path.size() > model::kMaxPathDepth) {
        return described("The document path has too many nesting levels; nesting levels: ",
                         std::to_string(path.size()));
    }
    return std::nullopt;
}

Problem resolve(Tree &tree, std::span<Node> nodes, Placeholders &placeholders)
{
    for (Node &node : nodes) {
        if (node.kind == NodeKind::path) {
            if (auto problem = resolve_path(tree.path(node), placeholders)) {
                return problem;
            }
        } else if (node.kind == NodeKind::value) {
            const auto value = placeholders.value(node.text);
            if (!value) {
                return described("An expression attribute value used in expression is not defined; attribute value: ",
                                 node.text);
            }
            node.value = value->bytes();
        }
    }
    return std::nullopt;
}

Problem check_sub_condition(Tree &tree, std::span<Node> nodes, Placeholders &placeholders)
{
    if (auto problem = resolve(tree, nodes, placeholders)) {
        return problem;
    }
    for (const auto check : {operand_count_problem, equal_operands_problem, operand_type_problem}) {
        for (const Node &node : nodes) {
            if (auto problem = check(tree, node)) {
                return problem;
            }
        }
    }
    return std::nullopt;
}

/// Only after find_misused_function: every call but size is a sub-condition.
bool is_sub_condition(const Node &node)
{
    return node.kind == NodeKind::comparison || node.kind == NodeKind::between || node.kind == NodeKind::in ||
           (node.kind == NodeKind::call && node.function != Function::size);
}

Problem check_sub_conditions(Tree &tree, Placeholders &placeholders)
{
    const std::span<Node> nodes = tree.nodes();
    std::size_t begin = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (is_sub_condition(nodes[i])) {
            if (auto problem = check_sub_condition(tree, nodes.subspan(begin, i + 1 - begin), placeholders)) {
                return problem;
            }
            begin = i + 1;
        } else if (nodes[i].kind >= NodeKind::negation) {
            begin = i + 1;
        }
    }
    return std::nullopt;
}

Problem check(Tree &tree, Placeholders &placeholders)
{
    for (const auto pass : {find_unknown_function, find_misused_function, find_bad_path_element}) {
        if (auto problem = pass(tree)) {
            return problem;
        }
    }
    return check_sub_conditions(tree, placeholders);
}

} // namespace

Result<Tree> parse_condition(std::string_view text, ExpressionKind kind, Placeholders &placeholders)
{
    Result<Tree> tree = parse_condition_syntax(text, kind);
    if (tree) {
        if (const auto problem = check(*tree, placeholders)) {
            return fail(invalid_expression(kind, *problem));
        }
    }
    return tree;
}

} // namespace basalt::expression

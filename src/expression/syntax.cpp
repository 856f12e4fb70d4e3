// The grammar of each kind, then passes over the tree's vectors, whose order is that of the text.
#include "expression/syntax.h"

#include "expression/parser.h"
#include "expression/problem.h"
#include "expression/reserved_words.h"
#include "model/limits.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace basalt::expression {

namespace {

using Pass = Problem (*)(const Tree &);

std::string used_wrongly(const Node &call)
{
    return problem_text({"The function is not allowed to be used this way in an expression; function: ", call.text});
}

Problem find_unknown_function(const Tree &tree)
{
    for (const Node &node : tree.nodes()) {
        if (node.kind == NodeKind::call && node.function == Function::unknown) {
            return problem_text({"Invalid function name; function: ", node.text});
        }
    }
    return std::nullopt;
}

bool is_update_function(const Node &call)
{
    return call.function == Function::if_not_exists || call.function == Function::list_append;
}

/// A call is a condition, except size, which is an operand.
Problem find_misuse(const Node &call, bool as_operand)
{
    if (call.kind != NodeKind::call) {
        return std::nullopt;
    }
    if (is_update_function(call)) {
        return problem_text({"The function is not allowed in a condition expression; function: ", call.text});
    }
    if (as_operand != (call.function == Function::size)) {
        return used_wrongly(call);
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

Problem find_function_not_for_updates(const Tree &tree)
{
    for (const Node &node : tree.nodes()) {
        if (node.kind == NodeKind::call && !is_update_function(node)) {
            return problem_text({"The function is not allowed in an update expression; function: ", node.text});
        }
    }
    return std::nullopt;
}

/// list_append anywhere inside list_append. Calls end in the order of the nodes, so a call's operands come before it.
Problem find_nested_list_append(const Tree &tree)
{
    std::vector<bool> appends(tree.nodes().size()); // holds a list_append, itself included
    for (std::size_t i = 0; i < appends.size(); ++i) {
        const Node &node = tree.nodes()[i];
        if (node.kind != NodeKind::call) {
            continue;
        }
        for (NodeIndex child = node.first_child; child != kNoNode; child = tree[child].next_sibling) {
            appends[i] = appends[i] || appends[child];
        }
        if (node.function == Function::list_append) {
            if (appends[i]) {
                return used_wrongly(node);
            }
            appends[i] = true;
        }
    }
    return std::nullopt;
}

Problem find_repeated_section(const Tree &tree)
{
    for (NodeIndex section = tree.root().first_child; section != kNoNode; section = tree[section].next_sibling) {
        for (NodeIndex earlier = tree.root().first_child; earlier != section; earlier = tree[earlier].next_sibling) {
            if (tree[earlier].text == tree[section].text) {
                return problem_text(
                    {"The \"", tree[section].text, "\" section can only be used once in an update expression;"});
            }
        }
    }
    return std::nullopt;
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
            return problem_text({"Attribute name is a reserved keyword; reserved keyword: ", element.text});
        }
        if (element.kind == PathElement::Kind::index && !is_list_index(element.text)) {
            return problem_text({"List index is not within the allowable range; index: [", element.text, "]"});
        }
    }
    return std::nullopt;
}

constexpr Pass kConditionPasses[] = {find_unknown_function, find_misused_function, find_bad_path_element};
constexpr Pass kUpdatePasses[] = {find_bad_path_element, find_unknown_function, find_function_not_for_updates,
                                  find_nested_list_append, find_repeated_section};
constexpr Pass kProjectionPasses[] = {find_bad_path_element};

std::span<const Pass> passes_of(ExpressionKind kind)
{
    switch (kind) {
    case ExpressionKind::update:
        return kUpdatePasses;
    case ExpressionKind::projection:
        return kProjectionPasses;
    default:
        return kConditionPasses;
    }
}

Result<Tree> parse_grammar(std::string_view text, ExpressionKind kind)
{
    switch (kind) {
    case ExpressionKind::update:
        return parse_update_syntax(text);
    case ExpressionKind::projection:
        return parse_projection_syntax(text);
    default:
        return parse_condition_syntax(text, kind);
    }
}

std::string too_long(std::size_t size_bytes, ExpressionKind kind)
{
    std::string text = "Expression size has exceeded the maximum allowed size;";
    if (kind != ExpressionKind::update) {
        text.append(" expression size: ").append(std::to_string(size_bytes));
    }
    return text;
}

} // namespace

Result<Tree> parse_syntax(std::string_view text, ExpressionKind kind)
{
    if (text.empty()) {
        return fail(invalid_expression(kind, "The expression can not be empty;"));
    }
    if (text.size() > model::kMaxExpressionBytes) {
        return fail(invalid_expression(kind, too_long(text.size(), kind)));
    }
    Result<Tree> tree = parse_grammar(text, kind);
    if (tree) {
        for (const Pass pass : passes_of(kind)) {
            if (const auto problem = pass(*tree)) {
                return fail(invalid_expression(kind, *problem));
            }
        }
    }
    return tree;
}

} // namespace basalt::expression

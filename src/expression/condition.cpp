// The checks that make a condition out of a syntax tree: one pass over the nodes, whose order is that of the text; what
// belongs to one sub-condition stands together there and ends with its own node.
#include "expression/condition.h"

#include "expression/evaluation.h"
#include "expression/operand_check.h"
#include "expression/problem.h"
#include "expression/substitution.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace basalt::expression {

namespace {

Problem check_sub_condition(Tree &tree, std::span<Node> nodes, Placeholders &placeholders)
{
    if (auto problem = substitute(tree, nodes, placeholders)) {
        return problem;
    }
    for (const auto check : {operand_count_problem, equal_operands_problem, operand_type_problem}) {
        for (const Node &node : nodes) {
            if (node.kind >= NodeKind::call) {
                if (auto problem = check(tree, node)) {
                    return problem;
                }
            }
        }
    }
    return std::nullopt;
}

/// In a tree without misused functions every call but size is a sub-condition.
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

} // namespace

Result<Condition> Condition::parse(SyntaxCache &cache, std::string_view text, ExpressionKind kind,
                                   Placeholders &placeholders)
{
    Result<Tree> tree = cache.parse(text, kind);
    if (!tree) {
        return fail(std::move(tree).error());
    }
    if (const auto problem = check_sub_conditions(*tree, placeholders)) {
        return fail(invalid_expression(kind, *problem));
    }
    return Condition(std::move(*tree));
}

Condition::Condition(Tree tree)
    : tree_(std::move(tree)),
      literals_(tree_),
      in_lists_(tree_),
      cost_(tree_.operand_count())
{}

bool Condition::holds(model::MapView item) const
{
    return evaluate(tree_, literals_, in_lists_, item);
}

bool Condition::reaches_into(std::string_view attribute) const noexcept
{
    return std::ranges::any_of(tree_.nodes(), [&](const Node &node) {
        return node.kind == NodeKind::path && node.path_length > 1 && tree_.path(node).front().text == attribute;
    });
}

void Condition::for_each_attribute(function_ref<void(std::string_view)> visit) const
{
    for (const Node &node : tree_.nodes()) {
        if (node.kind == NodeKind::path) {
            visit(tree_.path(node).front().text);
        }
    }
}

} // namespace basalt::expression

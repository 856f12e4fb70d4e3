// Names into paths, values into value nodes.
#include "expression/substitution.h"

#include "expression/problem.h"
#include "model/limits.h"

namespace basalt::expression {

std::optional<std::string> substitute_path(std::span<PathElement> path, Placeholders &placeholders)
{
    for (PathElement &element : path) {
        if (element.kind == PathElement::Kind::placeholder) {
            const auto name = placeholders.name(element.text);
            if (!name) {
                return problem_text(
                    {"An expression attribute name used in the document path is not defined; attribute name: ",
                     element.text});
            }
            element = {PathElement::Kind::attribute, *name};
        }
    }
    if (path.size() > model::kMaxPathDepth) {
        return problem_text(
            {"The document path has too many nesting levels; nesting levels: ", std::to_string(path.size())});
    }
    return std::nullopt;
}

std::optional<std::string> substitute(Tree &tree, std::span<Node> nodes, Placeholders &placeholders)
{
    for (Node &node : nodes) {
        if (node.kind == NodeKind::path) {
            if (auto problem = substitute_path(tree.path(node), placeholders)) {
                return problem;
            }
        } else if (node.kind == NodeKind::value) {
            const auto value = placeholders.value(node.text);
            if (!value) {
                return problem_text(
                    {"An expression attribute value used in expression is not defined; attribute value: ", node.text});
            }
            node.value = value->bytes();
        }
    }
    return std::nullopt;
}

} // namespace basalt::expression

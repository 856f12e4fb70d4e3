// Makes an update of an expression's tree or of legacy entries, and answers what it changes.
#include "expression/update.h"

#include "expression/path_check.h"
#include "expression/substitution.h"
#include "expression/update_check.h"

#include <algorithm>
#include <utility>

namespace basalt::expression {

namespace {

using model::ValueView;
using Kind = UpdateAction::Kind;
using Path = std::span<const PathElement>;

/// Names before values, over the whole text.
std::optional<std::string> substitute_all(Tree &tree, Placeholders &placeholders)
{
    for (const Node &node : tree.nodes()) {
        if (node.kind == NodeKind::path) {
            if (auto problem = substitute_path(tree.path(node), placeholders)) {
                return problem;
            }
        }
    }
    return substitute(tree, tree.nodes(), placeholders);
}

std::optional<UpdateAction> action_of(const Tree &tree, const Node &node)
{
    UpdateAction action;
    switch (node.kind) {
    case NodeKind::set:
        action.kind = Kind::set;
        break;
    case NodeKind::remove:
        return UpdateAction{.kind = Kind::remove};
    case NodeKind::add:
        action.kind = Kind::add;
        break;
    case NodeKind::delete_from:
        action.kind = Kind::delete_from;
        break;
    default:
        return std::nullopt;
    }
    const NodeIndex operand = tree[node.first_child].next_sibling;
    if (tree[operand].kind == NodeKind::value) {
        action.value = tree[operand].value;
    } else {
        action.operand = operand;
    }
    return action;
}

Kind kind_of(const AttributeUpdate &update)
{
    switch (update.action) {
    case AttributeUpdate::Action::put:
        return Kind::set;
    case AttributeUpdate::Action::add:
        return Kind::add;
    case AttributeUpdate::Action::remove:
        break;
    }
    return update.value ? Kind::delete_from : Kind::remove;
}

} // namespace

Update::Update(Tree tree, Projection changed, std::vector<UpdateAction> actions,
               std::vector<std::string_view> attributes, bool legacy)
    : tree_(std::move(tree)),
      reads_(tree_),
      changed_(std::move(changed)),
      actions_(std::move(actions)),
      attributes_(std::move(attributes)),
      cost_(std::max(tree_.operand_count(), static_cast<std::uint32_t>(actions_.size()))),
      legacy_(legacy)
{}

Result<Update> Update::parse(SyntaxCache &cache, std::string_view text, Placeholders &placeholders)
{
    Result<Tree> parsed = cache.parse(text, ExpressionKind::update);
    if (!parsed) {
        return fail(std::move(parsed).error());
    }
    if (const auto problem = substitute_all(*parsed, placeholders)) {
        return fail(invalid_expression(ExpressionKind::update, *problem));
    }
    const Tree &tree = *parsed;
    std::vector<UpdateAction> actions;
    std::vector<Path> paths;
    std::vector<std::string_view> attributes;
    for (const Node &node : tree.nodes()) {
        if (const auto action = action_of(tree, node)) {
            actions.push_back(*action);
            paths.push_back(tree.path(tree[node.first_child]));
            attributes.push_back(paths.back().front().text);
        }
    }
    Projection changed = Projection::of_paths(paths);
    auto problem = path_pair_problem(changed.paths(), paths);
    if (!problem) {
        problem = update_operand_problem(tree);
    }
    if (problem) {
        return fail(invalid_expression(ExpressionKind::update, *problem));
    }
    return Update(*std::move(parsed), std::move(changed), std::move(actions), std::move(attributes), false);
}

Update Update::of_attribute_updates(std::span<const AttributeUpdate> updates)
{
    std::vector<UpdateAction> actions;
    std::vector<std::string_view> attributes;
    actions.reserve(updates.size());
    attributes.reserve(updates.size());
    for (const AttributeUpdate &update : updates) {
        actions.push_back({.kind = kind_of(update), .value = update.value ? update.value->bytes() : Bytes()});
        attributes.push_back(update.attribute);
    }
    Projection changed = Projection::of_attributes(attributes);
    return Update(Tree(), std::move(changed), std::move(actions), std::move(attributes), true);
}

bool Update::reaches_into(std::string_view attribute) const noexcept
{
    const PathTree::Step *read = reads_.paths().find(reads_.paths().root(), attribute);
    return changed_.reaches_into(attribute) || (read != nullptr && read->has_below());
}

const UpdateAction *Update::action_at(std::string_view attribute) const
{
    const PathTree &paths = changed_.paths();
    const PathTree::Step *step = paths.find(paths.root(), attribute);
    return step == nullptr || step->path == PathTree::kNoPath ? nullptr : &actions_[step->path];
}

std::optional<ValueView> Update::assigned_value(std::string_view attribute) const
{
    const UpdateAction *action = action_at(attribute);
    return action != nullptr && action->kind == Kind::set && !action->value.empty()
               ? std::optional(ValueView(action->value))
               : std::nullopt;
}

std::optional<model::AttributeType> Update::assigned_type(std::string_view attribute) const
{
    const UpdateAction *action = action_at(attribute);
    if (action == nullptr) {
        return std::nullopt;
    }
    if (!action->value.empty()) {
        return ValueView(action->value).type();
    }
    if (action->operand == kNoNode) {
        return std::nullopt;
    }
    const Node &operand = tree_[action->operand];
    if (operand.kind == NodeKind::sum || operand.kind == NodeKind::difference) {
        return model::AttributeType::number;
    }
    return operand.kind == NodeKind::call && operand.function == Function::list_append
               ? std::optional(model::AttributeType::list)
               : std::nullopt;
}

bool Update::creates_item() const noexcept
{
    return actions_.empty() || std::ranges::any_of(actions_, [](const UpdateAction &action) {
               return action.kind == Kind::set || action.kind == Kind::add;
           });
}

} // namespace basalt::expression

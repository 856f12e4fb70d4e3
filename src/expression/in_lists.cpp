#include "expression/in_lists.h"

#include "expression/value_order.h"

#include <algorithm>

namespace basalt::expression {

namespace {

// Below, looking at each is as fast.
constexpr std::uint16_t kFewOperands = 16;

/// The operands behind the first, sorted; empty if one of them is no literal scalar.
std::vector<Bytes> scalar_operands(const Tree &tree, const Node &in)
{
    std::vector<Bytes> values;
    values.reserve(in.child_count);
    for (NodeIndex child = tree[in.first_child].next_sibling; child != kNoNode; child = tree[child].next_sibling) {
        const Node &operand = tree[child];
        if (operand.kind != NodeKind::value || is_container(model::ValueView(operand.value).type())) {
            return {};
        }
        values.push_back(operand.value);
    }
    std::ranges::sort(values);
    return values;
}

} // namespace

InLists::InLists(const Tree &tree)
{
    for (const Node &node : tree.nodes()) {
        if (node.kind == NodeKind::in && node.child_count > kFewOperands) {
            if (auto values = scalar_operands(tree, node); !values.empty()) {
                lists_.push_back({node.first_child, std::move(values)});
            }
        }
    }
    std::ranges::sort(lists_, {}, &List::first_child);
}

std::optional<bool> InLists::contains(const Node &in, model::ValueView value) const
{
    const auto list = std::ranges::lower_bound(lists_, in.first_child, {}, &List::first_child);
    if (list == lists_.end() || list->first_child != in.first_child) {
        return std::nullopt;
    }
    return std::ranges::binary_search(list->values, value.bytes());
}

} // namespace basalt::expression

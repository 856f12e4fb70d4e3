// Walks the condition from its root. Operands are views into the item, the request or, for size, a buffer on the stack.
#include "expression/evaluation.h"

#include "base/check.h"
#include "expression/value_equality.h"
#include "expression/value_order.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace basalt::expression {

namespace {

using model::AttributeType;
using model::ValueView;

/// Room for an encoded number: type, length and the digits of a 32-bit integer.
using NumberBuffer = std::array<char, 12>;

ValueView encode_number(std::uint32_t number, NumberBuffer &buffer)
{
    char *const digits = buffer.data() + 2;
    const char *const end = std::to_chars(digits, buffer.data() + buffer.size(), number).ptr;
    buffer[0] = static_cast<char>(AttributeType::number);
    buffer[1] = static_cast<char>(end - digits);
    return ValueView(Bytes(buffer.data(), static_cast<std::size_t>(end - buffer.data())));
}

/// What the service counts as characters: a character outside the basic plane, which takes four bytes, counts twice.
std::uint32_t utf16_units(std::string_view utf8)
{
    std::uint32_t units = 0;
    for (const char c : utf8) {
        const auto byte = static_cast<unsigned char>(c);
        units += static_cast<std::uint32_t>((byte & 0xC0U) != 0x80U) + static_cast<std::uint32_t>(byte >= 0xF0U);
    }
    return units;
}

std::optional<std::uint32_t> size_of(ValueView value)
{
    switch (value.type()) {
    case AttributeType::string:
        return utf16_units(value.text());
    case AttributeType::binary:
        return static_cast<std::uint32_t>(value.text().size());
    case AttributeType::map:
        return value.map().count();
    case AttributeType::list:
        return value.list().count();
    case AttributeType::string_set:
    case AttributeType::number_set:
    case AttributeType::binary_set:
        return value.set().count();
    default:
        return std::nullopt;
    }
}

std::optional<ValueView> element_at(model::ListView list, std::string_view digits)
{
    std::uint32_t index = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (parsed.ec != std::errc{} || index >= list.count()) {
        return std::nullopt;
    }
    auto at = list.begin();
    for (; index > 0; --index) {
        ++at;
    }
    return *at;
}

bool is_text_or_binary(AttributeType type) noexcept
{
    return type == AttributeType::string || type == AttributeType::binary;
}

bool begins_with(ValueView value, ValueView prefix)
{
    return value.type() == prefix.type() && is_text_or_binary(value.type()) && value.text().starts_with(prefix.text());
}

/// Linear for any input, which string_view::find is not.
bool has_part(Bytes text, Bytes part)
{
    return part.empty() || ::memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

bool is_member(ValueView set, ValueView member)
{
    const Bytes wanted = member.text();
    for (const Bytes found : set.set()) {
        if (found == wanted) {
            return true;
        }
    }
    return false;
}

bool is_element(model::ListView list, ValueView wanted, ValueEquality &equal)
{
    for (const ValueView element : list) {
        if (equal(element, wanted)) {
            return true;
        }
    }
    return false;
}

bool contains(ValueView container, ValueView part, ValueEquality &equal)
{
    switch (container.type()) {
    case AttributeType::string:
    case AttributeType::binary:
        return part.type() == container.type() && has_part(container.text(), part.text());
    case AttributeType::string_set:
        return part.type() == AttributeType::string && is_member(container, part);
    case AttributeType::number_set:
        return part.type() == AttributeType::number && is_member(container, part);
    case AttributeType::binary_set:
        return part.type() == AttributeType::binary && is_member(container, part);
    case AttributeType::list:
        return is_element(container.list(), part, equal);
    default:
        return false;
    }
}

bool compares(Comparator comparator, ValueView left, ValueView right, ValueEquality &equal)
{
    switch (comparator) {
    case Comparator::equal:
        return equal(left, right);
    case Comparator::not_equal:
        return !equal(left, right);
    case Comparator::less:
        return compare_values(left, right) < 0;
    case Comparator::less_or_equal:
        return compare_values(left, right) <= 0;
    case Comparator::greater:
        return compare_values(left, right) > 0;
    case Comparator::greater_or_equal:
        return compare_values(left, right) >= 0;
    }
    return false;
}

/// One condition on one item.
class Evaluation {
public:
    Evaluation(const Tree &tree, const LiteralFingerprints &literals, const InLists &in_lists, model::MapView item)
        : tree_(tree),
          in_lists_(in_lists),
          item_(item),
          equal_(literals)
    {}

    [[nodiscard]] bool holds(const Node &node)
    {
        switch (node.kind) {
        case NodeKind::conjunction:
            return every(node, true);
        case NodeKind::disjunction:
            return !every(node, false);
        case NodeKind::negation:
            return !holds(tree_[node.first_child]);
        case NodeKind::comparison:
            return comparison(node);
        case NodeKind::between:
            return between(node);
        case NodeKind::in:
            return in(node);
        case NodeKind::call:
            return call(node);
        default:
            BASALT_CHECK(false && "an operand is no condition");
            return false;
        }
    }

private:
    /// Whether each child's outcome is that one; stops at the first other.
    [[nodiscard]] bool every(const Node &node, bool outcome)
    {
        for (NodeIndex child = node.first_child; child != kNoNode; child = tree_[child].next_sibling) {
            if (holds(tree_[child]) != outcome) {
                return false;
            }
        }
        return true;
    }

    /// buffer: keeps the value of a size.
    [[nodiscard]] std::optional<ValueView> operand(const Node &node, NumberBuffer &buffer) const
    {
        switch (node.kind) {
        case NodeKind::path:
            return find_path(item_, tree_.path(node));
        case NodeKind::value:
            return ValueView(node.value);
        default: {
            BASALT_CHECK(node.kind == NodeKind::call && node.function == Function::size);
            const auto value = operand(tree_[node.first_child], buffer);
            const auto size = value ? size_of(*value) : std::nullopt;
            return size ? std::optional(encode_number(*size, buffer)) : std::nullopt;
        }
        }
    }

    [[nodiscard]] bool comparison(const Node &node)
    {
        NumberBuffer left_buffer;
        NumberBuffer right_buffer;
        const Node &first = tree_[node.first_child];
        const auto left = operand(first, left_buffer);
        const auto right = left ? operand(tree_[first.next_sibling], right_buffer) : std::nullopt;
        return right ? compares(node.comparator, *left, *right, equal_) : node.comparator == Comparator::not_equal;
    }

    [[nodiscard]] bool between(const Node &node) const
    {
        NumberBuffer buffer;
        NumberBuffer bound_buffer;
        const Node &first = tree_[node.first_child];
        const Node &second = tree_[first.next_sibling];
        const auto value = operand(first, buffer);
        if (!value) {
            return false;
        }
        const auto lower = operand(second, bound_buffer);
        if (!lower || !(compare_values(*lower, *value) <= 0)) {
            return false;
        }
        const auto upper = operand(tree_[second.next_sibling], bound_buffer);
        return upper && compare_values(*value, *upper) <= 0;
    }

    [[nodiscard]] bool in(const Node &node)
    {
        NumberBuffer buffer;
        const Node &first = tree_[node.first_child];
        const auto value = operand(first, buffer);
        if (!value) {
            return false;
        }
        if (const auto found = in_lists_.contains(node, *value)) {
            return *found;
        }
        for (NodeIndex child = first.next_sibling; child != kNoNode; child = tree_[child].next_sibling) {
            NumberBuffer other_buffer;
            const auto other = operand(tree_[child], other_buffer);
            if (other && equal_(*value, *other)) {
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] bool call(const Node &node)
    {
        NumberBuffer buffer;
        const Node &first = tree_[node.first_child];
        const auto value = operand(first, buffer);
        if (node.function == Function::attribute_exists || node.function == Function::attribute_not_exists) {
            return value.has_value() == (node.function == Function::attribute_exists);
        }
        NumberBuffer argument_buffer;
        const auto argument = value ? operand(tree_[first.next_sibling], argument_buffer) : std::nullopt;
        if (!argument) {
            return false;
        }
        switch (node.function) {
        case Function::attribute_type:
            return argument->type() == AttributeType::string && model::type_name(value->type()) == argument->text();
        case Function::begins_with:
            return begins_with(*value, *argument);
        case Function::contains:
            return contains(*value, *argument, equal_);
        default:
            BASALT_CHECK(false && "no function of conditions");
            return false;
        }
    }

    const Tree &tree_;
    const InLists &in_lists_;
    const model::MapView item_;
    ValueEquality equal_;
};

} // namespace

std::optional<ValueView> find_path(model::MapView item, std::span<const PathElement> path)
{
    BASALT_CHECK(!path.empty() && path.front().kind == PathElement::Kind::attribute);
    auto value = item.find(path.front().text);
    for (const PathElement &step : path.subspan(1)) {
        if (!value) {
            return std::nullopt;
        }
        if (step.kind == PathElement::Kind::index) {
            value = value->type() == AttributeType::list ? element_at(value->list(), step.text) : std::nullopt;
        } else {
            value = value->type() == AttributeType::map ? value->map().find(step.text) : std::nullopt;
        }
    }
    return value;
}

bool evaluate(const Tree &tree, const LiteralFingerprints &literals, const InLists &in_lists, model::MapView item)
{
    return Evaluation(tree, literals, in_lists, item).holds(tree.root());
}

} // namespace basalt::expression

// check_constraints: walks an input with its shapes and words what the model does not allow. Nothing is allocated
// unless something failed.
#include "protocol/conversion.h"
#include "protocol/document.h"
#include "protocol/table_name.h"
#include "protocol/value_text.h"

#include <algorithm>
#include <array>
#include <string>

namespace basalt::protocol {
namespace {

using Type = Shape::Type;

constexpr int kMaxReported = 10;
constexpr std::int64_t kMaxArnLength = 1024;

/// One step from the input to a value; a chain of them lives on the stack of the walk.
struct Path {
    const Path *parent = nullptr;
    std::string_view name; // of a member or the key of an entry
    std::size_t index = 0; // of an element, from 1
    bool is_member = false;
};

void append_path(const Path &path, bool lower_first, std::string &out)
{
    if (path.parent != nullptr) {
        append_path(*path.parent, lower_first, out);
        out += '.';
    }
    if (path.is_member) {
        if (lower_first) {
            append_lower_first(path.name, out);
        } else {
            out += path.name;
        }
    } else if (path.index != 0) {
        out.append(std::to_string(path.index)).append(".member");
    } else {
        out.append(path.name).append(".member");
    }
}

/// Which of a shape's own constraints a value breaks.
struct Broken {
    bool not_in_enum = false;
    bool pattern = false;
    bool min = false;
    bool max = false;
    [[nodiscard]] bool any() const noexcept { return not_in_enum || pattern || min || max; }
};

Broken check_size(const Shape &shape, std::int64_t size) noexcept
{
    return {false, false, shape.min != Shape::kNoMin && size < shape.min,
            shape.max != Shape::kNoMax && size > shape.max};
}

Broken check_text(const Shape &shape, std::string_view text)
{
    if (shape.name_rule != Shape::NameRule::none && is_arn(text)) {
        return {false, false, false, static_cast<std::int64_t>(text.size()) > kMaxArnLength};
    }
    Broken broken;
    const auto bytes = static_cast<std::int64_t>(text.size());
    if (bytes > shape.max || (shape.min != Shape::kNoMin && bytes < shape.min * 4)) {
        broken = check_size(shape, static_cast<std::int64_t>(utf16_length(text)));
    }
    broken.not_in_enum =
        !shape.enum_values.empty() && std::ranges::find(shape.enum_values, text) == shape.enum_values.end();
    broken.pattern = !matches_pattern(shape, text);
    return broken;
}

/// Without what is inside the value.
Broken check_own(const Shape &shape, const Node &node)
{
    switch (node.kind()) {
    case Node::Kind::string:
        return check_text(shape, node.text());
    case Node::Kind::integer:
        return check_size(shape, node.integer());
    case Node::Kind::list:
        return check_size(shape, static_cast<std::int64_t>(node.elements().size()));
    case Node::Kind::map:
        return check_size(shape, static_cast<std::int64_t>(node.entries().size()));
    default:
        return {};
    }
}

std::string bound_text(const Shape &shape, bool is_min)
{
    const bool is_number = shape.type == Type::integer || shape.type == Type::long_integer;
    std::string text = is_number ? "Member must have value " : "Member must have length ";
    text += is_min ? "greater than or equal to " : "less than or equal to ";
    return text += std::to_string(is_min ? shape.min : shape.max);
}

std::string enum_text(const Shape &shape)
{
    std::string text = "Member must satisfy enum value set: [";
    for (const auto value : shape.enum_values) {
        text.append(value).append(value.data() == shape.enum_values.back().data() ? "]" : ", ");
    }
    return text;
}

std::string pattern_text(const Shape &shape)
{
    return std::string("Member must satisfy regular expression pattern: ").append(shape.pattern);
}

/// All constraints of a shape, as they are printed when one of them is broken inside a list or map.
std::string all_constraints_text(const Shape &shape)
{
    std::string text;
    const auto add = [&text](bool present, auto &&make) {
        if (present) {
            text.append(text.empty() ? "[" : ", ").append(make());
        }
    };
    add(shape.max != Shape::kNoMax, [&] { return bound_text(shape, false); });
    add(shape.min != Shape::kNoMin, [&] { return bound_text(shape, true); });
    add(!shape.pattern.empty(), [&] { return pattern_text(shape); });
    add(!shape.enum_values.empty(), [&] { return enum_text(shape); });
    return text += ']';
}

/// The walk and the message that it makes.
class ConstraintCheck {
public:
    void structure(const Shape &shape, const Node &node, const Path *path);
    [[nodiscard]] Result<void> finish();

private:
    [[nodiscard]] bool full() const noexcept { return count_ >= kMaxReported; }
    void value(const Shape &shape, const Node &node, const Path &path, Member::BareBound bare);
    void inside(const Shape &shape, const Node &node, const Path &path);
    void list(const Shape &shape, const Node &node, const Path &path);
    void map(const Shape &shape, const Node &node, const Path &path);
    void add(const Shape &shape, const Node &node, const Path &path, std::string_view constraint);
    void add_bare(const Path &path, std::string_view constraint);
    void begin_item();

    std::string items_;
    int count_ = 0;
};

void ConstraintCheck::begin_item()
{
    if (count_++ != 0) {
        items_ += "; ";
    }
    items_ += "Value ";
}

void ConstraintCheck::add(const Shape &shape, const Node &node, const Path &path, std::string_view constraint)
{
    if (full()) {
        return;
    }
    begin_item();
    if (node) {
        items_ += '\'';
        append_value_text(shape, node, items_);
        items_ += '\'';
    } else {
        items_ += "null";
    }
    items_ += " at '";
    append_path(path, true, items_);
    items_.append("' failed to satisfy constraint: ").append(constraint);
}

void ConstraintCheck::add_bare(const Path &path, std::string_view constraint)
{
    if (full()) {
        return;
    }
    begin_item();
    items_ += "at '";
    append_path(path, false, items_);
    items_.append("' failed to satisfy constraint: ").append(constraint);
}

void ConstraintCheck::structure(const Shape &shape, const Node &node, const Path *path)
{
    for (const auto position : shape.report_order) {
        if (full()) {
            return;
        }
        const Member &member = shape.members[position];
        if (!member.required && !member.shape->constrained) {
            continue;
        }
        const Path here{path, member.name, 0, true};
        const Node &given = node[position];
        if (given) {
            value(*member.shape, given, here, member.bare);
        } else if (member.required) {
            add(*member.shape, given, here, "Member must not be null");
        }
    }
}

void ConstraintCheck::value(const Shape &shape, const Node &node, const Path &path, Member::BareBound bare)
{
    if (!shape.constrained) {
        return;
    }
    const Broken broken = check_own(shape, node);
    if (broken.any()) {
        const auto add_bound = [&](bool is_min) {
            if (bare == (is_min ? Member::BareBound::min : Member::BareBound::max)) {
                add_bare(path, bound_text(shape, is_min));
            } else {
                add(shape, node, path, bound_text(shape, is_min));
            }
        };
        if (broken.not_in_enum) {
            add(shape, node, path, enum_text(shape));
        }
        if (broken.pattern) {
            add(shape, node, path, pattern_text(shape));
        }
        if (broken.min) {
            add_bound(true);
        }
        if (broken.max) {
            add_bound(false);
        }
    }
    inside(shape, node, path);
}

void ConstraintCheck::inside(const Shape &shape, const Node &node, const Path &path)
{
    switch (node.kind()) {
    case Node::Kind::structure:
        structure(shape, node, &path);
        return;
    case Node::Kind::list:
        list(shape, node, path);
        return;
    case Node::Kind::map:
        map(shape, node, path);
        return;
    case Node::Kind::attributes:
        if (node.has_overlong_name() && shape.key->max != Shape::kNoMax) {
            add(shape, node, path, "Map keys must satisfy constraint: " + all_constraints_text(*shape.key));
        }
        return;
    default:
        return;
    }
}

void ConstraintCheck::list(const Shape &shape, const Node &node, const Path &path)
{
    const auto elements = node.elements();
    const auto breaks = [&](const Node &element) { return check_own(*shape.element, element).any(); };
    if (std::ranges::any_of(elements, breaks)) {
        add(shape, node, path, "Member must satisfy constraint: " + all_constraints_text(*shape.element));
    }
    for (std::size_t i = 0; i < elements.size() && !full(); ++i) {
        const Path here{&path, {}, i + 1, false};
        if (!elements[i]) {
            add(*shape.element, elements[i], here, "Member must not be null");
        } else if (shape.element->constrained) {
            inside(*shape.element, elements[i], here);
        }
    }
}

void ConstraintCheck::map(const Shape &shape, const Node &node, const Path &path)
{
    const auto entries = node.entries();
    if (shape.key->constrained &&
        std::ranges::any_of(entries, [&](const NodeEntry &entry) { return check_text(*shape.key, entry.key).any(); })) {
        add(shape, node, path, "Map keys must satisfy constraint: " + all_constraints_text(*shape.key));
    }
    if (shape.element->constrained && std::ranges::any_of(entries, [&](const NodeEntry &entry) {
            return check_own(*shape.element, entry.value).any();
        })) {
        add(shape, node, path, "Map value must satisfy constraint: " + all_constraints_text(*shape.element));
    }
    for (const auto &[key, value] : entries) {
        if (full()) {
            return;
        }
        const Path here{&path, key, 0, false};
        if (!value) {
            add(*shape.element, value, here, "Member must not be null");
        } else if (shape.element->constrained) {
            inside(*shape.element, value, here);
        }
    }
}

Result<void> ConstraintCheck::finish()
{
    if (count_ == 0) {
        return {};
    }
    std::string message = std::to_string(count_);
    message += count_ == 1 ? " validation error detected: " : " validation errors detected: ";
    return fail(ErrorCode::validation, message += items_);
}

} // namespace

Result<void> check_constraints(const OperationModel &operation, const Node &input)
{
    const auto members = operation.input->members;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i].shape->name_rule == Shape::NameRule::control && (members[i].required || input[i])) {
            if (auto checked = check_control_table_name(input[i]); !checked) {
                return checked;
            }
        }
    }
    ConstraintCheck check;
    check.structure(*operation.input, input, nullptr);
    return check.finish();
}

} // namespace basalt::protocol

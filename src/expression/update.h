// UpdateExpression and AttributeUpdates: what an update changes, and the item that comes out of it.
#pragma once

#include "basalt/result.h"
#include "base/bytes.h"
#include "expression/placeholders.h"
#include "expression/projection.h"
#include "expression/syntax_cache.h"
#include "expression/tree.h"
#include "expression/update_operand.h"
#include "model/item_view.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::expression {

/// One entry of the legacy parameter AttributeUpdates. The attribute's name is taken literally, dots included.
struct AttributeUpdate {
    enum class Action : std::uint8_t { put, add, remove };
    std::string_view attribute;
    Action action = Action::put;
    std::optional<model::ValueView> value = {}; // remove without a value takes the attribute away
};

/// One change at the end of one path.
struct UpdateAction {
    enum class Kind : std::uint8_t { set, remove, add, delete_from };
    Kind kind = Kind::set;
    NodeIndex operand = kNoNode; // set by an expression: its new value
    Bytes value = {};            // an encoded value that the request gives literally; none: operand, or remove
};

/// Views into the request. Immutable; may be applied by several threads.
class Update {
public:
    /// Parses, substitutes the placeholders (and marks them as used) and checks all that needs no item. Errors
    /// (validation), the service's texts, the first of: syntax, reserved words, unknown functions, a section used
    /// twice, undefined names, undefined values, overlapping paths, conflicting paths, operand of ADD or DELETE,
    /// operands of functions and of + and -.
    [[nodiscard]] static Result<Update> parse(SyntaxCache &cache, std::string_view text, Placeholders &placeholders);

    /// Entries that have been checked (legacy.h), each for another attribute.
    [[nodiscard]] static Update of_attribute_updates(std::span<const AttributeUpdate> updates);

    /// The top-level attributes that the actions change, in the order of the text; an attribute may repeat.
    [[nodiscard]] std::span<const std::string_view> attributes() const noexcept { return attributes_; }

    /// Whether a path that an action changes or reads goes into that top-level attribute by '.' or '[]'.
    [[nodiscard]] bool reaches_into(std::string_view attribute) const noexcept;

    /// The value that an action gives to that whole top-level attribute, if it is written in the request and does not
    /// depend on the item.
    [[nodiscard]] std::optional<model::ValueView> assigned_value(std::string_view attribute) const;

    /// The type that an action gives to that whole top-level attribute, if the request alone decides it: that of a
    /// value, a number for + and -, a list for list_append, the operand's for ADD and DELETE.
    [[nodiscard]] std::optional<model::AttributeType> assigned_type(std::string_view attribute) const;

    /// Whether applying it to an item that does not exist makes one: not if all it does is to REMOVE and DELETE. No
    /// action at all makes one.
    [[nodiscard]] bool creates_item() const noexcept;

    /// Appends to out the encoded item after the update. item: the old item, or the key attributes alone if there is
    /// none; all actions read it as it was. Attributes keep their order, new ones follow in the order of the actions.
    /// The result's nesting is checked; its size is not, except that what is many times too large is not built. Errors
    /// (validation), the service's texts: a path that is not there is read; an invalid path for update; an operand of
    /// the wrong type; numbers out of range; nesting too deep; size. out is then as it was. About linear in the sizes
    /// of the item and the result.
    [[nodiscard]] Result<void> apply(model::MapView item, bool exists, std::string &out) const;

    /// Paths and values, or entries of AttributeUpdates; at least 1. The unit is that of Condition::cost(), as an upper
    /// bound: apply() walks the item twice for all paths together.
    [[nodiscard]] std::uint32_t cost() const noexcept { return cost_; }

    /// The paths that the actions change, for UPDATED_OLD and UPDATED_NEW.
    [[nodiscard]] const Projection &changed_parts() const noexcept { return changed_; }

private:
    Update(Tree tree, Projection changed, std::vector<UpdateAction> actions, std::vector<std::string_view> attributes,
           bool legacy);

    /// The action at a whole top-level attribute; without overlapping paths there is at most one.
    [[nodiscard]] const UpdateAction *action_at(std::string_view attribute) const;

    Tree tree_;
    OperandPaths reads_;
    Projection changed_; // its paths are numbered like the actions
    std::vector<UpdateAction> actions_;
    std::vector<std::string_view> attributes_; // by action
    std::uint32_t cost_ = 0;
    bool legacy_ = false;
};

} // namespace basalt::expression

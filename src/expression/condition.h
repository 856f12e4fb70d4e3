// A condition or filter that is ready to be evaluated: a syntax tree whose names, functions, placeholders and operands
// have been checked.
#pragma once

#include "basalt/result.h"
#include "base/function_ref.h"
#include "expression/expression_kind.h"
#include "expression/fingerprint.h"
#include "expression/in_lists.h"
#include "expression/placeholders.h"
#include "expression/syntax_cache.h"
#include "expression/tree.h"
#include "model/item_view.h"

#include <cstdint>
#include <string_view>

namespace basalt::expression {

/// Views into the request's text, names and values. Immutable; may be evaluated by several threads.
class Condition {
public:
    /// Parses, substitutes the placeholders (and marks them as used) and checks all that needs no item. Errors
    /// (validation), the service's texts: those of SyntaxCache::parse; then, for each comparison, BETWEEN, IN or
    /// function from left to right: undefined placeholders, number of operands, equal operands, operand types.
    [[nodiscard]] static Result<Condition> parse(SyntaxCache &cache, std::string_view text, ExpressionKind kind,
                                                 Placeholders &placeholders);

    /// A tree that is complete and correct already.
    explicit Condition(Tree tree);

    /// item: an item's attributes; an empty map stands for an item that does not exist. Recursion is bounded by the
    /// parser.
    [[nodiscard]] bool holds(model::MapView item) const;

    /// The top-level attribute that each path starts with, in the order of the text, repeated ones too.
    void for_each_attribute(function_ref<void(std::string_view)> visit) const;

    /// Whether a path goes into that top-level attribute by '.' or '[]'.
    [[nodiscard]] bool reaches_into(std::string_view attribute) const noexcept;

    /// Paths and values, at least 1. Times (1 + item bytes / 64): evaluation on that item in steps of about 5
    /// nanoseconds. Measured: a third of that if attributes have 100 bytes, up to seven times if they are of the
    /// smallest kind. More only where large sets or maps equal those of the request in another order: sorting them
    /// takes about 150 nanoseconds for each member of both, once for each distinct value.
    [[nodiscard]] std::uint32_t cost() const noexcept { return cost_; }

    [[nodiscard]] const Tree &tree() const noexcept { return tree_; }

private:
    Tree tree_;
    LiteralFingerprints literals_;
    InLists in_lists_;
    std::uint32_t cost_;
};

} // namespace basalt::expression

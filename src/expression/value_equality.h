// Equality of attribute values as expressions see it: same type; numbers by value, sets without order, maps by content,
// lists element by element.
#pragma once

#include "expression/fingerprint.h"
#include "model/item_view.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace basalt::expression {

/// Compares the values of one evaluation and remembers what it learns about large ones, by address: however often a
/// value is compared, it is hashed once and, only if it has met a value of the same fingerprint, sorted once. What is
/// kept is not larger than those values. All values and literals must outlive it. Used by one thread.
class ValueEquality {
public:
    explicit ValueEquality(const LiteralFingerprints &literals)
        : literals_(literals)
    {}
    ValueEquality(const ValueEquality &) = delete;
    ValueEquality &operator=(const ValueEquality &) = delete;

    /// Recursion is bounded by the nesting of values.
    [[nodiscard]] bool operator()(model::ValueView left, model::ValueView right);

private:
    struct Known {
        std::optional<std::uint64_t> fingerprint;
        std::string canonical; // empty: not made yet
    };

    [[nodiscard]] std::uint64_t fingerprint_of(model::ValueView value);
    [[nodiscard]] const std::string &canonical_of(model::ValueView value);

    const LiteralFingerprints &literals_;
    std::map<const char *, Known> known_; // by the address of the encoding
};

} // namespace basalt::expression

// Hashes of attribute values by what they mean, not by how they are written.
#pragma once

#include "expression/tree.h"
#include "model/item_view.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace basalt::expression {

/// Equal values have equal fingerprints, whatever the order of their sets and maps; different ones almost never, and
/// nobody outside can make them so: the hash depends on a random number of the process. Not to be kept. One pass;
/// recursion is bounded by the nesting of values.
[[nodiscard]] std::uint64_t fingerprint(model::ValueView value);

/// Encodings up to this length are compared faster than they are hashed.
inline constexpr std::size_t kMaxFewBytes = 64;

/// Of the sets, maps and lists over kMaxFewBytes that a request gives: made once, used for every item. Immutable.
class LiteralFingerprints {
public:
    /// Placeholders are substituted. One pass over each value, however often the tree names it.
    explicit LiteralFingerprints(const Tree &tree);

    /// Of a value of the tree itself; nothing for all others.
    [[nodiscard]] std::optional<std::uint64_t> find(model::ValueView value) const;

private:
    struct Literal {
        const char *address; // of the encoding
        std::uint64_t fingerprint;
    };
    std::vector<Literal> literals_; // by address
};

} // namespace basalt::expression

// Which units of a history must have taken effect before which others, and why.
#pragma once

#include "linearizability/history.h"

#include <string>
#include <vector>

namespace basalt::linearizability {

enum class Reason : std::uint8_t {
    real_time, // it had completed when the other was invoked
    read,      // the other saw what it wrote
    overwrote, // the other replaced what it wrote
    missed,    // it saw a value that the other replaced, at once or later
};

struct Precedence {
    std::size_t before;
    std::size_t after;
    Reason reason;
    std::uint8_t item = 0; // not with real_time
};

struct Precedences {
    std::vector<Precedence> edges;
    /// Values that nobody can have written, one line each.
    std::string strangers;
};

/// Every edge holds in all orders that explain the units.
[[nodiscard]] Precedences find_precedences(const History &units);

} // namespace basalt::linearizability

// Whether one order of a history's operations explains everything that was seen: linearisability of a single item,
// strict serialisability of several together.
#pragma once

#include "linearizability/history.h"

#include <cstdint>
#include <string>

namespace basalt::linearizability {

enum class Verdict : std::uint8_t { ordered, violated, undecided };

struct OrderJudgement {
    Verdict verdict = Verdict::ordered;
    /// If not ordered: the operation that found no place, with those around it.
    std::string evidence = {};
    std::uint64_t steps = 0;
};

/// Goes through the units (see atomic_units) in time and keeps every configuration they can have led to: the states of
/// the items, and which of the operations under way have taken effect. Each operation takes effect as late as possible:
/// when one completes. Undecided: after step_limit tries, or with more than 64 units under way at once.
[[nodiscard]] OrderJudgement check_order(const History &units, std::uint64_t step_limit);

} // namespace basalt::linearizability

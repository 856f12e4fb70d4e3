// Cycles among operations that must each have come before the next: the evidence against a history with transactions,
// after Adya. It needs no limit, and finds fewer violations than check_order, as versions may have an order that nobody
// saw.
#pragma once

#include "linearizability/history.h"

#include <string>

namespace basalt::linearizability {

struct CycleJudgement {
    bool sound = true;
    /// If not: a shortest cycle, or a value that came from nowhere.
    std::string evidence = {};
};

/// Takes units (see atomic_units).
[[nodiscard]] CycleJudgement check_cycles(const History &units);

} // namespace basalt::linearizability

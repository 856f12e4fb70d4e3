// Opening a Database over given parts: what tests use to put in a clock, a slowed file system or another backend.
#pragma once

#include "basalt/database.h"
#include "base/clock.h"
#include "base/random.h"
#include "storage/store.h"

#include <memory>

namespace basalt {

struct DatabaseParts {
    std::unique_ptr<storage::Store> store;
    std::unique_ptr<Clock> clock;
    std::unique_ptr<RandomSource> random;
};

/// The way into Database's private constructor.
struct DatabaseAccess {
    static Result<std::unique_ptr<Database>> open(Options options, DatabaseParts parts);
};

/// options.data_dir, in_memory, durability and the budget are the store's business and not looked at.
[[nodiscard]] Result<std::unique_ptr<Database>> open_over(Options options, DatabaseParts parts);

} // namespace basalt

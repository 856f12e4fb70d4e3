// Opening a Database over given parts: what tests use to put in a clock, a slowed file system or another backend.
#pragma once

#include "basalt/database.h"
#include "base/clock.h"
#include "base/random.h"
#include "storage/store.h"

#include <functional>
#include <memory>

namespace basalt {

struct DatabaseParts {
    using OpenStore = std::function<Result<std::unique_ptr<storage::Store>>()>;

    std::unique_ptr<storage::Store> store;
    std::unique_ptr<Clock> clock;
    std::unique_ptr<RandomSource> random;
    /// Opens the store again after it has failed and was closed. Null: then it stays failed.
    OpenStore open_again = nullptr;
};

/// The way into Database's private constructor.
struct DatabaseAccess {
    static Result<std::unique_ptr<Database>> open(Options options, DatabaseParts parts);
};

/// options.data_dir, in_memory, durability and the budget are the store's business and not looked at.
[[nodiscard]] Result<std::unique_ptr<Database>> open_over(Options options, DatabaseParts parts);

} // namespace basalt

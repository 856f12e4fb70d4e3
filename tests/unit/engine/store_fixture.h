// The two backends that engine tests run on, and short forms for tables and items.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "codec/item_encoding.h"
#include "engine/engine.h"
#include "model/table_description.h"
#include "storage/store.h"
#include "unit/engine/watched_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace basalt::engine {

enum class Backend : std::uint8_t { rocksdb_in_memory, toy };

[[nodiscard]] std::unique_ptr<storage::Store> open_backend(Backend backend);
/// How often a body runs that may wait.
[[nodiscard]] constexpr int runs_of_a_body(Backend backend)
{
    return backend == Backend::toy ? 2 : 1;
}

/// Counts up, so that identifiers differ and are the same in each run.
class CountingRandom final : public RandomSource {
public:
    [[nodiscard]] std::uint64_t next() override { return next_.fetch_add(0x9E37'79B9'7F4A'7C15ULL); }

private:
    std::atomic<std::uint64_t> next_ = 1;
};

/// A store of the backend under test with a clock that only the test moves.
class BackendTest : public testing::TestWithParam<Backend> {
protected:
    static constexpr std::int64_t kStartMs = 1'700'000'000'000;

    ManualClock clock_{kStartMs};
    CountingRandom random_;
    WatchedStore store_{open_backend(GetParam())};
};

[[nodiscard]] std::string backend_name(const testing::TestParamInfo<Backend> &info);

#define BASALT_ON_BOTH_BACKENDS(suite)                                                                                 \
    INSTANTIATE_TEST_SUITE_P(Backends, suite, testing::Values(Backend::rocksdb_in_memory, Backend::toy), backend_name)

/// A table with string keys "pk" and "sk".
[[nodiscard]] model::TableDescription pair_table(std::string name);
/// The same with a local index "by_l" on the number "l" and a global index "by_g" on the string "g" and the binary "b".
[[nodiscard]] model::TableDescription indexed_table(std::string name);

/// Builds an encoded item: Item().s("pk", "a").n("l", "1").bytes().
class Item {
public:
    Item();
    Item &s(std::string_view name, std::string_view text);
    Item &n(std::string_view name, std::string_view number);
    Item &b(std::string_view name, std::string_view bytes);
    Item &null(std::string_view name);
    /// Ends the item; the view lives as long as this object.
    [[nodiscard]] model::ItemView view();

private:
    std::string bytes_;
    codec::ItemWriter writer_;
    bool open_ = true;
};

/// What an index should hold of an item, asked attribute by attribute.
[[nodiscard]] std::string entry_of(const model::TableDescription &table, const model::IndexDescription &index,
                                   model::ItemView item);

} // namespace basalt::engine

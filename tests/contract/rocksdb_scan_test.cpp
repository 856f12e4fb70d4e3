// Reads that meet several SST files and filters, and reads that may not touch the disk.
#include "contract/backends.h"
#include "contract/calls.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <algorithm>
#include <chrono>

namespace basalt::storage {
namespace {

namespace fs = std::filesystem;

class RocksdbScan : public testing::Test {
protected:
    void SetUp() override
    {
        options_.data_dir = directory_.path();
        options_.memtable_bytes = 64 << 10;
        open();
        keyspace_ = create_keyspace(*store_);
    }
    void open()
    {
        store_.reset();
        Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        ASSERT_TRUE(store) << store.error().message;
        store_ = std::move(*store);
    }
    [[nodiscard]] long tables() const
    {
        const fs::directory_iterator files(directory_.path());
        return std::count_if(begin(files), end(files),
                             [](const fs::directory_entry &entry) { return entry.path().extension() == ".sst"; });
    }
    /// Flushes run in the background, and several memtables that wait become one file.
    void wait_for_tables(long count) const
    {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (tables() < count && std::chrono::steady_clock::now() < deadline) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    static std::string sort_of(int number) { return std::string(1, static_cast<char>('a' + number)); }
    static Range partition(std::uint64_t hash, Bytes name)
    {
        Range range;
        range.first_hash = range.last_hash = hash;
        range.partition = name;
        return range;
    }

    TemporaryDirectory directory_;
    RocksdbOptions options_;
    std::unique_ptr<Store> store_;
    KeyspaceId keyspace_{};
};

TEST_F(RocksdbScan, EveryPartitionIsFoundBackwardOverManyFiles)
{
    constexpr int kPartitions = 1000;
    constexpr int kSorts = 6;
    // Sort key by sort key, so that each partition is spread over the files.
    for (int sort = 0; sort < kSorts; ++sort) {
        for (int i = 0; i < kPartitions; ++i) {
            const auto hash = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15U;
            put(*store_, keyspace_, {hash, "p" + std::to_string(i), sort_of(sort)},
                sort_of(sort) + std::string(100, 'v'));
        }
        wait_for_tables(sort == 0 ? 1 : 2);
    }
    for (const bool reopened : {false, true}) {
        if (reopened) {
            open();
        }
        ASSERT_GT(tables(), 1);
        for (int i = 0; i < kPartitions; ++i) {
            const auto hash = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15U;
            const std::string name = "p" + std::to_string(i);
            Range range = partition(hash, name);
            ASSERT_EQ(scan(*store_, keyspace_, range).size(), kSorts) << i;
            range.backward = true;
            const std::vector<std::string> rows = scan(*store_, keyspace_, range);
            ASSERT_EQ(rows.size(), kSorts) << i;
            ASSERT_TRUE(std::is_sorted(rows.rbegin(), rows.rend()));
            range.upper = SortBound{"d", false};
            ASSERT_EQ(scan(*store_, keyspace_, range, 1), std::vector<std::string>{"c" + std::string(100, 'v')});
            range.partition = "absent";
            ASSERT_TRUE(scan(*store_, keyspace_, range).empty());
        }
        Range all;
        all.backward = true;
        EXPECT_EQ(scan(*store_, keyspace_, all).size(), kPartitions * kSorts);
    }
}

TEST_F(RocksdbScan, WhatIsNotCachedGivesWouldBlockUntilItHasBeenRead)
{
    options_.memtable_bytes = 0;
    open();
    // Enough that close() flushes it, and each row fills a block.
    constexpr int kRows = 500;
    const std::string value(20'000, 'v');
    for (std::uint64_t i = 0; i < kRows; ++i) {
        put(*store_, keyspace_, {i, "p", "s"}, value);
    }
    ASSERT_EQ(tables(), 0);
    open();
    ASSERT_GT(tables(), 0);
    const auto inline_read = [&](function_ref<Result<void>(Reader &)> body) {
        const Outcome outcome = store_->read(Wait::never, View::latest, Consistency::strong, body);
        EXPECT_TRUE(outcome.result || outcome.result.error().code == ErrorCode::would_block)
            << outcome.result.error().message;
        return outcome.result.has_value();
    };
    const auto get_row = [&](std::uint64_t i) {
        return inline_read([&](Reader &reader) -> Result<void> {
            Result<std::optional<Bytes>> row = reader.get(keyspace_, {i, "p", "s"});
            if (row) {
                EXPECT_EQ(*row, value);
            }
            return {};
        });
    };
    const auto multi_get_row = [&](std::uint64_t i) {
        return inline_read([&](Reader &reader) -> Result<void> {
            const std::array<Key, 2> keys = {Key{i, "p", "s"}, Key{i, "p", "absent"}};
            std::array<std::optional<Bytes>, 2> out;
            if (reader.multi_get(keyspace_, keys, out)) {
                EXPECT_EQ(out[0], value);
                EXPECT_EQ(out[1], std::nullopt);
            }
            return {};
        });
    };
    const auto scan_row = [&](std::uint64_t i, bool backward) {
        return inline_read([&](Reader &reader) -> Result<void> {
            int rows = 0;
            Range range = partition(i, "p");
            range.backward = backward;
            Result<bool> exhausted = reader.scan(keyspace_, range, [&](const Row &) { return ++rows > 0; });
            if (exhausted) {
                EXPECT_EQ(rows, 1);
            }
            return {};
        });
    };
    EXPECT_FALSE(get_row(0));
    EXPECT_FALSE(multi_get_row(40));
    EXPECT_FALSE(scan_row(80, false));
    EXPECT_FALSE(scan_row(120, true));
    EXPECT_EQ(scan(*store_, keyspace_, {}).size(), kRows);
    for (std::uint64_t i = 0; i < kRows; ++i) {
        EXPECT_TRUE(get_row(i) && multi_get_row(i) && scan_row(i, false) && scan_row(i, true)) << i;
    }
}

TEST_F(RocksdbScan, ALongScanIsNotRunInline)
{
    for (int i = 0; i < 400; ++i) {
        put(*store_, keyspace_, {1, "p", std::to_string(i)}, "v");
    }
    open(); // and read all of it, so that nothing but the length can be in the way
    EXPECT_EQ(scan(*store_, keyspace_, {}).size(), 400U);
    const auto code_of_scan = [&](std::uint32_t hint, std::uint32_t wanted) {
        const Outcome outcome =
            store_->read(Wait::never, View::latest, Consistency::strong, [&](Reader &reader) -> Result<void> {
                Range range;
                range.rows_hint = hint;
                std::uint32_t rows = 0;
                static_cast<void>(reader.scan(keyspace_, range, [&](const Row &) { return ++rows < wanted; }));
                return {};
            });
        return outcome.result ? std::optional<ErrorCode>() : outcome.result.error().code;
    };
    EXPECT_EQ(code_of_scan(0, 100), std::nullopt);
    EXPECT_EQ(code_of_scan(100, 100), std::nullopt);
    EXPECT_EQ(code_of_scan(0, 400), ErrorCode::would_block);
    EXPECT_EQ(code_of_scan(400, 10), ErrorCode::would_block);
}

TEST_F(RocksdbScan, RowsOverwrittenManyTimesAreFlushedWhenScansMeetThem)
{
    options_.memtable_bytes = 0; // large: nothing else flushes
    open();
    for (int version = 0; version < 200; ++version) {
        for (int sort = 0; sort < 10; ++sort) {
            put(*store_, keyspace_, {1, "p", sort_of(sort)}, std::to_string(version) + std::string(200, 'v'));
        }
    }
    ASSERT_EQ(tables(), 0);
    Range range = partition(1, "p");
    while (tables() == 0) { // the test's own time limit bounds this
        range.backward = !range.backward;
        for (int i = 0; i < 100; ++i) {
            ASSERT_EQ(scan(*store_, keyspace_, range).size(), 10U);
        }
    }
    EXPECT_EQ(get(*store_, keyspace_, {1, "p", "a"}), "199" + std::string(200, 'v'));
}

TEST_F(RocksdbScan, ABusyStripeGivesWouldBlock)
{
    const LockKey lock{keyspace_, {1, "p"}};
    const Outcome outer = store_->mutate(Wait::allowed, {&lock, 1}, [&](Mutation &) -> Result<void> {
        const Outcome inner = store_->mutate(Wait::never, {&lock, 1}, [](Mutation &) -> Result<void> { return {}; });
        EXPECT_FALSE(inner.result);
        EXPECT_EQ(inner.result.error().code, ErrorCode::would_block);
        const LockKey other{keyspace_, {2, "p"}};
        EXPECT_TRUE(store_->mutate(Wait::never, {&other, 1}, [](Mutation &) -> Result<void> { return {}; }).result);
        return {};
    });
    EXPECT_TRUE(outer.result);
    EXPECT_TRUE(store_->mutate(Wait::never, {&lock, 1}, [](Mutation &) -> Result<void> { return {}; }).result);
}

} // namespace
} // namespace basalt::storage

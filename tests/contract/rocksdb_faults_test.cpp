// RocksDB on a disk that fails or is full: what is acknowledged stays, what cannot be kept is refused, reads go on, and
// the store either recovers by itself or says that it has to be opened again.
#include "contract/backends.h"
#include "contract/calls.h"
#include "contract/fault_files.h"
#include "contract/fault_witness.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <chrono>
#include <thread>

namespace basalt::storage {
namespace {

class RocksdbFaults : public testing::Test {
protected:
    void SetUp() override
    {
        options_.data_dir = directory_.path();
        options_.file_system = files_;
        options_.free_space_floor_bytes = 0;
    }
    void open()
    {
        Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        ASSERT_TRUE(store) << store.error().message;
        store_ = std::move(*store);
        keyspace_ = create_keyspace(*store_);
    }
    void open_again()
    {
        store_.reset();
        options_.logs = RecoveredLogs::doubted;
        Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        ASSERT_TRUE(store) << store.error().message;
        store_ = std::move(*store);
    }
    [[nodiscard]] static Key key(std::uint64_t row) { return {row, "p"}; }
    Outcome try_put(std::uint64_t row, std::size_t bytes = 1000)
    {
        return store_->mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
            mutation.put(keyspace_, key(row), std::string(bytes, 'v'));
            return {};
        });
    }
    /// A put that was told durable.
    bool put_durably(std::uint64_t row, std::size_t bytes = 1000)
    {
        const Outcome outcome = try_put(row, bytes);
        return outcome.result && wait_until_durable(*store_, outcome.ticket);
    }
    /// Puts rows until one is refused; how many were acknowledged.
    std::uint64_t put_until_refused(std::uint64_t limit = 5000)
    {
        std::uint64_t rows = 0;
        while (rows < limit && put_durably(rows)) {
            ++rows;
        }
        EXPECT_LT(rows, limit) << "nothing was refused";
        return rows;
    }
    void expect_rows(std::uint64_t count)
    {
        for (std::uint64_t row = 0; row < count; ++row) {
            ASSERT_EQ(get(*store_, keyspace_, key(row)), std::string(1000, 'v')) << row << " of " << count;
        }
    }
    template <typename Condition>
    static bool within_seconds(int seconds, Condition condition)
    {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
        while (!condition()) {
            if (std::chrono::steady_clock::now() > deadline) {
                return false;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return true;
    }

    FaultWitness witness_; // outlives the store
    TemporaryDirectory directory_;
    std::shared_ptr<FaultFiles> files_ = std::make_shared<FaultFiles>();
    RocksdbOptions options_;
    std::unique_ptr<Store> store_;
    KeyspaceId keyspace_{};
};

TEST_F(RocksdbFaults, AHealthyStoreHasNotFailed)
{
    open();
    EXPECT_TRUE(put_durably(1));
    EXPECT_FALSE(store_->failed());
    store_->close();
    EXPECT_FALSE(store_->failed());
}

TEST_F(RocksdbFaults, AFailedFsyncIsToldAndIsNotBelievedASecondTime)
{
    open();
    ASSERT_TRUE(put_durably(0));
    files_->fail(Fault::log_sync);
    EXPECT_FALSE(put_durably(1));
    files_->repair();
    EXPECT_TRUE(store_->failed());
    EXPECT_FALSE(put_durably(2));
    EXPECT_TRUE(witness_.logged("critical", "syncing"));
    EXPECT_TRUE(witness_.logged("critical", "refuses all writes"));
    EXPECT_EQ(witness_.counted(R"(basalt_store_failures_total{cause="log_sync"})"), 1);
    open_again();
    EXPECT_FALSE(store_->failed());
    expect_rows(1);
    EXPECT_TRUE(put_durably(1));
    expect_rows(2);
}

TEST_F(RocksdbFaults, AFailedWriteIsToldWithoutFsyncToo)
{
    options_.log_sync = LogSync::async;
    open();
    ASSERT_TRUE(put_durably(0));
    files_->fail(Fault::torn_log_write);
    EXPECT_FALSE(put_durably(1));
    files_->repair();
    EXPECT_TRUE(store_->failed());
    EXPECT_FALSE(put_durably(2));
    open_again();
    expect_rows(1);
    EXPECT_EQ(get(*store_, keyspace_, key(2)), std::nullopt);
}

/// Nothing of what came behind the gap may be there.
TEST_F(RocksdbFaults, WhatIsLeftOfTheLogIsAPrefix)
{
    options_.memtable_bytes = 64 << 10; // new logs all the time
    open();
    ASSERT_TRUE(put_durably(0));
    files_->fail(Fault::torn_log_write);
    std::uint64_t row = 1;
    while (row < 5000 && try_put(row).result) {
        ++row;
    }
    EXPECT_LT(row, 5000U);
    files_->repair();
    open_again();
    std::uint64_t there = 0;
    while (get(*store_, keyspace_, key(there))) {
        ++there;
    }
    EXPECT_GE(there, 1U);
    EXPECT_EQ(scan(*store_, keyspace_, {}).size(), there);
    expect_rows(there);
}

TEST_F(RocksdbFaults, AFlushThatCannotSyncAnOlderLogFailsTheStore)
{
    options_.memtable_bytes = 64 << 10;
    open();
    files_->fail(Fault::log_sync);
    // Nobody waits: the flush of the full memtable is the first to sync its log. RocksDB tells only the flush.
    Ticket last;
    for (std::uint64_t row = 0; row < 100; ++row) {
        if (const Outcome outcome = try_put(row); outcome.result) {
            last = outcome.ticket;
        }
    }
    files_->wait_until_struck(Fault::log_sync);
    files_->repair();
    EXPECT_FALSE(wait_until_durable(*store_, last));
    EXPECT_TRUE(store_->failed());
}

TEST_F(RocksdbFaults, ADirectoryThatCannotBeSyncedFailsTheStore)
{
    options_.memtable_bytes = 64 << 10;
    open();
    files_->fail(Fault::directory_sync);
    const std::uint64_t rows = put_until_refused();
    EXPECT_TRUE(store_->failed());
    files_->repair();
    open_again();
    expect_rows(rows);
}

TEST_F(RocksdbFaults, ATornLogWriteLosesNothingAcknowledged)
{
    open();
    for (std::uint64_t row = 0; row < 20; ++row) {
        ASSERT_TRUE(put_durably(row));
    }
    files_->fail(Fault::torn_log_write);
    EXPECT_FALSE(put_durably(20));
    EXPECT_TRUE(store_->failed());
    EXPECT_TRUE(witness_.logged("critical", "writing to"));
    EXPECT_EQ(witness_.counted(R"(basalt_store_failures_total{cause="log_write"})"), 1);
    files_->repair();
    open_again();
    expect_rows(20);
    EXPECT_TRUE(put_durably(20));
    store_.reset();
    options_.logs = RecoveredLogs::trusted;
    open_again();
    expect_rows(21);
}

TEST_F(RocksdbFaults, ATableThatCannotBeReadIsAnErrorAndNotAnAbsence)
{
    open();
    for (std::uint64_t row = 0; row < 50; ++row) {
        ASSERT_TRUE(put_durably(row));
    }
    open_again(); // to tables, none of it cached
    files_->fail(Fault::table_read);
    const auto try_get = [&](Wait wait) {
        return store_->read(wait, View::latest, Consistency::strong, [&](Reader &reader) -> Result<void> {
            const auto value = reader.get(keyspace_, key(7));
            return value ? Result<void>() : fail(value.error());
        });
    };
    const Outcome got = try_get(Wait::allowed);
    ASSERT_FALSE(got.result);
    EXPECT_EQ(got.result.error().code, ErrorCode::io_error);
    const Outcome scanned =
        store_->read(Wait::allowed, View::latest, Consistency::strong, [&](Reader &reader) -> Result<void> {
            const auto all = reader.scan(keyspace_, {}, [](const Row &) { return true; });
            return all ? Result<void>() : fail(all.error());
        });
    ASSERT_FALSE(scanned.result);
    EXPECT_EQ(scanned.result.error().code, ErrorCode::io_error);
    EXPECT_EQ(witness_.counted(R"(basalt_read_errors_total{kind="io"})"), 2);
    EXPECT_TRUE(put_durably(1000)) << "writes need no table";
    EXPECT_FALSE(store_->failed());
    files_->repair();
    expect_rows(50);
}

TEST_F(RocksdbFaults, AFlushThatFailsStopsWritesUntilTheStoreIsOpenedAgain)
{
    options_.memtable_bytes = 64 << 10;
    open();
    files_->fail(Fault::table_write);
    const std::uint64_t rows = put_until_refused();
    EXPECT_GT(rows, 0U);
    expect_rows(rows);
    EXPECT_TRUE(store_->failed());
    EXPECT_TRUE(witness_.logged("critical", "flushing a memtable"));
    EXPECT_GE(witness_.counted(R"(basalt_background_errors_total{during="flush"})"), 1);
    EXPECT_EQ(witness_.counted(R"(basalt_store_failures_total{cause="background"})"), 1);
    files_->repair();
    open_again();
    expect_rows(rows);
    EXPECT_TRUE(put_durably(rows));
}

TEST_F(RocksdbFaults, AManifestThatCannotBeWrittenStopsWritesUntilTheStoreIsOpenedAgain)
{
    options_.memtable_bytes = 64 << 10;
    open();
    files_->fail(Fault::manifest_write);
    const std::uint64_t rows = put_until_refused();
    expect_rows(rows);
    EXPECT_TRUE(store_->failed());
    files_->repair();
    open_again();
    expect_rows(rows);
    EXPECT_TRUE(put_durably(rows));
}

TEST_F(RocksdbFaults, AFlushWithoutSpaceStopsWritesUntilThereIsSome)
{
    options_.memtable_bytes = 64 << 10;
    open();
    files_->fail(Fault::table_space);
    const std::uint64_t rows = put_until_refused();
    EXPECT_FALSE(store_->failed()) << "it need not be opened again";
    EXPECT_TRUE(witness_.logged("error", "flushing a memtable"));
    EXPECT_EQ(witness_.counted(R"(basalt_store_failures_total{cause="background"})"), 0);
    expect_rows(rows);
    EXPECT_FALSE(put_durably(rows));
    files_->repair();
    EXPECT_TRUE(within_seconds(30, [&] { return put_durably(rows); }));
    EXPECT_FALSE(store_->failed());
    EXPECT_GE(witness_.counted("basalt_background_recoveries_total"), 1);
    expect_rows(rows + 1);
}

TEST_F(RocksdbFaults, AFullDiskLosesNothingAcknowledgedAndLetsReadsPass)
{
    options_.memtable_bytes = 64 << 10;
    open();
    files_->set_disk_bytes(files_->used_bytes() + (700 << 10));
    const std::uint64_t rows = put_until_refused();
    EXPECT_GT(rows, 100U);
    expect_rows(rows);
    EXPECT_FALSE(put_durably(rows));
    EXPECT_FALSE(store_->failed()) << "it could not be opened on a full disk";
    expect_rows(rows);
    files_->set_disk_bytes(std::uint64_t{1} << 30U);
    EXPECT_TRUE(within_seconds(30, [&] {
        if (store_->failed()) {
            open_again();
        }
        return put_durably(rows);
    }));
    expect_rows(rows + 1);
}

TEST_F(RocksdbFaults, OpeningOnAFullDiskSaysSoAndDamagesNothing)
{
    open();
    for (std::uint64_t row = 0; row < 50; ++row) {
        ASSERT_TRUE(put_durably(row));
    }
    store_.reset();
    // From nothing at all to just enough.
    std::uint64_t bytes = 0;
    while (true) {
        files_->set_disk_bytes(files_->used_bytes() + bytes);
        Result<std::unique_ptr<Store>> opened = open_rocksdb(options_);
        if (opened) {
            break;
        }
        EXPECT_EQ(opened.error().code, ErrorCode::io_error) << opened.error().message;
        EXPECT_NE(opened.error().message.find("No space left"), std::string::npos) << opened.error().message;
        bytes += 97;
    }
    EXPECT_GT(bytes, 0U);
    files_->set_disk_bytes(std::uint64_t{1} << 30U);
    open_again();
    expect_rows(50);
    EXPECT_TRUE(put_durably(50));
}

TEST_F(RocksdbFaults, BelowTheFloorAStoreOpensAndServesReadsAndRemovals)
{
    open();
    ASSERT_TRUE(put_durably(0));
    ASSERT_TRUE(put_durably(1));
    store_.reset();
    options_.free_space_floor_bytes = std::uint64_t{64} << 20U;
    files_->set_free_bytes(1 << 20);
    open_again();
    expect_rows(2);
    EXPECT_FALSE(try_put(2).result);
    EXPECT_TRUE(witness_.logged("error", "writes are refused"));
    EXPECT_EQ(witness_.counted("basalt_refused_writes_total"), 1);
    EXPECT_EQ(metric_value("basalt_writes_refused"), 1);
    remove(*store_, keyspace_, key(1));
    EXPECT_EQ(get(*store_, keyspace_, key(1)), std::nullopt);
    EXPECT_FALSE(store_->failed());
}

} // namespace
} // namespace basalt::storage

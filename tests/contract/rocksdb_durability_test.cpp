// RocksDB's commit pipeline under a slow, failing or forgetful log: nothing is shown that a crash could take back.
#include "contract/backends.h"
#include "contract/calls.h"
#include "contract/fault_files.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <array>
#include <thread>

namespace basalt::storage {
namespace {

class RocksdbDurability : public testing::Test {
protected:
    void open(LogSync sync = LogSync::sync)
    {
        files_ = std::make_shared<FaultFiles>();
        options_.data_dir = directory_.path();
        options_.log_sync = sync;
        options_.file_system = files_;
        open_again();
        keyspace_ = create_keyspace(*store_);
        ASSERT_TRUE(wait_until_durable(*store_, put(*store_, keyspace_, kOld, "old")));
    }
    void open_again()
    {
        Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        ASSERT_TRUE(store) << store.error().message;
        store_ = std::move(*store);
    }
    void TearDown() override
    {
        if (files_) {
            files_->let_syncs_go();
            files_->let_tables_go();
        }
    }
    Outcome read(View view, function_ref<void(Reader &)> body)
    {
        return store_->read(Wait::allowed, view, Consistency::strong, [&](Reader &reader) -> Result<void> {
            body(reader);
            return {};
        });
    }
    Outcome get_outcome(const Key &key, View view = View::latest)
    {
        return read(view, [&](Reader &reader) { EXPECT_TRUE(reader.get(keyspace_, key)); });
    }
    Outcome scan_outcome(const Range &range)
    {
        return read(View::latest, [&](Reader &reader) {
            EXPECT_TRUE(reader.scan(keyspace_, range, [](const Row &) { return true; }));
        });
    }
    [[nodiscard]] bool pending(Ticket ticket) const { return store_->durability(ticket) == Durability::pending; }

    static constexpr Key kOld{100, "old"};
    static constexpr Key kNew{200, "new"};
    TemporaryDirectory directory_;
    RocksdbOptions options_;
    std::shared_ptr<FaultFiles> files_;
    std::unique_ptr<Store> store_;
    KeyspaceId keyspace_{};
};

TEST_F(RocksdbDurability, NothingIsToldDurableBeforeItsFsync)
{
    open();
    files_->hold_syncs();
    const Ticket ticket = put(*store_, keyspace_, kNew, "new");
    TestWaiter waiter;
    store_->when_durable(ticket, waiter);
    files_->wait_for_held_sync();
    EXPECT_TRUE(pending(ticket));
    EXPECT_FALSE(waiter.told());
    files_->let_syncs_go();
    EXPECT_TRUE(waiter.wait());
    EXPECT_EQ(store_->durability(ticket), Durability::durable);
}

TEST_F(RocksdbDurability, ACommitDuringAnFsyncWaitsForTheNext)
{
    open();
    files_->hold_syncs();
    TestWaiter first;
    store_->when_durable(put(*store_, keyspace_, kNew, "1"), first);
    files_->wait_for_held_sync();
    const int syncs = files_->log_syncs();
    TestWaiter second;
    store_->when_durable(put(*store_, keyspace_, kNew, "2"), second);
    files_->let_syncs_go();
    EXPECT_TRUE(second.wait());
    EXPECT_TRUE(first.told());
    EXPECT_EQ(files_->log_syncs(), syncs + 2);
}

TEST_F(RocksdbDurability, OneFsyncServesEveryoneWhoWaits)
{
    open();
    files_->hold_syncs();
    TestWaiter first;
    store_->when_durable(put(*store_, keyspace_, kNew, "first"), first);
    files_->wait_for_held_sync();
    const int syncs = files_->log_syncs();
    std::array<TestWaiter, 50> waiters;
    for (std::size_t i = 0; i < waiters.size(); ++i) {
        store_->when_durable(put(*store_, keyspace_, {i, "p"}, "x"), waiters[i]);
    }
    files_->let_syncs_go();
    for (TestWaiter &waiter : waiters) {
        EXPECT_TRUE(waiter.wait());
    }
    EXPECT_EQ(files_->log_syncs(), syncs + 2);
}

TEST_F(RocksdbDurability, EveryWayOfSeeingAnUndurableValueCarriesItsTicket)
{
    open();
    files_->hold_syncs();
    const Ticket written = put(*store_, keyspace_, kNew, "new");
    ASSERT_TRUE(pending(written));
    Range partition;
    partition.first_hash = partition.last_hash = kNew.hash;
    partition.partition = kNew.partition;
    EXPECT_GE(get_outcome(kNew).ticket, written);
    EXPECT_GE(get_outcome(kNew, View::snapshot).ticket, written);
    EXPECT_GE(scan_outcome(partition).ticket, written);
    EXPECT_GE(scan_outcome({}).ticket, written);
    partition.backward = true;
    EXPECT_GE(scan_outcome(partition).ticket, written);
    EXPECT_GE(read(View::latest,
                   [&](Reader &reader) {
                       const std::array<Key, 2> keys = {kOld, kNew};
                       std::array<std::optional<Bytes>, 2> out;
                       EXPECT_TRUE(reader.multi_get(keyspace_, keys, out));
                   })
                  .ticket,
              written);
    // A row that is not there, in a partition that was just written.
    EXPECT_GE(get_outcome({kNew.hash, kNew.partition, "absent"}).ticket, written);
}

TEST_F(RocksdbDurability, SoDoAbsenceFailureAndMutationsThatWriteNothing)
{
    open();
    files_->hold_syncs();
    const Ticket removed = remove(*store_, keyspace_, kOld);
    ASSERT_TRUE(pending(removed));
    EXPECT_EQ(get(*store_, keyspace_, kOld), std::nullopt);
    EXPECT_GE(get_outcome(kOld).ticket, removed);
    const auto mutate = [&](const Result<void> &answer) {
        return store_->mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
            EXPECT_EQ(mutation.get(keyspace_, kOld).value(), std::nullopt);
            return answer;
        });
    };
    EXPECT_GE(mutate({}).ticket, removed);
    const Outcome failed = mutate(fail(ErrorCode::conditional_check_failed, "no"));
    EXPECT_FALSE(failed.result);
    EXPECT_GE(failed.ticket, removed);
}

TEST_F(RocksdbDurability, WhatIsDurableIsNotHeldUpByOthersWrites)
{
    open();
    files_->hold_syncs();
    ASSERT_TRUE(pending(put(*store_, keyspace_, kNew, "new")));
    EXPECT_EQ(store_->durability(get_outcome(kOld).ticket), Durability::durable);
}

TEST_F(RocksdbDurability, AWriteThatNobodyWaitsForIsSyncedSoon)
{
    open();
    const int syncs = files_->log_syncs();
    put(*store_, keyspace_, kNew, "new");
    files_->wait_for_log_syncs(syncs + 1);
}

TEST_F(RocksdbDurability, AsyncDoesNotSync)
{
    open(LogSync::async);
    for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(wait_until_durable(*store_, put(*store_, keyspace_, kNew, std::to_string(i))));
    }
    EXPECT_EQ(files_->log_syncs(), 0);
}

TEST_F(RocksdbDurability, AFailedFsyncFailsTheStoreButNotWhatIsDurable)
{
    open();
    files_->hold_syncs();
    const Ticket written = put(*store_, keyspace_, kNew, "new");
    std::array<TestWaiter, 3> waiters;
    for (TestWaiter &waiter : waiters) {
        store_->when_durable(written, waiter);
    }
    files_->wait_for_held_sync();
    files_->fail_syncs();
    files_->let_syncs_go();
    for (TestWaiter &waiter : waiters) {
        const Result<void> told = waiter.wait();
        ASSERT_FALSE(told);
        EXPECT_EQ(told.error().code, ErrorCode::internal_server_error);
    }
    EXPECT_EQ(store_->durability(written), Durability::failed);
    EXPECT_FALSE(wait_until_durable(*store_, written));
    const Outcome undurable = get_outcome(kNew);
    ASSERT_FALSE(undurable.result);
    EXPECT_EQ(undurable.result.error().code, ErrorCode::internal_server_error);
    EXPECT_FALSE(scan_outcome({}).result);
    EXPECT_TRUE(get_outcome(kOld).result);
    const Outcome write = store_->mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
        mutation.put(keyspace_, kOld, "x");
        return {};
    });
    ASSERT_FALSE(write.result);
    EXPECT_EQ(write.result.error().code, ErrorCode::internal_server_error);

    store_.reset();
    options_.file_system = nullptr;
    open_again();
    EXPECT_EQ(get(*store_, keyspace_, kOld), "old");
    put(*store_, keyspace_, kNew, "newer");
    EXPECT_EQ(get(*store_, keyspace_, kNew), "newer");
}

TEST_F(RocksdbDurability, AFailedLogWriteFailsTheStore)
{
    open();
    files_->fail_log_writes();
    EXPECT_FALSE(wait_until_durable(*store_, put(*store_, keyspace_, kNew, "new")));
    EXPECT_FALSE(get_outcome(kNew).result);
    EXPECT_TRUE(get_outcome(kOld).result);
    store_.reset();
    options_.file_system = nullptr;
    open_again();
    EXPECT_EQ(get(*store_, keyspace_, kOld), "old");
}

TEST_F(RocksdbDurability, APowerCutTakesNothingThatWasToldDurable)
{
    options_.memtable_bytes = 64 << 10; // several logs
    open();
    std::uint64_t told = 0;
    for (std::uint64_t i = 0; i < 600; ++i) {
        const Ticket ticket = put(*store_, keyspace_, {i, "p"}, std::string(500, 'v'));
        if (i % 10 == 0) {
            ASSERT_TRUE(wait_until_durable(*store_, ticket));
            told = i;
        }
    }
    files_->hold_syncs();
    put(*store_, keyspace_, kNew, "never synced");
    files_->wait_for_held_sync();
    files_->fail_syncs();
    files_->let_syncs_go();
    store_.reset();
    files_->lose_what_was_not_synced();

    options_.file_system = nullptr;
    open_again();
    for (std::uint64_t i = 0; i <= told; ++i) {
        EXPECT_TRUE(get(*store_, keyspace_, {i, "p"})) << i;
    }
    EXPECT_EQ(get(*store_, keyspace_, kNew), std::nullopt);
}

TEST_F(RocksdbDurability, ALogShowsDurableRecordsOnly)
{
    open();
    const KeyspaceId log = create_keyspace(*store_, KeyspaceKind::change_log);
    const auto append = [&](Bytes record) {
        return store_->mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
            mutation.append(log, record);
            return {};
        });
    };
    const auto count = [&] {
        int records = 0;
        read(View::latest, [&](Reader &reader) {
            EXPECT_TRUE(*reader.read_log(log, {}, [&](LogPosition, Bytes) {
                ++records;
                return true;
            }));
        });
        return records;
    };
    ASSERT_TRUE(wait_until_durable(*store_, append("a").ticket));
    files_->hold_syncs();
    const Outcome second = append("b");
    ASSERT_TRUE(second.result);
    EXPECT_EQ(count(), 1);
    files_->let_syncs_go();
    ASSERT_TRUE(wait_until_durable(*store_, second.ticket));
    EXPECT_EQ(count(), 2);
}

TEST_F(RocksdbDurability, AStalledWriteGivesWouldBlockOrRunsOutOfPatienceAndLeavesNoTrace)
{
    options_.memtable_bytes = 64 << 10;
    options_.patience = std::chrono::milliseconds(50);
    open();
    files_->hold_tables();
    const auto write = [&](Wait wait) {
        return store_->mutate(wait, {}, [&](Mutation &mutation) -> Result<void> {
            mutation.put(keyspace_, kNew, std::string(30'000, 'v'));
            return {};
        });
    };
    // First RocksDB lets a write through now and then, and soon none at all.
    Ticket last;
    Outcome outcome = write(Wait::allowed);
    for (int i = 0; i < 1000 && outcome.result; ++i) {
        last = outcome.ticket;
        const Outcome inline_try = write(Wait::never);
        if (inline_try.result) {
            last = inline_try.ticket;
        } else {
            EXPECT_EQ(inline_try.result.error().code, ErrorCode::would_block);
        }
        outcome = write(Wait::allowed);
    }
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error().code, ErrorCode::throttling);
    const Outcome inline_try = write(Wait::never);
    ASSERT_FALSE(inline_try.result);
    EXPECT_EQ(inline_try.result.error().code, ErrorCode::would_block);
    EXPECT_EQ(get_outcome(kNew).ticket, last);
    EXPECT_TRUE(wait_until_durable(*store_, get_outcome(kNew).ticket));

    files_->let_tables_go();
    Outcome retried = write(Wait::allowed);
    while (!retried.result && retried.result.error().code == ErrorCode::throttling) {
        retried = write(Wait::allowed);
    }
    EXPECT_TRUE(retried.result);
    EXPECT_GT(retried.ticket, last);
}

TEST_F(RocksdbDurability, WritesAreRefusedBelowTheFreeSpaceFloorAndAcceptedAgain)
{
    open();
    const auto try_put = [&] {
        return store_->mutate(Wait::never, {}, [&](Mutation &mutation) -> Result<void> {
            mutation.put(keyspace_, kNew, "new");
            return {};
        });
    };
    KeyspaceId log{};
    ASSERT_TRUE(store_
                    ->mutate(Wait::allowed, {},
                             [&](Mutation &mutation) -> Result<void> {
                                 log = mutation.create_keyspace(KeyspaceKind::change_log).value();
                                 return {};
                             })
                    .result);
    const auto try_append = [&](int removals) {
        const Outcome outcome = store_->mutate(Wait::never, {}, [&](Mutation &mutation) -> Result<void> {
            mutation.append(log, std::string(200, 'r'));
            for (int i = 0; i < removals; ++i) {
                mutation.remove(keyspace_, {1, "gone"});
            }
            return {};
        });
        return outcome.result.has_value();
    };
    files_->set_free_bytes(1000);
    while (try_put().result) { // until it looks again
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(try_put().result.error().code, ErrorCode::internal_server_error);
    EXPECT_EQ(get(*store_, keyspace_, kOld), "old");
    const auto removed = store_->mutate(Wait::never, {}, [&](Mutation &mutation) -> Result<void> {
        mutation.remove(keyspace_, kOld);
        return {};
    });
    EXPECT_TRUE(removed.result) << "what only deletes is how space comes back";
    EXPECT_EQ(get(*store_, keyspace_, kOld), std::nullopt);
    const auto with_removals = [&](int removals, std::initializer_list<std::string> values) {
        const Outcome outcome = store_->mutate(Wait::never, {}, [&](Mutation &mutation) -> Result<void> {
            std::uint64_t hash = 100;
            for (const std::string &value : values) {
                mutation.put(keyspace_, {++hash, "counter"}, value);
            }
            for (int i = 0; i < removals; ++i) {
                mutation.remove(keyspace_, {++hash, "gone"});
            }
            return {};
        });
        return outcome.result.has_value();
    };
    const std::string counter(kCounterBytes, 'c');
    EXPECT_TRUE(with_removals(1, {counter})) << "a delete that keeps a counter";
    EXPECT_EQ(get(*store_, keyspace_, {101, "counter"}), counter);
    EXPECT_TRUE(with_removals(3, {counter, "2"}));
    EXPECT_FALSE(with_removals(0, {counter}));
    EXPECT_FALSE(with_removals(1, {counter, counter})) << "more is put than removed";
    EXPECT_FALSE(with_removals(5, {counter + "c"})) << "no counter";
    EXPECT_TRUE(try_append(1)) << "a delete that is recorded";
    EXPECT_FALSE(try_append(0));
    files_->set_free_bytes(std::uint64_t{1} << 40U);
    while (!try_put().result) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(get(*store_, keyspace_, kNew), "new");
}

TEST_F(RocksdbDurability, CloseMakesEverythingDurable)
{
    open();
    for (int i = 0; i < 100; ++i) {
        put(*store_, keyspace_, {static_cast<std::uint64_t>(i), "p"}, "x");
    }
    store_->close();
    files_->lose_what_was_not_synced();
    open_again();
    for (int i = 0; i < 100; ++i) {
        EXPECT_TRUE(get(*store_, keyspace_, {static_cast<std::uint64_t>(i), "p"})) << i;
    }
}

} // namespace
} // namespace basalt::storage

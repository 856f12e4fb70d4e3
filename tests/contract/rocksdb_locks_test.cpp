// The wait for locks: bounded, and it says whose lock was not had.
#include "contract/calls.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <gtest/gtest.h>

#include <array>
#include <latch>
#include <thread>

namespace basalt::storage {
namespace {

TEST(RocksdbLocks, ALockThatIsNotHadInTimeIsNamedAndNothingIsRun)
{
    RocksdbOptions options;
    options.in_memory = true;
    options.lock_patience = std::chrono::milliseconds(5);
    const auto store = std::move(open_rocksdb(options).value());
    const KeyspaceId keyspace = create_keyspace(*store);
    const LockKey held{keyspace, {2, "held"}};
    std::latch running{1};
    std::latch enough{1};
    std::thread holder([&] {
        EXPECT_TRUE(store
                        ->mutate(Wait::allowed, {&held, 1},
                                 [&](Mutation &) -> Result<void> {
                                     running.count_down();
                                     enough.wait();
                                     return {};
                                 })
                        .result);
    });
    running.wait();

    bool ran = false;
    const auto note_run = [&](Mutation & /*mutation*/) -> Result<void> {
        ran = true;
        return {};
    };
    const std::array locks{LockKey{keyspace, {1, "free"}}, LockKey{keyspace, {3, "free"}}, held};
    const Outcome late = store->mutate(Wait::allowed, locks, note_run);
    ASSERT_FALSE(late.result);
    EXPECT_EQ(late.result.error().code, ErrorCode::lock_timeout);
    EXPECT_EQ(late.busy_lock, 2U);
    const Outcome at_once = store->mutate(Wait::never, locks, note_run);
    ASSERT_FALSE(at_once.result);
    EXPECT_EQ(at_once.result.error().code, ErrorCode::would_block);
    EXPECT_FALSE(ran);

    EXPECT_TRUE(store->mutate(Wait::allowed, std::span(locks).first(2), note_run).result); // they were let go
    enough.count_down();
    holder.join();
    EXPECT_TRUE(store->mutate(Wait::allowed, locks, note_run).result);
}

} // namespace
} // namespace basalt::storage

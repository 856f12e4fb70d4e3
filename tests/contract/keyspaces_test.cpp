// Creating, dropping and reclaiming keyspaces, and what a reopened store still knows.
#include "contract/backends.h"
#include "contract/calls.h"

#include <chrono>
#include <set>
#include <thread>

namespace basalt::storage {
namespace {

using Keyspaces = StoreContract;
INSTANTIATE_TEST_SUITE_P(Backends, Keyspaces, testing::ValuesIn(all_backends()), backend_name);

void drop(Store &store, KeyspaceId keyspace)
{
    const Outcome outcome = store.mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
        mutation.drop_keyspace(keyspace);
        mutation.remove(kCatalogKeyspace, {0, "table"});
        return {};
    });
    ASSERT_TRUE(outcome.result);
}

/// Reclaiming happens in the background; the test's own time limit bounds this.
void wait_until_empty(Store &store, KeyspaceId keyspace)
{
    while (!scan(store, keyspace, {}, 1).empty()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

void fill(Store &store, KeyspaceId keyspace, int rows)
{
    for (int first = 0; first < rows; first += 100) {
        const Outcome outcome = store.mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
            for (int i = first; i < std::min(first + 100, rows); ++i) {
                mutation.put(keyspace, {static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15U, "p"},
                             std::string(100, 'v'));
            }
            return {};
        });
        ASSERT_TRUE(outcome.result);
    }
}

TEST_P(Keyspaces, HaveNumbersOfTheirOwnAndTheKindAsked)
{
    std::set<KeyspaceId> seen = {kCatalogKeyspace};
    for (const KeyspaceKind kind : {KeyspaceKind::catalog, KeyspaceKind::items, KeyspaceKind::local_index,
                                    KeyspaceKind::global_index, KeyspaceKind::expiry}) {
        for (int i = 0; i < 3; ++i) {
            const KeyspaceId keyspace = create_keyspace(*store_, kind);
            EXPECT_EQ(kind_of(keyspace), kind);
            EXPECT_TRUE(seen.insert(keyspace).second);
            put(*store_, keyspace, {1, "p"}, "x");
            EXPECT_EQ(get(*store_, keyspace, {1, "p"}), "x");
        }
    }
}

TEST_P(Keyspaces, OfConcurrentCreationsAllDiffer)
{
    std::vector<std::vector<KeyspaceId>> made(4);
    std::vector<std::thread> threads;
    for (std::vector<KeyspaceId> &mine : made) {
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) {
                mine.push_back(create_keyspace(*store_));
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    std::set<KeyspaceId> all;
    for (const std::vector<KeyspaceId> &mine : made) {
        all.insert(mine.begin(), mine.end());
    }
    EXPECT_EQ(all.size(), 200U);
}

TEST_P(Keyspaces, ReclaimDeletesTheRowsOfASmallOne)
{
    const KeyspaceId before = create_keyspace(*store_);
    const KeyspaceId dropped = create_keyspace(*store_);
    const KeyspaceId after = create_keyspace(*store_);
    for (const KeyspaceId keyspace : {before, dropped, after}) {
        fill(*store_, keyspace, 100);
    }
    drop(*store_, dropped);
    store_->reclaim(dropped);
    wait_until_empty(*store_, dropped);
    EXPECT_EQ(scan(*store_, before, {}).size(), 100U);
    EXPECT_EQ(scan(*store_, after, {}).size(), 100U);
}

TEST_P(Keyspaces, ReclaimDeletesTheRowsOfALargeOne)
{
    const KeyspaceId before = create_keyspace(*store_);
    const KeyspaceId dropped = create_keyspace(*store_);
    const KeyspaceId after = create_keyspace(*store_);
    for (const KeyspaceId keyspace : {before, dropped, after}) {
        fill(*store_, keyspace, 2500);
    }
    drop(*store_, dropped);
    store_->reclaim(dropped);
    wait_until_empty(*store_, dropped);
    EXPECT_EQ(scan(*store_, before, {}).size(), 2500U);
    EXPECT_EQ(scan(*store_, after, {}).size(), 2500U);
    EXPECT_EQ(get(*store_, before, {0, "p"}), std::string(100, 'v'));
}

TEST_P(Keyspaces, CreationAndCatalogRowStandOrFallTogether)
{
    const Outcome outcome = store_->mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
        Result<KeyspaceId> keyspace = mutation.create_keyspace(KeyspaceKind::items);
        EXPECT_TRUE(keyspace);
        mutation.put(kCatalogKeyspace, {0, "table"}, "x");
        return fail(ErrorCode::table_already_exists, "no");
    });
    EXPECT_FALSE(outcome.result);
    EXPECT_EQ(get(*store_, kCatalogKeyspace, {0, "table"}), std::nullopt);
}

TEST_P(Keyspaces, AreRememberedByAReopenedStore)
{
    if (!GetParam().persistent) {
        GTEST_SKIP() << "keeps nothing";
    }
    std::set<KeyspaceId> seen;
    std::vector<KeyspaceId> kept;
    Ticket last;
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 3; ++i) {
            const KeyspaceId keyspace = create_keyspace(*store_);
            EXPECT_TRUE(seen.insert(keyspace).second) << "used twice";
            kept.push_back(keyspace);
            const Ticket ticket = put(*store_, keyspace, {1, "p"}, std::to_string(round));
            EXPECT_GT(ticket, last);
            last = ticket;
        }
        reopen();
        for (const KeyspaceId keyspace : kept) {
            EXPECT_TRUE(get(*store_, keyspace, {1, "p"}).has_value());
        }
    }
}

TEST_P(Keyspaces, DroppedButNotReclaimedIsReclaimedAfterReopening)
{
    if (!GetParam().persistent) {
        GTEST_SKIP() << "keeps nothing";
    }
    const KeyspaceId small = create_keyspace(*store_);
    const KeyspaceId large = create_keyspace(*store_);
    const KeyspaceId kept = create_keyspace(*store_);
    fill(*store_, small, 50);
    fill(*store_, large, 1500);
    fill(*store_, kept, 50);
    drop(*store_, small);
    drop(*store_, large);
    reopen();
    wait_until_empty(*store_, small);
    wait_until_empty(*store_, large);
    EXPECT_EQ(scan(*store_, kept, {}).size(), 50U);
    reopen();
    EXPECT_EQ(scan(*store_, kept, {}).size(), 50U);
}

} // namespace
} // namespace basalt::storage

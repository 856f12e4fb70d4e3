#include "storage/rocksdb/lock_stripes.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>

namespace basalt::storage {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kPatience{60'000};

std::vector<LockKey> keys_of(const std::vector<std::string> &names)
{
    std::vector<LockKey> out;
    for (const std::string &name : names) {
        out.push_back({kCatalogKeyspace, {1, name}});
    }
    return out;
}

TEST(LockStripes, AHeldStripeIsNotTakenAgain)
{
    LockStripes stripes(8);
    EXPECT_TRUE(stripes.try_lock(3));
    EXPECT_FALSE(stripes.try_lock(3));
    EXPECT_FALSE(stripes.lock(3, milliseconds(1)));
    EXPECT_TRUE(stripes.try_lock(4));
    stripes.unlock(3);
    EXPECT_TRUE(stripes.lock(3, milliseconds(1)));
}

TEST(LockStripes, DistinctRowsSpread)
{
    const LockStripes stripes(4096);
    std::set<std::size_t> used;
    std::vector<std::string> names;
    for (int i = 0; i < 1000; ++i) {
        names.push_back("row" + std::to_string(i));
    }
    for (const std::string &name : names) {
        used.insert(stripes.stripe_of({kCatalogKeyspace, {1, "same", name}}));
    }
    EXPECT_GT(used.size(), 800U);
}

TEST(LockStripes, EveryPartOfAKeyCounts)
{
    const LockStripes stripes(std::size_t{1} << 20U);
    const std::set<std::size_t> used = {
        stripes.stripe_of({kCatalogKeyspace, {1, "p", "s", "t"}}),
        stripes.stripe_of({make_keyspace_id(KeyspaceKind::items, 1), {1, "p", "s", "t"}}),
        stripes.stripe_of({kCatalogKeyspace, {2, "p", "s", "t"}}),
        stripes.stripe_of({kCatalogKeyspace, {1, "q", "s", "t"}}),
        stripes.stripe_of({kCatalogKeyspace, {1, "p", "r", "t"}}),
        stripes.stripe_of({kCatalogKeyspace, {1, "p", "s", "u"}}),
        stripes.stripe_of({kCatalogKeyspace, {1, "s", "p", "t"}}),
    };
    EXPECT_EQ(used.size(), 7U);
}

TEST(HeldStripes, LocksDuplicatesOnceAndReleasesAll)
{
    LockStripes stripes(2);
    std::vector<std::string> names;
    for (int i = 0; i < 30; ++i) {
        names.push_back(std::to_string(i));
    }
    for (const std::size_t count : {0U, 1U, 3U, 8U, 9U, 30U}) {
        const std::vector<std::string> some(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count));
        HeldStripes held(stripes);
        ASSERT_TRUE(held.lock(keys_of(some), Wait::never, kPatience)) << count;
        if (count == 30U) {
            EXPECT_FALSE(stripes.try_lock(0));
            EXPECT_FALSE(stripes.try_lock(1));
        }
    }
    EXPECT_TRUE(stripes.try_lock(0));
    EXPECT_TRUE(stripes.try_lock(1));
}

TEST(HeldStripes, HoldsNothingAfterAFailure)
{
    LockStripes stripes(4);
    ASSERT_TRUE(stripes.try_lock(3));
    std::vector<std::string> names;
    for (int i = 0; i < 30; ++i) {
        names.push_back(std::to_string(i));
    }
    HeldStripes held(stripes);
    const Result<void> blocked = held.lock(keys_of(names), Wait::never, kPatience);
    ASSERT_FALSE(blocked);
    EXPECT_EQ(blocked.error().code, ErrorCode::would_block);
    const Result<void> impatient = held.lock(keys_of(names), Wait::allowed, milliseconds(1));
    ASSERT_FALSE(impatient);
    EXPECT_EQ(impatient.error().code, ErrorCode::lock_timeout);
    EXPECT_TRUE(stripes.try_lock(0));
    EXPECT_TRUE(stripes.try_lock(1));
    EXPECT_TRUE(stripes.try_lock(2));
}

TEST(HeldStripes, ExcludeOneAnother)
{
    LockStripes stripes(4);
    const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f"};
    int unguarded = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
            for (std::size_t i = 0; i < 5000; ++i) {
                HeldStripes held(stripes);
                // All take "a", and another one in any order.
                const std::vector<LockKey> keys =
                    keys_of({names[(i + static_cast<std::size_t>(thread)) % names.size()], "a"});
                ASSERT_TRUE(held.lock(keys, Wait::allowed, kPatience));
                ++unguarded;
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(unguarded, 20000);
}

} // namespace
} // namespace basalt::storage

// Pages of a local index, with and without the items of its entries.
#include "engine/index_entry.h"
#include "unit/engine/engine_fixture.h"

#include <algorithm>

namespace basalt::engine {
namespace {

using model::ProjectionType;
using storage::Consistency;
using storage::Wait;

constexpr PageLimits kNoLimits{0, std::uint64_t{1} << 40U};
constexpr int kItems = 100;

/// Notes the sort keys of a page, where it ended and what was fetched.
class NotedPage final : public PageConsumer {
public:
    void restart() override
    {
        keys.clear();
        entries.clear();
        fetched.clear();
        ended = false;
    }
    void item(const PageItem &item) override
    {
        EXPECT_FALSE(ended);
        keys.emplace_back(item.entry.find("sk")->text());
        entries.emplace_back(item.entry.bytes());
        fetched.emplace_back(item.fetched ? std::string(item.fetched->bytes()) : "");
        ended = item.ends_page;
    }

    std::vector<std::string> keys, entries, fetched;
    bool ended = false;
};

class IndexPagesTest : public EngineTest {
protected:
    IndexPagesTest()
    {
        auto description = indexed_table("table");
        description.local_indexes[0].projection = ProjectionType::keys_only;
        create(std::move(description));
    }

    /// Items "000", "001", ... of partition "p"; the index has them the other way round, those with odd numbers only.
    void fill(std::size_t value_bytes)
    {
        for (int i = 0; i < kItems; ++i) {
            Item item;
            item.s("pk", "p").s("sk", name(i)).s("v", std::string(value_bytes, 'v'));
            if (i % 2 == 1) {
                item.n("l", std::to_string(-i));
                items_[name(i)] = bytes_of(item);
            }
            put(item);
            Item other;
            put(other.s("pk", "q").s("sk", name(i)).n("l", "1"));
        }
    }

    static std::string name(int i)
    {
        const auto digits = std::to_string(i);
        return std::string(3 - digits.size(), '0') + digits;
    }

    /// The sort keys in the order of the index.
    std::vector<std::string> in_order() const
    {
        std::vector<std::string> names;
        for (auto item = items_.rbegin(); item != items_.rend(); ++item) {
            names.push_back(item->first);
        }
        return names;
    }
    std::vector<std::string> first_of(std::size_t count) const
    {
        auto names = in_order();
        names.resize(count);
        return names;
    }

    storage::Outcome read(bool fetch, const PageLimits &limits, Wait wait = Wait::allowed)
    {
        const auto key = key_of("p", "any");
        range_.first_hash = range_.last_hash = key.hash;
        range_.partition = key.partition;
        return engine_.read_page(wait, {*table_, &local_index(), fetch}, range_, limits, Consistency::strong, noted_,
                                 page_);
    }

    void expect_items() const
    {
        for (std::size_t i = 0; i < noted_.keys.size(); ++i) {
            EXPECT_EQ(noted_.fetched[i], items_.at(noted_.keys[i]));
        }
    }

    std::map<std::string, std::string> items_; // in the index
    storage::Range range_;
    NotedPage noted_;
    Page page_;
};
BASALT_ON_BOTH_BACKENDS(IndexPagesTest);

TEST_P(IndexPagesTest, APageHoldsTheEntriesInTheOrderOfTheIndex)
{
    fill(10);
    ASSERT_TRUE(read(false, kNoLimits).result);
    EXPECT_EQ(noted_.keys, in_order());
    EXPECT_TRUE(page_.exhausted);
    EXPECT_EQ(page_.items, static_cast<std::uint64_t>(kItems / 2));
    EXPECT_EQ(page_.fetched_units, 0U);
    std::uint64_t bytes = 0;
    for (const auto &entry : noted_.entries) {
        bytes += model::ItemView(entry).size_bytes();
        EXPECT_FALSE(model::ItemView(entry).find("v"));
    }
    EXPECT_EQ(page_.bytes, bytes);
    EXPECT_EQ(noted_.fetched, std::vector<std::string>(kItems / 2));

    range_.backward = true;
    ASSERT_TRUE(read(false, kNoLimits).result);
    std::reverse(noted_.keys.begin(), noted_.keys.end());
    EXPECT_EQ(noted_.keys, in_order());
}

TEST_P(IndexPagesTest, TheWholeIndexIsScannedToo)
{
    fill(10);
    ASSERT_TRUE(engine_
                    .read_page(Wait::allowed, {*table_, &local_index(), false}, {}, kNoLimits, Consistency::strong,
                               noted_, page_)
                    .result);
    EXPECT_EQ(page_.items, static_cast<std::uint64_t>(kItems / 2 + kItems));
}

TEST_P(IndexPagesTest, FetchedItemsBelongToTheirEntries)
{
    fill(5000);
    for (const bool backward : {false, true}) {
        range_.backward = backward;
        ASSERT_TRUE(read(true, kNoLimits).result);
        if (backward) {
            std::reverse(noted_.keys.begin(), noted_.keys.end());
            std::reverse(noted_.fetched.begin(), noted_.fetched.end());
        }
        EXPECT_EQ(noted_.keys, in_order());
        expect_items();
        EXPECT_TRUE(page_.exhausted);
        EXPECT_FALSE(noted_.ended);
        EXPECT_EQ(page_.fetched_units, static_cast<std::uint64_t>(kItems)); // two each
        EXPECT_LT(page_.bytes, 50U * kItems / 2);
    }
}

TEST_P(IndexPagesTest, ALimitOfItemsEndsThePage)
{
    fill(10);
    for (const bool fetch : {false, true}) {
        for (const std::uint64_t limit : {1, 7, 8, 9, 40, 50}) {
            ASSERT_TRUE(read(fetch, {limit, kNoLimits.bytes}).result);
            EXPECT_EQ(noted_.keys, first_of(limit));
            EXPECT_TRUE(noted_.ended);
            EXPECT_FALSE(page_.exhausted);
        }
        ASSERT_TRUE(read(fetch, {51, kNoLimits.bytes}).result);
        EXPECT_EQ(noted_.keys, in_order());
        EXPECT_FALSE(noted_.ended);
        EXPECT_TRUE(page_.exhausted);
    }
}

TEST_P(IndexPagesTest, FetchedItemsCountTowardsTheLimitOfBytes)
{
    fill(1000);
    const auto item_bytes = model::ItemView(items_.begin()->second).size_bytes(); // within a byte of the others
    ASSERT_TRUE(read(true, {0, 20ULL * item_bytes - 10}).result);
    EXPECT_EQ(noted_.keys, first_of(20));
    EXPECT_TRUE(noted_.ended);
    EXPECT_FALSE(page_.exhausted);
    EXPECT_LT(page_.bytes, 20U * 50);
    EXPECT_EQ(page_.fetched_units, 20U);
    ASSERT_TRUE(read(false, {0, 20ULL * item_bytes}).result);
    EXPECT_EQ(noted_.keys, in_order());
    ASSERT_TRUE(read(true, {0, 1}).result);
    EXPECT_EQ(noted_.keys, first_of(1));
}

TEST_P(IndexPagesTest, PagesFollowEachOther)
{
    fill(100);
    for (const bool fetch : {false, true}) {
        for (const bool backward : {false, true}) {
            range_ = {};
            range_.backward = backward;
            std::vector<std::string> all;
            IndexRowKey last;
            for (int pages = 0; pages < 20; ++pages) {
                ASSERT_TRUE(read(fetch, {11, kNoLimits.bytes}).result);
                all.insert(all.end(), noted_.keys.begin(), noted_.keys.end());
                if (!noted_.ended) {
                    break;
                }
                const model::ItemView entry(noted_.entries.back());
                last = local_index_key(table_->description, local_index(), entry.attributes());
                range_.after = last.view();
            }
            if (backward) {
                std::reverse(all.begin(), all.end());
            }
            EXPECT_EQ(all, in_order());
        }
    }
}

TEST_P(IndexPagesTest, TheSortKeyOfTheIndexBoundsThePage)
{
    fill(10);
    std::string lower;
    std::string upper;
    Item low;
    Item high;
    append_local_sort(local_index(), low.n("l", "-9").view().attributes(), lower);
    append_local_sort(local_index(), high.n("l", "-3").view().attributes(), upper);
    range_.lower = storage::SortBound{lower, true};
    range_.upper = storage::SortBound{upper, false};
    for (const bool fetch : {false, true}) {
        ASSERT_TRUE(read(fetch, kNoLimits).result);
        EXPECT_EQ(noted_.keys, (std::vector<std::string>{"009", "007", "005"}));
    }
}

TEST_P(IndexPagesTest, AnEmptyIndexIsAnExhaustedPage)
{
    for (const bool fetch : {false, true}) {
        ASSERT_TRUE(read(fetch, kNoLimits).result);
        EXPECT_TRUE(page_.exhausted);
        EXPECT_EQ(page_.items, 0U);
    }
}

TEST_P(IndexPagesTest, ALongPageWouldBlockAndAShortOneIsRead)
{
    fill(10);
    for (int i = 0; i < 3; ++i) { // a store may refuse for reasons of its own
        const auto outcome = read(true, kNoLimits, Wait::never);
        ASSERT_FALSE(outcome.result);
        EXPECT_EQ(outcome.result.error().code, ErrorCode::would_block);
    }
    bool done = false;
    for (int i = 0; i < 3 && !done; ++i) {
        done = read(true, {20, kNoLimits.bytes}, Wait::never).result.has_value();
    }
    ASSERT_TRUE(done);
    EXPECT_EQ(noted_.keys, first_of(20));
    expect_items();
}

TEST_P(IndexPagesTest, LargeItemsBehindSmallOnesAreNotReadManyAtOnce)
{
    constexpr std::size_t kLargeBytes = 400'000;
    constexpr int kSmall = 30;
    for (int i = 0; i < kSmall + 20; ++i) {
        Item item;
        put(item.s("pk", "p")
                .s("sk", name(i))
                .n("l", std::to_string(i))
                .s("v", std::string(i < kSmall ? 1 : kLargeBytes, 'v')));
    }
    ASSERT_TRUE(read(true, {0, std::uint64_t{1} << 20U}).result);
    EXPECT_EQ(noted_.keys.size(), kSmall + 3U);
    EXPECT_TRUE(noted_.ended);
    EXPECT_GT(store_.most_bytes_at_once(), kLargeBytes);
    EXPECT_LE(store_.most_bytes_at_once(), std::size_t{4} << 20U);
}

TEST_P(IndexPagesTest, TheWorkOnFetchedItemsCounts)
{
    fill(6400);
    const auto try_read = [&](std::uint32_t cost) {
        bool done = false;
        for (int i = 0; i < 3 && !done; ++i) {
            done = read(true, {1, kNoLimits.bytes, cost}, Wait::never).result.has_value();
        }
        return done;
    };
    EXPECT_TRUE(try_read(100));
    EXPECT_EQ(noted_.keys, first_of(1));
    EXPECT_FALSE(try_read(200));
    EXPECT_EQ(noted_.keys.size(), 0U) << "the item was not looked at";
}

TEST_P(IndexPagesTest, AnEntryWithoutItsItemIsReported)
{
    fill(10);
    const auto key = key_of("p", "051");
    ASSERT_TRUE(store_
                    .mutate(Wait::allowed, {},
                            [&](storage::Mutation &mutation) -> Result<void> {
                                mutation.remove(table_->keyspace(), key.view());
                                return {};
                            })
                    .result);
    const auto outcome = read(true, kNoLimits);
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error().code, ErrorCode::corruption);
}

} // namespace
} // namespace basalt::engine

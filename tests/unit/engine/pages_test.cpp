// Pages of a table with their limits.
#include "engine/engine.h"
#include "unit/engine/engine_fixture.h"

#include <algorithm>
#include <vector>

namespace basalt::engine {
namespace {

using storage::Consistency;
using storage::Wait;

/// Notes the sort keys of a page and where it ended.
class NotedPage final : public PageConsumer {
public:
    void restart() override
    {
        ++runs;
        keys.clear();
        ends.clear();
    }
    void item(const PageItem &item) override
    {
        keys.emplace_back(item.entry.find("sk")->text());
        ends.push_back(item.ends_page);
    }

    int runs = 0;
    std::vector<std::string> keys;
    std::vector<bool> ends;
};

class PagesTest : public EngineTest {
protected:
    void SetUp() override { table_ = create(pair_table("table")); }

    /// Puts items "000", "001", ... of partition "p", each of so many bytes by DynamoDB's rule.
    void fill(int count, std::size_t item_bytes)
    {
        constexpr std::size_t kOtherBytes = 2 + 1 + 2 + 3 + 1; // pk, p, sk, its three digits, x
        for (int i = 0; i < count; ++i) {
            Item item;
            put(item.s("pk", "p").s("sk", name(i)).s("x", std::string(item_bytes - kOtherBytes, 'x')));
        }
    }

    static std::string name(int i)
    {
        const auto digits = std::to_string(i);
        return std::string(3 - digits.size(), '0') + digits;
    }

    static std::vector<std::string> names(int first, int end)
    {
        std::vector<std::string> list;
        for (int i = first; i < end; ++i) {
            list.push_back(name(i));
        }
        return list;
    }

    storage::Outcome read(Wait wait, const PageLimits &limits, const storage::Range &range = {})
    {
        return engine_.read_page(wait, {*table_}, range, limits, Consistency::strong, noted_, page_);
    }

    NotedPage noted_;
    Page page_;
};
BASALT_ON_BOTH_BACKENDS(PagesTest);

constexpr PageLimits kNoLimits{0, std::uint64_t{1} << 40U};

TEST_P(PagesTest, AnEmptyRangeIsAnExhaustedPage)
{
    ASSERT_TRUE(read(Wait::allowed, kNoLimits).result);
    EXPECT_EQ(noted_.keys, std::vector<std::string>());
    EXPECT_EQ(noted_.runs, runs_of_a_body(GetParam()));
    EXPECT_EQ(page_.items, 0U);
    EXPECT_EQ(page_.bytes, 0U);
    EXPECT_TRUE(page_.exhausted);
}

TEST_P(PagesTest, APageWithoutLimitsIsTheWholeRange)
{
    fill(10, 100);
    ASSERT_TRUE(read(Wait::allowed, kNoLimits).result);
    EXPECT_EQ(noted_.keys, names(0, 10));
    EXPECT_EQ(noted_.ends, std::vector<bool>(10, false));
    EXPECT_EQ(page_.items, 10U);
    EXPECT_EQ(page_.bytes, 1000U);
    EXPECT_TRUE(page_.exhausted);
}

TEST_P(PagesTest, ALimitOfItemsEndsThePage)
{
    fill(5, 100);
    ASSERT_TRUE(read(Wait::allowed, {3, kNoLimits.bytes}).result);
    EXPECT_EQ(noted_.keys, names(0, 3));
    EXPECT_EQ(noted_.ends, (std::vector<bool>{false, false, true}));
    EXPECT_EQ(page_.items, 3U);
    EXPECT_EQ(page_.bytes, 300U);
    EXPECT_FALSE(page_.exhausted);

    ASSERT_TRUE(read(Wait::allowed, {5, kNoLimits.bytes}).result);
    EXPECT_EQ(noted_.keys, names(0, 5));
    EXPECT_TRUE(noted_.ends.back());

    ASSERT_TRUE(read(Wait::allowed, {6, kNoLimits.bytes}).result);
    EXPECT_FALSE(noted_.ends.back());
    EXPECT_TRUE(page_.exhausted);
}

TEST_P(PagesTest, ThePageEndsWithTheItemThatReachesTheLimitOfBytes)
{
    fill(5, 100);
    ASSERT_TRUE(read(Wait::allowed, {0, 300}).result);
    EXPECT_EQ(noted_.keys, names(0, 3));
    EXPECT_TRUE(noted_.ends.back());
    ASSERT_TRUE(read(Wait::allowed, {0, 301}).result);
    EXPECT_EQ(noted_.keys, names(0, 4));
    EXPECT_TRUE(noted_.ends.back());
    ASSERT_TRUE(read(Wait::allowed, {0, 501}).result);
    EXPECT_EQ(noted_.keys, names(0, 5));
    EXPECT_FALSE(noted_.ends.back());
    ASSERT_TRUE(read(Wait::allowed, {0, 1}).result);
    EXPECT_EQ(noted_.keys, names(0, 1));
}

TEST_P(PagesTest, PagesFollowEachOtherInBothDirections)
{
    fill(7, 50);
    for (const bool backward : {false, true}) {
        std::vector<std::string> all;
        std::string last;
        for (int pages = 0; pages < 10; ++pages) {
            storage::Range range;
            PrimaryKey start;
            range.backward = backward;
            if (!last.empty()) {
                Item item;
                start = key_of(item.s("pk", "p").s("sk", last));
                range.after = start.view();
            }
            ASSERT_TRUE(read(Wait::allowed, {3, kNoLimits.bytes}, range).result);
            all.insert(all.end(), noted_.keys.begin(), noted_.keys.end());
            if (noted_.ends.empty() || !noted_.ends.back()) {
                break;
            }
            last = noted_.keys.back();
        }
        auto expected = names(0, 7);
        if (backward) {
            std::reverse(expected.begin(), expected.end());
        }
        EXPECT_EQ(all, expected);
    }
}

TEST_P(PagesTest, ALongPageWouldBlockAndThenIsRead)
{
    fill(100, 1000);
    for (int i = 0; i < 3; ++i) { // a store may refuse for reasons of its own
        const auto outcome = read(Wait::never, kNoLimits);
        ASSERT_FALSE(outcome.result);
        EXPECT_EQ(outcome.result.error().code, ErrorCode::would_block);
    }
    ASSERT_TRUE(read(Wait::allowed, kNoLimits).result);
    EXPECT_EQ(noted_.keys, names(0, 100));
    EXPECT_EQ(page_.bytes, 100'000U);
}

TEST_P(PagesTest, ARowThatMakesThePageLongIsNotHandedOut)
{
    fill(1, 350'000);
    for (int i = 0; i < 3; ++i) {
        const auto outcome = read(Wait::never, {1, kNoLimits.bytes});
        ASSERT_FALSE(outcome.result);
        EXPECT_EQ(outcome.result.error().code, ErrorCode::would_block);
        EXPECT_EQ(noted_.keys.size(), 0U);
    }
    ASSERT_TRUE(read(Wait::allowed, {1, kNoLimits.bytes}).result);
    EXPECT_EQ(noted_.keys, names(0, 1));
}

TEST_P(PagesTest, TheWorkOnTheRowsBoundsWhatIsDoneWithoutWaiting)
{
    fill(10, 100); // two steps of 64 bytes each
    const auto try_read = [&](std::uint32_t cost) {
        bool done = false;
        for (int i = 0; i < 3 && !done; ++i) {
            done = read(Wait::never, {0, kNoLimits.bytes, cost}).result.has_value();
        }
        return done;
    };
    EXPECT_TRUE(try_read(500));
    EXPECT_EQ(noted_.keys, names(0, 10));
    EXPECT_FALSE(try_read(1000));
    EXPECT_LT(noted_.keys.size(), 10U);
    EXPECT_FALSE(try_read(20'000));
    EXPECT_EQ(noted_.keys.size(), 0U);
    EXPECT_FALSE(try_read(~std::uint32_t{0}));
    ASSERT_TRUE(read(Wait::allowed, {0, kNoLimits.bytes, ~std::uint32_t{0}}).result);
    EXPECT_EQ(noted_.keys, names(0, 10));
}

TEST_P(PagesTest, ALimitKeepsAPageShort)
{
    fill(100, 1000);
    bool done = false;
    for (int i = 0; i < 3 && !done; ++i) {
        done = static_cast<bool>(read(Wait::never, {10, kNoLimits.bytes}).result);
    }
    ASSERT_TRUE(done);
    EXPECT_EQ(noted_.keys, names(0, 10));
}

} // namespace
} // namespace basalt::engine

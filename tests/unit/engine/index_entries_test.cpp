// One walk over an item says of every index what asking each index about each attribute says.
#include "engine/index_entries.h"
#include "engine/index_entry.h"
#include "unit/engine/store_fixture.h"

#include <random>
#include <set>

namespace basalt::engine {
namespace {

using model::AttributeType;
using model::ProjectionType;

constexpr int kRounds = 300;
constexpr std::uint64_t kSeed = 20'261'130;

class IndexEntriesTest : public testing::Test {
protected:
    std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
    /// One of few names, many of them of one length and with the same ends.
    std::string name() { return "a" + std::string(below(3), 'x') + std::to_string(below(4)) + "z"; }

    model::IndexDescription random_index()
    {
        const auto type = [&] { return below(2) == 0 ? AttributeType::string : AttributeType::number; };
        model::IndexDescription index;
        index.keys.hash = {{below(2) == 0 ? "pk" : name(), AttributeType::string}};
        if (below(4) != 0) {
            do {
                index.keys.range = {{name(), type()}};
            } while (index.keys.range.front().name == index.keys.hash.front().name);
        }
        index.projection = static_cast<ProjectionType>(below(3));
        std::set<std::string> names;
        for (auto count = below(8); count > 0; --count) {
            names.insert(name());
        }
        index.non_key_attributes.assign(names.begin(), names.end());
        return index;
    }

    std::string random_item()
    {
        std::set<std::string> names;
        for (auto count = below(14); count > 0; --count) {
            names.insert(name());
        }
        Item item;
        if (below(2) == 0) {
            item.s("pk", "p").s("sk", std::to_string(below(3)));
        } else {
            item.s("sk", std::to_string(below(3))).s("pk", "p");
        }
        for (const auto &attribute : names) {
            if (below(2) == 0) {
                item.s(attribute, std::string(1 + below(3), 'v'));
            } else {
                item.n(attribute, std::to_string(below(3)));
            }
        }
        return std::string(item.view().bytes());
    }

    void check(std::size_t number, const IndexEntries &entries, model::ItemView item)
    {
        const auto &index = table_.local_indexes[number];
        ASSERT_EQ(entries.has(number), has_entry(index, item.attributes()));
        if (!entries.has(number)) {
            EXPECT_EQ(entries.size_bytes(number), 0U);
            return;
        }
        const auto expected = entry_of(table_, index, item);
        std::string buffer = "left over";
        EXPECT_EQ(entries.bytes(number, buffer), expected);
        EXPECT_EQ(entries.size_bytes(number), model::ItemView(expected).size_bytes());
        std::string sort, expected_sort;
        entries.append_sort(number, sort);
        append_local_sort(index, item.attributes(), expected_sort);
        EXPECT_EQ(sort, expected_sort);
    }

    std::mt19937_64 random_{kSeed};
    model::TableDescription table_ = pair_table("table");
};

TEST_F(IndexEntriesTest, SayWhatEachIndexSays)
{
    int compared = 0;
    for (int round = 0; round < kRounds; ++round) {
        SCOPED_TRACE("seed " + std::to_string(kSeed) + ", round " + std::to_string(round));
        table_.local_indexes.clear();
        for (auto count = 1 + below(6); count > 0; --count) {
            table_.local_indexes.push_back(random_index());
        }
        const IndexNames names(table_, table_.local_indexes);
        const auto left_bytes = random_item();
        const auto right_bytes = random_item();
        const model::ItemView left_item(left_bytes), right_item(right_bytes);
        const IndexEntries left(names, left_item), right(names, right_item);
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < table_.local_indexes.size(); ++i) {
            check(i, left, left_item);
            check(i, right, right_item);
            sum += left.size_bytes(i);
            if (left.has(i) && right.has(i)) {
                ++compared;
                const auto &index = table_.local_indexes[i];
                EXPECT_EQ(left.same_bytes(i, right),
                          entry_of(table_, index, left_item) == entry_of(table_, index, right_item));
                std::string left_sort, right_sort;
                left.append_sort(i, left_sort);
                right.append_sort(i, right_sort);
                const auto &hash = index.keys.hash.front().name;
                EXPECT_EQ(left.same_keys(i, right),
                          left_sort == right_sort && left_item.find(hash)->bytes() == right_item.find(hash)->bytes());
            }
        }
        EXPECT_EQ(left.size_bytes(), sum);
        EXPECT_EQ(local_entries_size_bytes(table_, left_item), sum);
        if (HasFailure()) {
            return;
        }
    }
    EXPECT_GT(compared, kRounds / 4) << "too few items with entries to say anything";
}

TEST_F(IndexEntriesTest, OfATableWithoutIndexesThereAreNone)
{
    const IndexNames names(table_, {});
    EXPECT_EQ(names.count(), 0U);
    EXPECT_TRUE(names.uses("pk").empty());
    const auto item = random_item();
    EXPECT_EQ(IndexEntries(names, model::ItemView(item)).size_bytes(), 0U);
}

TEST_F(IndexEntriesTest, EachNameIsKnownOnceThoughManyUseIt)
{
    table_.local_indexes = {indexed_table("t").local_indexes[0], indexed_table("t").local_indexes[0]};
    table_.local_indexes[1].projection = ProjectionType::include;
    table_.local_indexes[1].non_key_attributes = {"v", "w"};
    const IndexNames names(table_, table_.local_indexes);
    EXPECT_EQ(names.count(), 5U); // pk, sk, l, v, w
    EXPECT_EQ(names.uses("l").size(), 2U);
    EXPECT_FALSE(names.uses("l")[0].projects) << "the first holds whole items";
    EXPECT_TRUE(names.uses("l")[1].projects);
    EXPECT_EQ(names.uses("v").size(), 1U);
    EXPECT_TRUE(names.uses("x").empty());
    EXPECT_TRUE(names.uses("").empty());
}

} // namespace
} // namespace basalt::engine

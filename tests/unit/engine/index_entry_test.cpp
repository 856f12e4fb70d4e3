// What secondary indexes hold of an item, without a store.
#include "engine/index_entries.h"
#include "engine/index_entry.h"
#include "unit/engine/store_fixture.h"

#include <algorithm>

namespace basalt::engine {
namespace {

using model::AttributeType;
using model::ProjectionType;

class IndexEntryTest : public testing::Test {
protected:
    std::string entry(Item &item, const model::IndexDescription &index) const
    {
        std::string buffer = "before";
        const IndexNames names(table_, {&index, 1});
        const std::string bytes(IndexEntries(names, item.view()).bytes(0, buffer));
        EXPECT_TRUE(codec::is_valid_item(bytes));
        return bytes;
    }
    std::uint64_t entry_size_bytes(Item &item, const model::IndexDescription &index) const
    {
        const IndexNames names(table_, {&index, 1});
        return IndexEntries(names, item.view()).size_bytes();
    }
    std::uint64_t units(Item *old_item, Item *new_item, const model::IndexDescription &index) const
    {
        return index_write_units(table_, std::span(&index, 1),
                                 old_item ? std::optional(old_item->view()) : std::nullopt,
                                 new_item ? std::optional(new_item->view()) : std::nullopt)
            .front();
    }

    model::TableDescription table_ = indexed_table("table");
    model::IndexDescription &local_ = table_.local_indexes[0];
    model::IndexDescription &global_ = table_.global_indexes[0];
};

std::string bytes_of(Item &item)
{
    return std::string(item.view().bytes());
}

TEST_F(IndexEntryTest, AnEntryNeedsEveryKeyWithItsType)
{
    const auto has = [](const model::IndexDescription &index, Item &item) {
        return has_entry(index, item.view().attributes());
    };
    EXPECT_TRUE(has(local_, Item().s("pk", "p").s("sk", "s").n("l", "1")));
    EXPECT_FALSE(has(local_, Item().s("pk", "p").s("sk", "s")));
    EXPECT_FALSE(has(local_, Item().s("pk", "p").s("sk", "s").s("l", "1")));
    EXPECT_FALSE(has(local_, Item().s("pk", "p").s("sk", "s").null("l")));
    EXPECT_TRUE(has(global_, Item().s("g", "g").b("b", "b")));
    EXPECT_FALSE(has(global_, Item().s("g", "g")));
    EXPECT_FALSE(has(global_, Item().b("b", "b")));
    EXPECT_FALSE(has(global_, Item().s("g", "g").s("b", "b")));
}

TEST_F(IndexEntryTest, AGlobalIndexMayHaveSeveralKeysOfEachKind)
{
    model::IndexDescription index;
    index.projection = ProjectionType::keys_only;
    Item full;
    full.s("other", "x");
    for (const auto &name : {std::string("1"), std::string("2"), std::string("3"), std::string("4")}) {
        index.keys.hash.push_back({"h" + name, AttributeType::string});
        index.keys.range.push_back({"r" + name, AttributeType::number});
        full.s("h" + name, "h").n("r" + name, name);
    }
    EXPECT_TRUE(has_entry(index, full.view().attributes()));
    EXPECT_TRUE(is_projected(table_, index, "h4"));
    EXPECT_TRUE(is_projected(table_, index, "r4"));
    EXPECT_TRUE(is_projected(table_, index, "sk"));
    EXPECT_FALSE(is_projected(table_, index, "other"));
    Item lacking;
    lacking.s("h1", "h").s("h2", "h").s("h3", "h").s("h4", "h").n("r1", "1").n("r2", "1").n("r3", "1");
    EXPECT_FALSE(has_entry(index, lacking.view().attributes()));
}

TEST_F(IndexEntryTest, ValuesThatNoKeyCanHaveMakeNoEntry)
{
    table_.global_indexes[0].keys.range.push_back({"n", AttributeType::number});
    const IndexNames names(table_, table_.global_indexes);
    const auto has = [&](const std::string &g, const std::string &b, const std::string &n) {
        Item item;
        item.s("g", g).b("b", b).n("n", n);
        const bool found = has_entry(global_, item.view().attributes());
        EXPECT_EQ(IndexEntries(names, item.view()).has(0), found);
        return found;
    };
    const std::string longest_hash(2048, 'g');
    EXPECT_TRUE(has("g", "b", "1"));
    EXPECT_FALSE(has("", "b", "1"));
    EXPECT_FALSE(has("g", "", "1"));
    EXPECT_TRUE(has(longest_hash, "b", "1"));
    EXPECT_FALSE(has(longest_hash + 'g', "b", "1"));
    // 123 takes three bytes.
    EXPECT_TRUE(has("g", std::string(1021, 'b'), "123"));
    EXPECT_FALSE(has("g", std::string(1022, 'b'), "123"));
    EXPECT_TRUE(has("g", std::string(1022, 'b'), "12"));
    EXPECT_FALSE(has("g", std::string(1025, 'b'), "1"));
}

TEST_F(IndexEntryTest, TheRowStandsBesideTheItem)
{
    Item item;
    item.s("pk", "p").s("sk", "s").n("l", "-7").s("x", "y");
    const auto base = key_from_stored(table_.keys, item.view().attributes());
    const auto key = local_index_key(table_, local_, item.view().attributes());
    EXPECT_EQ(key.hash, base.hash);
    EXPECT_EQ(key.partition, base.partition);
    EXPECT_EQ(key.tail, base.sort);
    std::string sort;
    append_local_sort(local_, item.view().attributes(), sort);
    EXPECT_EQ(key.sort, sort);
    const auto of_entry = local_index_key(table_, local_, model::ItemView(entry(item, local_)).attributes());
    EXPECT_EQ(of_entry.sort, key.sort);
    Item larger;
    larger.s("pk", "p").s("sk", "s").n("l", "-6.5");
    EXPECT_LT(key.sort, local_index_key(table_, local_, larger.view().attributes()).sort);
}

TEST_F(IndexEntryTest, EntriesHoldWhatIsProjected)
{
    Item item;
    item.s("v", "1").s("sk", "s").s("w", "22").n("l", "1").s("pk", "p").s("z", "333");
    EXPECT_EQ(entry(item, local_), bytes_of(item));
    EXPECT_EQ(entry_size_bytes(item, local_), item.view().size_bytes());

    local_.projection = ProjectionType::keys_only;
    Item keys;
    keys.s("sk", "s").n("l", "1").s("pk", "p");
    EXPECT_EQ(entry(item, local_), bytes_of(keys));
    EXPECT_EQ(entry_size_bytes(item, local_), keys.view().size_bytes());

    local_.projection = ProjectionType::include;
    local_.non_key_attributes = {"a", "v", "z"};
    Item included;
    included.s("v", "1").s("sk", "s").n("l", "1").s("pk", "p").s("z", "333");
    EXPECT_EQ(entry(item, local_), bytes_of(included));
    EXPECT_EQ(entry_size_bytes(item, local_), included.view().size_bytes());
    EXPECT_TRUE(is_projected(table_, local_, "a"));
    EXPECT_TRUE(is_projected(table_, local_, "l"));
    EXPECT_FALSE(is_projected(table_, local_, "w"));
}

TEST_F(IndexEntryTest, LocalEntriesAreCountedTogether)
{
    auto second = local_;
    second.keys.range = {{"m", AttributeType::string}};
    second.projection = ProjectionType::keys_only;
    table_.local_indexes.push_back(second);
    Item none;
    none.s("pk", "p").s("sk", "s").s("g", "g").b("b", "b");
    EXPECT_EQ(local_entries_size_bytes(table_, none.view()), 0U);
    Item both;
    both.s("pk", "p").s("sk", "s").n("l", "1").s("m", "m").s("x", "12345");
    EXPECT_EQ(local_entries_size_bytes(table_, both.view()), both.view().size_bytes() + 2 + 1 + 2 + 1 + 1 + 1);
}

TEST_F(IndexEntryTest, AChangeCostsWhatItWrites)
{
    local_.projection = ProjectionType::include;
    local_.non_key_attributes = {"v"};
    const auto item = [](Item &out, const char *l, std::size_t bytes) -> Item & {
        out.s("pk", "p").s("sk", "s");
        if (l != nullptr) {
            out.n("l", l);
        }
        return out.s("v", std::string(bytes, 'v'));
    };
    Item absent, one, three, moved, moved_three, reordered, unprojected;
    item(absent, nullptr, 10);
    item(one, "1", 100);
    item(three, "1", 2500);
    item(moved, "2", 100);
    item(moved_three, "2", 2500);
    reordered.s("v", std::string(100, 'v')).n("l", "1").s("sk", "s").s("pk", "p");
    unprojected.s("other", std::string(5000, 'x')).s("pk", "p").s("sk", "s").n("l", "1").s("v", std::string(100, 'v'));

    EXPECT_EQ(units(nullptr, nullptr, local_), 0U);
    EXPECT_EQ(units(nullptr, &absent, local_), 0U);
    EXPECT_EQ(units(&absent, nullptr, local_), 0U);
    EXPECT_EQ(units(nullptr, &one, local_), 1U);
    EXPECT_EQ(units(&absent, &three, local_), 3U);
    EXPECT_EQ(units(&three, nullptr, local_), 3U);
    EXPECT_EQ(units(&one, &absent, local_), 1U);
    EXPECT_EQ(units(&one, &moved, local_), 2U);
    EXPECT_EQ(units(&three, &moved, local_), 4U);
    EXPECT_EQ(units(&three, &moved_three, local_), 6U);
    EXPECT_EQ(units(&one, &three, local_), 3U);
    EXPECT_EQ(units(&three, &one, local_), 3U);
    EXPECT_EQ(units(&one, &one, local_), 0U);
    EXPECT_EQ(units(&one, &reordered, local_), 0U);
    EXPECT_EQ(units(&one, &unprojected, local_), 0U);
    Item changed;
    item(changed, "1", 99);
    EXPECT_EQ(units(&one, &changed, local_), 1U);
}

TEST_F(IndexEntryTest, SeveralIndexesCostTogetherWhatEachCosts)
{
    auto second = local_;
    second.keys.range = {{"m", AttributeType::string}};
    second.projection = ProjectionType::keys_only;
    table_.local_indexes.push_back(second);
    auto third = second;
    third.projection = ProjectionType::all;
    table_.local_indexes.push_back(third);
    Item before, after;
    before.s("pk", "p").s("sk", "s").n("l", "1").s("m", "m").s("v", std::string(1500, 'v'));
    after.s("pk", "p").s("sk", "s").n("l", "2").s("m", "m").s("v", std::string(2500, 'v'));
    const auto units_of = [&](std::optional<model::ItemView> old_item, std::optional<model::ItemView> new_item) {
        return index_write_units(table_, table_.local_indexes, old_item, new_item);
    };
    using Units = std::vector<std::uint64_t>;
    EXPECT_EQ(units_of(before.view(), after.view()), (Units{5, 0, 3}));
    EXPECT_EQ(units_of(std::nullopt, after.view()), (Units{3, 1, 3}));
    EXPECT_EQ(units_of(before.view(), std::nullopt), (Units{2, 1, 2}));
    EXPECT_EQ(units_of(before.view(), before.view()), (Units{0, 0, 0}));
    EXPECT_EQ(index_write_units(table_, std::span<const model::IndexDescription>(), before.view(), after.view()),
              Units());
}

TEST_F(IndexEntryTest, ManyAttributesInAnotherOrderAreComparedQuickly)
{
    constexpr int kAttributes = 40'000;
    Item forward, backward;
    forward.s("pk", "p").s("sk", "s").n("l", "1");
    for (int i = 0; i < kAttributes; ++i) {
        forward.null(std::to_string(i));
        backward.null(std::to_string(kAttributes - 1 - i));
    }
    backward.s("pk", "p").s("sk", "s").n("l", "1");
    EXPECT_EQ(units(&forward, &backward, local_), 0U);
}

} // namespace
} // namespace basalt::engine

// Local indexes and item collections as writes leave them.
#include "engine/index_entry.h"
#include "unit/engine/engine_fixture.h"

#include <array>
#include <thread>

namespace basalt::engine {
namespace {

using model::ProjectionType;
using storage::Wait;
using Rows = std::vector<std::string>;

class LocalIndexTest : public EngineTest {
protected:
    void use(ProjectionType projection)
    {
        auto description = indexed_table("table");
        description.local_indexes[0].projection = projection;
        if (projection == ProjectionType::include) {
            description.local_indexes[0].non_key_attributes = {"v"};
        }
        create(std::move(description));
    }

    /// pk "p" and the sort key, and the index's key where there is one.
    static Item &keys(Item &item, std::string_view sk, const char *l)
    {
        item.s("pk", "p").s("sk", sk);
        return l != nullptr ? item.n("l", l) : item;
    }

    Rows entries() { return rows(local_keyspace()); }
    std::size_t index_writes() const { return store_.last_writes(local_keyspace()); }
    std::size_t collection_writes() const { return store_.last_writes(table_->collections_keyspace()); }
};
BASALT_ON_BOTH_BACKENDS(LocalIndexTest);

TEST_P(LocalIndexTest, EntriesFollowTheirItemsWithEveryProjection)
{
    for (const auto projection : {ProjectionType::all, ProjectionType::keys_only, ProjectionType::include}) {
        auto description = indexed_table("table" + std::to_string(static_cast<int>(projection)));
        description.local_indexes[0].projection = projection;
        description.local_indexes[0].non_key_attributes = {"v"};
        create(std::move(description));
        const auto expected = [&](Item &item) {
            return Rows{entry_of(table_->description, local_index(), item.view())};
        };
        Item first, second;
        keys(first, "s", "1").s("v", "old").s("w", "x");
        keys(second, "s", "1").s("v", "new").s("w", "x");
        put(first);
        EXPECT_EQ(entries(), expected(first));
        put(second);
        EXPECT_EQ(entries(), expected(second));
        const auto key = local_index_key(table_->description, local_index(), second.view().attributes());
        EXPECT_EQ(row(local_keyspace(), key.view()), expected(second).front());
        remove("p", "s");
        EXPECT_EQ(entries(), Rows());
    }
}

TEST_P(LocalIndexTest, ItemsWithoutTheKeyHaveNoEntry)
{
    use(ProjectionType::all);
    Item without, with, without_again;
    put(keys(without, "s", nullptr));
    EXPECT_EQ(entries(), Rows());
    EXPECT_EQ(index_writes(), 0U);
    put(keys(with, "s", "5"));
    EXPECT_EQ(entries(), Rows{bytes_of(with)});
    put(keys(without_again, "s", nullptr).s("v", "x"));
    EXPECT_EQ(entries(), Rows());
    Item wrong;
    put(wrong.s("pk", "p").s("sk", "s").s("l", "5"));
    EXPECT_EQ(entries(), Rows());
}

TEST_P(LocalIndexTest, EntriesAreInTheOrderOfTheIndexThenOfTheTable)
{
    use(ProjectionType::all);
    std::array<Item, 5> items;
    put(keys(items[0], "e", "-10"));
    put(keys(items[1], "b", "2"));
    put(keys(items[2], "c", "2"));
    put(keys(items[3], "a", "10"));
    put(keys(items[4], "d", "100.5"));
    Rows expected;
    for (auto &item : items) {
        expected.push_back(bytes_of(item));
    }
    EXPECT_EQ(entries(), expected);
}

TEST_P(LocalIndexTest, AMovedKeyMovesTheEntry)
{
    use(ProjectionType::keys_only);
    Item first, second, expected;
    put(keys(first, "s", "5").s("v", "x"));
    put(keys(second, "s", "3").s("v", "x"));
    EXPECT_EQ(index_writes(), 2U);
    EXPECT_EQ(entries(), Rows{bytes_of(keys(expected, "s", "3"))});
    const auto old_key = local_index_key(table_->description, local_index(), first.view().attributes());
    EXPECT_EQ(row(local_keyspace(), old_key.view()), std::nullopt);
}

TEST_P(LocalIndexTest, AnEntryThatStaysTheSameIsNotWritten)
{
    use(ProjectionType::include);
    Item first, second, third;
    put(keys(first, "s", "5").s("v", "x").s("w", "1"));
    EXPECT_EQ(index_writes(), 1U);
    put(keys(second, "s", "5").s("v", "x").s("w", "22"));
    EXPECT_EQ(index_writes(), 0U);
    EXPECT_EQ(store_.last_writes(table_->keyspace()), 1U);
    put(keys(third, "s", "5").s("v", "y").s("w", "22"));
    EXPECT_EQ(index_writes(), 1U);
    EXPECT_EQ(collection_writes(), 0U);
    put(third);
    EXPECT_EQ(index_writes() + collection_writes() + store_.last_writes(table_->keyspace()), 0U);
}

TEST_P(LocalIndexTest, TheOldItemIsGivenToAcceptedThoughNobodyAskedForIt)
{
    use(ProjectionType::all);
    Item first, second;
    put(keys(first, "s", "5"));
    keys(second, "s", "6");
    auto replacing = DecidedWrite::put(second);
    ASSERT_TRUE(write(key_of(second), replacing));
    EXPECT_EQ(replacing.old_item, bytes_of(first));
    EXPECT_EQ(replacing.new_item, bytes_of(second));
}

TEST_P(LocalIndexTest, ACollectionCountsItemsAndEntries)
{
    use(ProjectionType::keys_only);
    constexpr std::uint64_t kKeys = 2 + 1 + 2 + 1;      // pk "p", sk of one character
    constexpr std::uint64_t kEntry = kKeys + 1 + 1 + 1; // l, one digit
    constexpr std::uint64_t kIndexed = kEntry + 1 + 10; // the item: v of ten characters
    Item plain, indexed, other;
    EXPECT_EQ(collection_bytes("p"), std::nullopt);
    put(keys(plain, "a", nullptr));
    EXPECT_EQ(collection_bytes("p"), kKeys);
    put(keys(indexed, "b", "7").s("v", "0123456789"));
    EXPECT_EQ(collection_bytes("p"), kKeys + kIndexed + kEntry);
    put(other.s("pk", "q").s("sk", "a"));
    EXPECT_EQ(collection_bytes("p"), kKeys + kIndexed + kEntry);
    EXPECT_EQ(collection_bytes("q"), kKeys);

    auto looking = DecidedWrite::nothing();
    ASSERT_TRUE(write(key_of("p", "a"), looking));
    EXPECT_EQ(looking.collection_bytes, kKeys + kIndexed + kEntry);

    remove("p", "b");
    EXPECT_EQ(collection_bytes("p"), kKeys);
    remove("p", "b");
    EXPECT_EQ(collection_bytes("p"), kKeys);
    remove("p", "a");
    EXPECT_EQ(collection_bytes("p"), std::nullopt);
    EXPECT_EQ(rows(table_->collections_keyspace()).size(), 1U);
}

TEST_P(LocalIndexTest, WritesOfOneCommitIntoOneCollectionAddUp)
{
    use(ProjectionType::all);
    Item a, b, c, old_c;
    put(keys(old_c, "c", "1").s("v", std::string(100, 'v')));
    const auto before = collection_bytes("p").value();
    auto put_a = DecidedWrite::put(keys(a, "a", "1"));
    auto put_b = DecidedWrite::put(keys(b, "b", nullptr).s("v", "x"));
    auto remove_c = DecidedWrite::remove();
    auto put_elsewhere = DecidedWrite::put(c.s("pk", "q").s("sk", "a"));
    const std::array row_keys{key_of("p", "a"), key_of("p", "b"), key_of("p", "c"), key_of("q", "a")};
    const std::array targets{ItemWriteTarget{*table_, row_keys[0], put_a}, ItemWriteTarget{*table_, row_keys[1], put_b},
                             ItemWriteTarget{*table_, row_keys[2], remove_c},
                             ItemWriteTarget{*table_, row_keys[3], put_elsewhere}};
    ASSERT_TRUE(engine_.write_items(Wait::allowed, targets).result);
    const auto after = before + 2 * a.view().size_bytes() + b.view().size_bytes() - 2 * old_c.view().size_bytes();
    EXPECT_EQ(collection_bytes("p"), after);
    EXPECT_EQ(collection_bytes("q"), c.view().size_bytes());
    EXPECT_EQ(collection_writes(), 2U);
    for (const auto *write : {&put_a, &put_b, &remove_c}) {
        EXPECT_EQ(write->collection_bytes, after);
    }
    EXPECT_EQ(put_elsewhere.collection_bytes, c.view().size_bytes());
    EXPECT_EQ(entries(), Rows{bytes_of(a)});
}

TEST_P(LocalIndexTest, ThreadsThatWriteIntoOneCollectionLoseNothing)
{
    use(ProjectionType::keys_only);
    constexpr int kThreads = 4;
    constexpr int kWrites = 100;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([this, thread] {
            for (int i = 0; i < kWrites; ++i) {
                Item item;
                keys(item, std::to_string(thread) + "/" + std::to_string(i % 7), i % 3 == 0 ? nullptr : "1");
                item.s("v", std::string(static_cast<std::size_t>(1 + i), 'v'));
                put(item);
            }
        });
    }
    for (auto &thread : threads) {
        thread.join();
    }
    std::uint64_t expected = 0;
    for (const auto &bytes : rows(table_->keyspace())) {
        const model::ItemView item(bytes);
        expected += item.size_bytes() + local_entries_size_bytes(table_->description, item);
    }
    EXPECT_EQ(collection_bytes("p"), expected);
}

class DamagedCollectionTest : public LocalIndexTest {
protected:
    DamagedCollectionTest() { use(ProjectionType::all); }

    void store_size(const std::optional<std::string> &row)
    {
        const auto key = key_of("p", "any");
        const auto outcome = store_.mutate(Wait::allowed, {}, [&](storage::Mutation &mutation) -> Result<void> {
            const storage::Key collection{key.hash, key.partition, {}, {}};
            if (row) {
                mutation.put(table_->collections_keyspace(), collection, *row);
            } else {
                mutation.remove(table_->collections_keyspace(), collection);
            }
            return {};
        });
        ASSERT_TRUE(outcome.result);
    }

    static const std::vector<std::optional<std::string>> &damages()
    {
        static const std::vector<std::optional<std::string>> all{std::nullopt, std::string("\1\0\0\0\0\0\0\0", 8),
                                                                 std::string("\1\0\0\0", 4), std::string()};
        return all;
    }
};
BASALT_ON_BOTH_BACKENDS(DamagedCollectionTest);

TEST_P(DamagedCollectionTest, ItsItemsCanBeReplacedAndRemoved)
{
    for (const auto &damage : damages()) {
        Item first, second, changed;
        put(keys(first, "1", "1"));
        put(keys(second, "2", "1").s("v", "x"));
        store_size(damage);
        put(keys(changed, "1", "1").s("v", "longer"));
        EXPECT_EQ(collection_bytes("p"), 2 * changed.view().size_bytes()) << "what has been seen since";
        remove("p", "2");
        EXPECT_GT(collection_bytes("p").value_or(0), 0U);
        remove("p", "1");
        EXPECT_EQ(collection_bytes("p"), std::nullopt);
        EXPECT_EQ(rows(table_->keyspace()).size() + entries().size(), 0U);
    }
}

TEST_P(DamagedCollectionTest, AWriteThatChangesNothingLeavesItAlone)
{
    Item item;
    put(keys(item, "1", "1"));
    store_size("bad");
    put(item);
    remove("p", "2");
    EXPECT_EQ(collection_writes(), 0U);
}

class CollectionLimitTest : public LocalIndexTest {
protected:
    static constexpr std::uint64_t kLimit = 1000;

    CollectionLimitTest() { use(ProjectionType::keys_only); }

    /// Sets the whole size of a collection with one item: no entry, so many bytes.
    Result<void> try_put(std::string_view sk, std::size_t bytes)
    {
        Item item;
        const std::size_t others = 2 + 1 + 2 + sk.size() + 1;
        keys(item, sk, nullptr).s("v", std::string(bytes - others, 'v'));
        const auto key = key_of(item);
        auto putting = DecidedWrite::put(item);
        const std::array targets{ItemWriteTarget{*table_, key, putting}};
        return limited_.write_items(Wait::allowed, targets).result;
    }

    static void expect_refused(const Result<void> &result)
    {
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error(), (Error{ErrorCode::item_collection_size_limit_exceeded, "Collection size exceeded."}));
    }

    Engine limited_{store_, clock_, random_, EngineOptions{0, kLimit}};
};
BASALT_ON_BOTH_BACKENDS(CollectionLimitTest);

TEST_P(CollectionLimitTest, ACollectionFillsUpToTheLimit)
{
    ASSERT_TRUE(try_put("a", 600));
    ASSERT_TRUE(try_put("b", 400));
    EXPECT_EQ(collection_bytes("p"), kLimit);
    expect_refused(try_put("c", 20));
    expect_refused(try_put("b", 401));
    EXPECT_EQ(collection_bytes("p"), kLimit);
    EXPECT_EQ(rows(table_->keyspace()).size(), 2U);
    EXPECT_TRUE(try_put("b", 399));
    EXPECT_TRUE(try_put("b", 400));
}

TEST_P(CollectionLimitTest, EntriesCountTowardsTheLimit)
{
    Item item;
    ASSERT_TRUE(try_put("a", 990));
    keys(item, "b", "1");
    auto putting = DecidedWrite::put(item);
    const auto key = key_of(item);
    const std::array targets{ItemWriteTarget{*table_, key, putting}};
    expect_refused(limited_.write_items(Wait::allowed, targets).result);
    EXPECT_EQ(entries(), Rows());
}

TEST_P(CollectionLimitTest, WhatIsAboveTheLimitMayShrinkOrStayAsLarge)
{
    Item item;
    put(keys(item, "a", nullptr).s("v", std::string(3000, 'v'))); // without a limit
    EXPECT_TRUE(try_put("a", 3007));
    EXPECT_TRUE(try_put("a", 2500));
    EXPECT_TRUE(try_put("a", 2500));
    expect_refused(try_put("a", 2501));
    expect_refused(try_put("b", 20));
    EXPECT_EQ(collection_bytes("p"), 2500U);
}

TEST_P(CollectionLimitTest, ACommitIsMeasuredAsAWhole)
{
    ASSERT_TRUE(try_put("a", 900));
    Item item;
    auto putting = DecidedWrite::put(keys(item, "b", nullptr).s("v", std::string(500, 'v')));
    auto removing = DecidedWrite::remove();
    const std::array row_keys{key_of("p", "b"), key_of("p", "a")};
    const std::array targets{ItemWriteTarget{*table_, row_keys[0], putting},
                             ItemWriteTarget{*table_, row_keys[1], removing}};
    EXPECT_TRUE(limited_.write_items(Wait::allowed, targets).result);
    EXPECT_EQ(collection_bytes("p"), item.view().size_bytes());
}

} // namespace
} // namespace basalt::engine

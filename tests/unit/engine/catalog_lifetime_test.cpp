// Tables over the life of a database: reloading, and when the rows of a dropped table are given to the store.
#include "codec/table_encoding.h"
#include "engine/catalog.h"
#include "unit/engine/store_fixture.h"

#include <chrono>
#include <thread>
#include <vector>

namespace basalt::engine {
namespace {

using storage::KeyspaceId;
using storage::Wait;
using Keyspaces = std::multiset<KeyspaceId>;

class CatalogLifetimeTest : public BackendTest {
protected:
    static constexpr std::int64_t kDelayMs = 1000;

    std::unique_ptr<Catalog> open(std::int64_t transition_ms)
    {
        auto catalog = std::make_unique<Catalog>(store_, clock_, random_, transition_ms);
        EXPECT_TRUE(catalog->load());
        return catalog;
    }

    static model::TableDescription create(Catalog &catalog, model::TableDescription table)
    {
        EXPECT_TRUE(catalog.create(Wait::allowed, table).result);
        return table;
    }

    static void drop(Catalog &catalog, const std::string &name)
    {
        model::TableDescription dropped;
        EXPECT_TRUE(catalog.drop(Wait::allowed, name, dropped).result);
    }

    static Keyspaces keyspaces_of(const model::TableDescription &table)
    {
        Keyspaces keyspaces{KeyspaceId{table.keyspace}};
        if (table.collections_keyspace != 0) {
            keyspaces.insert(KeyspaceId{table.collections_keyspace});
        }
        if (table.log_keyspace != 0) {
            keyspaces.insert(KeyspaceId{table.log_keyspace});
        }
        for (const auto *indexes : {&table.local_indexes, &table.global_indexes}) {
            for (const auto &index : *indexes) {
                keyspaces.insert(KeyspaceId{index.keyspace});
            }
        }
        return keyspaces;
    }

    /// Waits for the sweeper, which works on its own thread.
    void wait_until_reclaimed(const Keyspaces &wanted) const
    {
        constexpr int kPatience = 2000;
        for (int i = 0; i < kPatience && store_.reclaimed() != wanted; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        EXPECT_EQ(store_.reclaimed(), wanted);
    }
};
BASALT_ON_BOTH_BACKENDS(CatalogLifetimeTest);

TEST_P(CatalogLifetimeTest, DescriptionsAreReadAgain)
{
    std::vector<std::string> written;
    {
        const auto catalog = open(0);
        for (const auto *name : {"a", "b", "c"}) {
            auto table = indexed_table(name);
            table.tags = {{"key", std::string("value of ") + name}};
            written.push_back(codec::encode_table(create(*catalog, table)));
        }
        create(*catalog, pair_table("d"));
        drop(*catalog, "d");
    }
    const auto catalog = open(0);
    bool more = false;
    const auto names = catalog->list("", 10, more);
    ASSERT_EQ(names, (std::vector<std::string>{"a", "b", "c"}));
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(codec::encode_table(catalog->find(names[i])->description), written[i]);
        EXPECT_TRUE(catalog->find_active(names[i]));
    }
}

TEST_P(CatalogLifetimeTest, TransitionsGoOnAfterReloading)
{
    {
        const auto catalog = open(kDelayMs);
        create(*catalog, pair_table("old"));
        clock_.advance_ms(kDelayMs);
        create(*catalog, pair_table("young"));
        drop(*catalog, "old");
    }
    const auto catalog = open(kDelayMs);
    EXPECT_EQ(status_at(catalog->find("old")->description, clock_.now_ms()), TableStatus::deleting);
    EXPECT_EQ(status_at(catalog->find("young")->description, clock_.now_ms()), TableStatus::creating);
    clock_.advance_ms(kDelayMs);
    EXPECT_EQ(catalog->find("old"), nullptr);
    EXPECT_TRUE(catalog->find_active("young"));
}

TEST_P(CatalogLifetimeTest, ADroppedTableIsReclaimedWithItsIndexes)
{
    const auto catalog = open(0);
    const auto kept = create(*catalog, indexed_table("kept"));
    const auto table = create(*catalog, indexed_table("table"));
    EXPECT_EQ(store_.reclaimed(), Keyspaces());
    EXPECT_EQ(keyspaces_of(table).size(), 5U); // items, two indexes, sizes of item collections, change log
    drop(*catalog, "table");
    EXPECT_EQ(store_.reclaimed(), keyspaces_of(table));
}

TEST_P(CatalogLifetimeTest, NothingIsReclaimedWhileSomebodyHoldsTheTable)
{
    const auto catalog = open(0);
    const auto table = create(*catalog, pair_table("table"));
    auto first = catalog->find("table");
    auto second = catalog->find_active("table").value();
    drop(*catalog, "table");
    const auto successor = create(*catalog, pair_table("table"));
    EXPECT_EQ(store_.reclaimed(), Keyspaces());
    first.reset();
    EXPECT_EQ(store_.reclaimed(), Keyspaces());
    second.reset();
    EXPECT_EQ(store_.reclaimed(), keyspaces_of(table));
    EXPECT_NE(successor.keyspace, table.keyspace);
}

TEST_P(CatalogLifetimeTest, ReloadingReclaimsNothing)
{
    create(*open(0), indexed_table("table"));
    open(0);
    EXPECT_EQ(store_.reclaimed(), Keyspaces());
}

TEST_P(CatalogLifetimeTest, AFailedDropReclaimsNothing)
{
    const auto catalog = open(0);
    create(*catalog, pair_table("table"));
    store_.fail_next_mutation({ErrorCode::io_error, "no space"});
    model::TableDescription dropped;
    EXPECT_FALSE(catalog->drop(Wait::allowed, "table", dropped).result);
    EXPECT_EQ(store_.reclaimed(), Keyspaces());
}

TEST_P(CatalogLifetimeTest, TheSweeperRemovesWhatIsGone)
{
    const auto catalog = open(kDelayMs);
    const auto table = create(*catalog, indexed_table("table"));
    const auto kept = create(*catalog, pair_table("kept"));
    clock_.advance_ms(kDelayMs);
    auto held = catalog->find("table"); // an older version of it
    drop(*catalog, "table");
    EXPECT_EQ(store_.reclaimed(), Keyspaces());
    clock_.advance_ms(kDelayMs);
    held.reset();
    wait_until_reclaimed(keyspaces_of(table));
    EXPECT_TRUE(catalog->find_active("kept"));
}

TEST_P(CatalogLifetimeTest, TheSweeperStartsAgainAfterReloading)
{
    model::TableDescription table;
    {
        const auto catalog = open(kDelayMs);
        table = create(*catalog, pair_table("table"));
        clock_.advance_ms(kDelayMs);
        drop(*catalog, "table");
    }
    clock_.advance_ms(kDelayMs);
    const auto catalog = open(kDelayMs);
    wait_until_reclaimed(keyspaces_of(table));
}

TEST_P(CatalogLifetimeTest, TheSweeperTriesAgainAfterAFailure)
{
    const auto catalog = open(kDelayMs);
    const auto table = create(*catalog, pair_table("table"));
    clock_.advance_ms(kDelayMs);
    drop(*catalog, "table");
    store_.fail_next_mutation({ErrorCode::io_error, "no space"});
    clock_.advance_ms(kDelayMs);
    wait_until_reclaimed(keyspaces_of(table));
}

TEST_P(CatalogLifetimeTest, ASuccessorDoesNotWaitForTheSweeper)
{
    const auto catalog = open(kDelayMs);
    const auto first = create(*catalog, pair_table("table"));
    clock_.advance_ms(kDelayMs);
    drop(*catalog, "table");
    clock_.advance_ms(kDelayMs);
    const auto second = create(*catalog, pair_table("table"));
    EXPECT_NE(first.id, second.id);
    EXPECT_NE(first.keyspace, second.keyspace);
    wait_until_reclaimed(keyspaces_of(first));
    EXPECT_NE(catalog->find("table"), nullptr);
}

} // namespace
} // namespace basalt::engine

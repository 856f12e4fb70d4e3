#include "codec/table_encoding.h"
#include "engine/catalog.h"
#include "model/limits.h"
#include "unit/engine/store_fixture.h"

#include <set>
#include <thread>
#include <vector>

namespace basalt::engine {
namespace {

using storage::Wait;

class CatalogTest : public BackendTest {
protected:
    static constexpr std::int64_t kDelayMs = 1000;

    std::unique_ptr<Catalog> open(std::int64_t transition_ms = 0)
    {
        auto catalog = std::make_unique<Catalog>(store_, clock_, random_, transition_ms);
        EXPECT_TRUE(catalog->load());
        return catalog;
    }

    static Result<void> create(Catalog &catalog, const std::string &name)
    {
        auto table = pair_table(name);
        return catalog.create(Wait::allowed, table).result;
    }

    static Result<void> drop(Catalog &catalog, const std::string &name)
    {
        model::TableDescription dropped;
        return catalog.drop(Wait::allowed, name, dropped).result;
    }

    static std::vector<std::string> names(const Catalog &catalog)
    {
        bool more = true;
        auto list = catalog.list("", model::kMaxTables + 1, more);
        EXPECT_FALSE(more);
        return list;
    }

    TableStatus status(const Catalog &catalog, const std::string &name) const
    {
        const auto table = catalog.find(name);
        return table ? status_at(table->description, clock_.now_ms()) : TableStatus::gone;
    }

    static void expect_error(const Result<void> &result, ErrorCode code, const std::string &message)
    {
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, code);
        EXPECT_EQ(result.error().message, message);
    }
};
BASALT_ON_BOTH_BACKENDS(CatalogTest);

using Names = std::vector<std::string>;
const std::string kInUse = "Attempt to change a resource which is still in use: ";

TEST_P(CatalogTest, StartsEmpty)
{
    const auto catalog = open();
    EXPECT_EQ(names(*catalog), Names());
    EXPECT_EQ(catalog->find("table"), nullptr);
    EXPECT_EQ(catalog->ticket(), storage::Ticket{});
}

TEST_P(CatalogTest, CreateAssignsIdentityKeyspacesAndTimes)
{
    const auto catalog = open();
    auto first = indexed_table("first");
    auto second = indexed_table("second");
    first.stream_view_type = "KEYS_ONLY";
    ASSERT_TRUE(catalog->create(Wait::allowed, first).result);
    clock_.advance_ms(5);
    ASSERT_TRUE(catalog->create(Wait::allowed, second).result);

    EXPECT_EQ(first.created_ms, kStartMs);
    EXPECT_EQ(first.stream_since_ms, kStartMs);
    EXPECT_EQ(second.created_ms, kStartMs + 5);
    EXPECT_EQ(second.stream_since_ms, 0);
    EXPECT_EQ(first.id.size(), 36U);
    EXPECT_NE(first.id, second.id);

    std::set<std::uint32_t> keyspaces;
    for (const auto *table : {&first, &second}) {
        keyspaces.insert({table->keyspace, table->local_indexes[0].keyspace, table->global_indexes[0].keyspace,
                          table->collections_keyspace});
        EXPECT_EQ(storage::kind_of(storage::KeyspaceId{table->keyspace}), storage::KeyspaceKind::items);
        EXPECT_EQ(storage::kind_of(storage::KeyspaceId{table->local_indexes[0].keyspace}),
                  storage::KeyspaceKind::local_index);
        EXPECT_EQ(storage::kind_of(storage::KeyspaceId{table->global_indexes[0].keyspace}),
                  storage::KeyspaceKind::global_index);
        EXPECT_EQ(storage::kind_of(storage::KeyspaceId{table->collections_keyspace}),
                  storage::KeyspaceKind::local_index);
    }
    EXPECT_EQ(keyspaces.size(), 8U);

    const auto found = catalog->find("first");
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(codec::encode_table(found->description), codec::encode_table(first));
}

TEST_P(CatalogTest, OnlyLocalIndexesNeedTheSizesOfItemCollections)
{
    const auto catalog = open();
    auto table = indexed_table("table");
    table.local_indexes.clear();
    ASSERT_TRUE(catalog->create(Wait::allowed, table).result);
    EXPECT_EQ(table.collections_keyspace, 0U);
}

TEST_P(CatalogTest, AKeyspaceIsNeverUsedAgain)
{
    const auto catalog = open();
    std::set<std::uint32_t> keyspaces;
    for (int i = 0; i < 20; ++i) {
        auto table = pair_table("table");
        ASSERT_TRUE(catalog->create(Wait::allowed, table).result);
        EXPECT_TRUE(keyspaces.insert(table.keyspace).second);
        ASSERT_TRUE(drop(*catalog, "table"));
    }
}

TEST_P(CatalogTest, ListIsInByteOrderAndInPages)
{
    const auto catalog = open();
    for (const auto *name : {"b", "a", "C", "_", "a.b"}) {
        ASSERT_TRUE(create(*catalog, name));
    }
    EXPECT_EQ(names(*catalog), (Names{"C", "_", "a", "a.b", "b"}));
    bool more = false;
    EXPECT_EQ(catalog->list("", 2, more), (Names{"C", "_"}));
    EXPECT_TRUE(more);
    EXPECT_EQ(catalog->list("_", 3, more), (Names{"a", "a.b", "b"}));
    EXPECT_FALSE(more);
    EXPECT_EQ(catalog->list("aa", 9, more), (Names{"b"}));
    EXPECT_EQ(catalog->list("b", 9, more), Names());
    EXPECT_FALSE(more);
}

TEST_P(CatalogTest, ATableExistsOnce)
{
    const auto catalog = open();
    ASSERT_TRUE(create(*catalog, "table"));
    expect_error(create(*catalog, "table"), ErrorCode::resource_in_use, "Table already exists: table");
    EXPECT_EQ(names(*catalog), Names{"table"});
}

TEST_P(CatalogTest, DropTakesTheTableAway)
{
    const auto catalog = open();
    auto table = indexed_table("table");
    ASSERT_TRUE(catalog->create(Wait::allowed, table).result);
    model::TableDescription dropped;
    ASSERT_TRUE(catalog->drop(Wait::allowed, "table", dropped).result);
    EXPECT_EQ(codec::encode_table(dropped), codec::encode_table(table));
    EXPECT_EQ(catalog->find("table"), nullptr);
    EXPECT_EQ(names(*catalog), Names());
    expect_error(drop(*catalog, "table"), ErrorCode::resource_not_found,
                 "Requested resource not found: Table: table not found");
    EXPECT_EQ(names(*open()), Names());
}

TEST_P(CatalogTest, AProtectedTableStays)
{
    const auto catalog = open();
    auto table = pair_table("table");
    table.deletion_protection = true;
    ASSERT_TRUE(catalog->create(Wait::allowed, table).result);
    const auto result = drop(*catalog, "table");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::validation);
    EXPECT_NE(catalog->find("table"), nullptr);
}

TEST_P(CatalogTest, CreatingLastsForTheDelay)
{
    const auto catalog = open(kDelayMs);
    ASSERT_TRUE(create(*catalog, "table"));
    EXPECT_EQ(status(*catalog, "table"), TableStatus::creating);
    const auto found = catalog->find_active("table");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error(), (Error{ErrorCode::resource_not_found, "Requested resource not found"}));
    expect_error(create(*catalog, "table"), ErrorCode::resource_in_use, kInUse + "Table is being created: table");
    expect_error(drop(*catalog, "table"), ErrorCode::resource_in_use, kInUse + "Table is being created: table");
    EXPECT_EQ(names(*catalog), Names{"table"});
    clock_.advance_ms(kDelayMs - 1);
    EXPECT_EQ(status(*catalog, "table"), TableStatus::creating);
    clock_.advance_ms(1);
    EXPECT_EQ(status(*catalog, "table"), TableStatus::active);
    EXPECT_TRUE(catalog->find_active("table"));
}

TEST_P(CatalogTest, AClockThatIsSetBackLeavesTablesActive)
{
    const auto catalog = open();
    ASSERT_TRUE(create(*catalog, "table"));
    clock_.advance_ms(-3'600'000);
    EXPECT_EQ(status(*catalog, "table"), TableStatus::active);
    EXPECT_TRUE(catalog->find_active("table"));
    EXPECT_TRUE(drop(*catalog, "table"));
}

TEST_P(CatalogTest, DeletingLastsForTheDelay)
{
    const auto catalog = open(kDelayMs);
    ASSERT_TRUE(create(*catalog, "table"));
    clock_.advance_ms(kDelayMs);
    ASSERT_TRUE(drop(*catalog, "table"));
    EXPECT_EQ(status(*catalog, "table"), TableStatus::deleting);
    EXPECT_FALSE(catalog->find_active("table"));
    EXPECT_EQ(names(*catalog), Names{"table"});
    expect_error(drop(*catalog, "table"), ErrorCode::resource_in_use, kInUse + "Table is being deleted: table");
    expect_error(create(*catalog, "table"), ErrorCode::resource_in_use, kInUse + "Table is being deleted: table");
    clock_.advance_ms(kDelayMs);
    EXPECT_EQ(catalog->find("table"), nullptr);
    EXPECT_EQ(names(*catalog), Names());
    expect_error(drop(*catalog, "table"), ErrorCode::resource_not_found,
                 "Requested resource not found: Table: table not found");
    ASSERT_TRUE(create(*catalog, "table"));
    EXPECT_EQ(status(*catalog, "table"), TableStatus::creating);
}

TEST_P(CatalogTest, ThereIsALimit)
{
    const auto catalog = open();
    for (std::size_t i = 0; i < model::kMaxTables; ++i) {
        ASSERT_TRUE(create(*catalog, "table" + std::to_string(i)));
    }
    const auto result = create(*catalog, "one_more");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::limit_exceeded);
    expect_error(create(*catalog, "table7"), ErrorCode::resource_in_use, "Table already exists: table7");
    ASSERT_TRUE(drop(*catalog, "table7"));
    EXPECT_TRUE(create(*catalog, "one_more"));
    EXPECT_FALSE(create(*catalog, "two_more"));
}

TEST_P(CatalogTest, OneOfManyCreatorsWins)
{
    constexpr int kThreads = 8;
    constexpr int kRounds = 20;
    const auto catalog = open();
    for (int round = 0; round < kRounds; ++round) {
        const auto name = "table" + std::to_string(round);
        std::atomic<int> won = 0;
        std::atomic<int> in_use = 0;
        std::vector<std::jthread> threads;
        for (int i = 0; i < kThreads; ++i) {
            threads.emplace_back([&, i] {
                auto table = pair_table(name);
                auto outcome = catalog->create(i % 2 == 0 ? Wait::never : Wait::allowed, table);
                while (!outcome.result && outcome.result.error().code == ErrorCode::would_block) {
                    outcome = catalog->create(Wait::allowed, table);
                }
                won += outcome.result ? 1 : 0;
                in_use += !outcome.result && outcome.result.error().code == ErrorCode::resource_in_use ? 1 : 0;
            });
        }
        threads.clear();
        EXPECT_EQ(won, 1);
        EXPECT_EQ(in_use, kThreads - 1);
    }
    EXPECT_EQ(names(*catalog).size(), static_cast<std::size_t>(kRounds));
    EXPECT_EQ(names(*open()).size(), static_cast<std::size_t>(kRounds));
}

TEST_P(CatalogTest, AFailedCommitChangesNothing)
{
    const auto catalog = open();
    ASSERT_TRUE(create(*catalog, "old"));
    store_.fail_next_mutation({ErrorCode::io_error, "no space"});
    EXPECT_FALSE(create(*catalog, "new"));
    store_.fail_next_mutation({ErrorCode::io_error, "no space"});
    EXPECT_FALSE(drop(*catalog, "old"));
    EXPECT_EQ(names(*catalog), Names{"old"});
    EXPECT_TRUE(catalog->find_active("old"));
    EXPECT_EQ(names(*open()), Names{"old"});
    EXPECT_TRUE(create(*catalog, "new"));
    EXPECT_TRUE(drop(*catalog, "old"));
}

TEST_P(CatalogTest, ACorruptDescriptionIsAnError)
{
    const storage::Key key{0, "table", {}, {}};
    const storage::LockKey lock{storage::kCatalogKeyspace, key};
    ASSERT_TRUE(store_
                    .mutate(Wait::allowed, {&lock, 1},
                            [&](storage::Mutation &mutation) -> Result<void> {
                                mutation.put(storage::kCatalogKeyspace, key, "not a table");
                                return {};
                            })
                    .result);
    Catalog catalog(store_, clock_, random_, 0);
    const auto loaded = catalog.load();
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ErrorCode::corruption);
}

TEST_P(CatalogTest, AChangeThatWouldHaveToWaitSaysSo)
{
    const auto catalog = open();
    ASSERT_TRUE(create(*catalog, "old"));
    store_.hold_mutations();
    std::jthread other([&] { EXPECT_TRUE(create(*catalog, "new")); });
    store_.wait_until_one_is_held();

    auto table = pair_table("third");
    auto outcome = catalog->create(Wait::never, table);
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error().code, ErrorCode::would_block);
    model::TableDescription dropped;
    outcome = catalog->drop(Wait::never, "old", dropped);
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error().code, ErrorCode::would_block);
    // Look-ups go on meanwhile, and do not see what is not committed.
    EXPECT_NE(catalog->find("old"), nullptr);
    EXPECT_EQ(names(*catalog), Names{"old"});

    store_.release_mutations();
    other.join();
    EXPECT_EQ(names(*catalog), (Names{"new", "old"}));
}

TEST_P(CatalogTest, TicketsCoverEveryChange)
{
    const auto catalog = open(kDelayMs);
    auto table = pair_table("table");
    auto outcome = catalog->create(Wait::allowed, table);
    EXPECT_EQ(outcome.ticket, store_.last_ticket());
    EXPECT_EQ(catalog->ticket(), store_.last_ticket());
    outcome = catalog->create(Wait::allowed, table); // an error that tells of the first one
    EXPECT_FALSE(outcome.result);
    EXPECT_EQ(outcome.ticket, store_.last_ticket());
    clock_.advance_ms(kDelayMs);
    model::TableDescription dropped;
    outcome = catalog->drop(Wait::allowed, "table", dropped);
    EXPECT_EQ(outcome.ticket, store_.last_ticket());
    EXPECT_EQ(catalog->ticket(), store_.last_ticket());
    outcome = catalog->drop(Wait::allowed, "nowhere", dropped);
    EXPECT_FALSE(outcome.result);
    EXPECT_EQ(outcome.ticket, store_.last_ticket());
    EXPECT_EQ(store_.last_ticket().value, 2U);
}

} // namespace
} // namespace basalt::engine

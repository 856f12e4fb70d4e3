// Changes of a table's description: one after another, none lost, all or nothing.
#include "codec/table_encoding.h"
#include "engine/catalog.h"
#include "unit/engine/store_fixture.h"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace basalt::engine {
namespace {

using model::TableDescription;
using storage::Wait;
using Keys = std::vector<std::string>;

const std::string kInUse = "Attempt to change a resource which is still in use: ";

class CatalogChangeTest : public BackendTest {
protected:
    static constexpr std::int64_t kDelayMs = 1000;

    std::unique_ptr<Catalog> open(std::int64_t transition_ms = 0)
    {
        auto catalog = std::make_unique<Catalog>(store_, clock_, random_, transition_ms);
        EXPECT_TRUE(catalog->load());
        return catalog;
    }

    static TableDescription create(Catalog &catalog, TableDescription table)
    {
        EXPECT_TRUE(catalog.create(Wait::allowed, table).result);
        return table;
    }

    static storage::Outcome tag(Catalog &catalog, const std::string &key, Wait wait = Wait::allowed)
    {
        return catalog.change(wait, "table", [&](TableDescription &table) -> Result<void> {
            table.tags.push_back({key, "value"});
            return {};
        });
    }

    static Keys tags(const TablePtr &table)
    {
        Keys keys;
        for (const auto &tag : table->description.tags) {
            keys.push_back(tag.key);
        }
        return keys;
    }

    static void expect_error(const storage::Outcome &outcome, ErrorCode code, const std::string &message)
    {
        ASSERT_FALSE(outcome.result);
        EXPECT_EQ(outcome.result.error(), (Error{code, message}));
    }
};
BASALT_ON_BOTH_BACKENDS(CatalogChangeTest);

TEST_P(CatalogChangeTest, ANewVersionTakesThePlaceOfTheOld)
{
    const auto catalog = open();
    auto expected = create(*catalog, indexed_table("table"));
    create(*catalog, pair_table("other"));
    const auto before = catalog->find("table");
    ASSERT_TRUE(tag(*catalog, "a").result);
    ASSERT_TRUE(tag(*catalog, "b").result);

    const auto after = catalog->find_active("table").value();
    expected.tags = {{"a", "value"}, {"b", "value"}};
    EXPECT_EQ(codec::encode_table(after->description), codec::encode_table(expected));
    EXPECT_EQ(tags(before), Keys()) << "a version that somebody holds does not change";
    EXPECT_EQ(after->storage, before->storage);
    EXPECT_EQ(tags(catalog->find("other")), Keys());
}

TEST_P(CatalogChangeTest, VersionsAreReadAgain)
{
    std::string written;
    {
        const auto catalog = open();
        create(*catalog, indexed_table("table"));
        ASSERT_TRUE(tag(*catalog, "a").result);
        ASSERT_TRUE(tag(*catalog, "b").result);
        written = codec::encode_table(catalog->find("table")->description);
    }
    const auto catalog = open();
    EXPECT_EQ(codec::encode_table(catalog->find("table")->description), written);
    EXPECT_EQ(tags(catalog->find("table")), (Keys{"a", "b"}));
    EXPECT_TRUE(catalog->find_active("table"));
}

TEST_P(CatalogChangeTest, OneCommitWritesOneRowOfTheCatalog)
{
    const auto catalog = open();
    const auto table = create(*catalog, indexed_table("table"));
    const auto before = store_.last_ticket();
    ASSERT_TRUE(tag(*catalog, "a").result);
    EXPECT_EQ(store_.last_ticket().value, before.value + 1);
    EXPECT_EQ(store_.last_writes(storage::kCatalogKeyspace), 1U);
    EXPECT_EQ(store_.last_writes(storage::KeyspaceId{table.keyspace}), 0U);
}

TEST_P(CatalogChangeTest, AFailedCommitLeavesTheOldVersion)
{
    const auto catalog = open();
    create(*catalog, pair_table("table"));
    ASSERT_TRUE(tag(*catalog, "a").result);
    const auto before = catalog->find("table");
    store_.fail_next_mutation({ErrorCode::io_error, "no space"});
    expect_error(tag(*catalog, "b"), ErrorCode::io_error, "no space");
    EXPECT_EQ(catalog->find("table"), before);
    EXPECT_EQ(tags(open()->find("table")), Keys{"a"});
    EXPECT_TRUE(tag(*catalog, "c").result);
    EXPECT_EQ(tags(catalog->find("table")), (Keys{"a", "c"}));
    EXPECT_EQ(tags(open()->find("table")), (Keys{"a", "c"}));
}

TEST_P(CatalogChangeTest, ARefusingEditLeavesTheOldVersion)
{
    const auto catalog = open();
    create(*catalog, pair_table("table"));
    const auto before = catalog->find("table");
    const auto last = store_.last_ticket();
    const auto outcome = catalog->change(Wait::allowed, "table", [](TableDescription &table) -> Result<void> {
        table.tags = {{"half", "done"}};
        return fail(ErrorCode::validation, "no");
    });
    expect_error(outcome, ErrorCode::validation, "no");
    EXPECT_EQ(outcome.ticket, last) << "the refusal tells of the version it saw";
    EXPECT_EQ(store_.last_ticket(), last) << "nothing was committed";
    EXPECT_EQ(catalog->find("table"), before);
}

TEST_P(CatalogChangeTest, TicketsCoverTheChange)
{
    const auto catalog = open();
    create(*catalog, pair_table("table"));
    const auto outcome = tag(*catalog, "a");
    EXPECT_EQ(outcome.ticket, store_.last_ticket());
    EXPECT_EQ(catalog->ticket(), store_.last_ticket());
    EXPECT_EQ(store_.last_ticket().value, 2U);
}

TEST_P(CatalogChangeTest, OnlyAnActiveTableIsChanged)
{
    const auto catalog = open(kDelayMs);
    const auto never = [](TableDescription &) -> Result<void> {
        ADD_FAILURE() << "edited";
        return {};
    };
    expect_error(catalog->change(Wait::allowed, "table", never), ErrorCode::resource_not_found,
                 "Requested resource not found: Table: table not found");
    create(*catalog, pair_table("table"));
    auto outcome = catalog->change(Wait::allowed, "table", never);
    expect_error(outcome, ErrorCode::resource_in_use, kInUse + "Table is being created: table");
    EXPECT_EQ(outcome.ticket, store_.last_ticket());
    clock_.advance_ms(kDelayMs);
    EXPECT_TRUE(tag(*catalog, "a").result);
    TableDescription dropped;
    ASSERT_TRUE(catalog->drop(Wait::allowed, "table", dropped).result);
    EXPECT_EQ(dropped.tags.size(), 1U);
    expect_error(catalog->change(Wait::allowed, "table", never), ErrorCode::resource_in_use,
                 kInUse + "Table is being deleted: table");
    clock_.advance_ms(kDelayMs);
    expect_error(catalog->change(Wait::allowed, "table", never), ErrorCode::resource_not_found,
                 "Requested resource not found: Table: table not found");
    EXPECT_EQ(catalog->find("table"), nullptr);
}

TEST_P(CatalogChangeTest, AChangeThatWouldHaveToWaitSaysSo)
{
    const auto catalog = open();
    create(*catalog, pair_table("table"));
    store_.hold_mutations();
    std::jthread other([&] { EXPECT_TRUE(tag(*catalog, "a").result); });
    store_.wait_until_one_is_held();
    const auto outcome = tag(*catalog, "b", Wait::never);
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error().code, ErrorCode::would_block);
    EXPECT_EQ(tags(catalog->find("table")), Keys()) << "what is not committed is not seen";
    store_.release_mutations();
    other.join();
    EXPECT_EQ(tags(catalog->find("table")), Keys{"a"});
}

TEST_P(CatalogChangeTest, NoneOfManyChangesIsLost)
{
    constexpr int kThreads = 8;
    constexpr int kRounds = 25;
    const auto catalog = open();
    create(*catalog, pair_table("table"));
    Keys expected;
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < kThreads; ++thread) {
            for (int round = 0; round < kRounds; ++round) {
                expected.push_back(std::to_string(thread) + "-" + std::to_string(round));
            }
            threads.emplace_back([&catalog, thread] {
                for (int round = 0; round < kRounds; ++round) {
                    const auto key = std::to_string(thread) + "-" + std::to_string(round);
                    auto outcome = tag(*catalog, key, round % 2 == 0 ? Wait::never : Wait::allowed);
                    while (!outcome.result && outcome.result.error().code == ErrorCode::would_block) {
                        outcome = tag(*catalog, key);
                    }
                    EXPECT_TRUE(outcome.result);
                    EXPECT_GE(catalog->ticket(), outcome.ticket);
                    const auto seen = tags(catalog->find("table"));
                    EXPECT_EQ(std::ranges::count(seen, key), 1);
                }
            });
        }
    }
    const auto stored = tags(open()->find("table"));
    EXPECT_EQ(stored, tags(catalog->find("table")));
    auto sorted = stored;
    std::ranges::sort(sorted);
    std::ranges::sort(expected);
    EXPECT_EQ(sorted, expected);
}

TEST_P(CatalogChangeTest, ADroppedTableIsReclaimedAfterItsLastVersion)
{
    const auto catalog = open();
    const auto table = create(*catalog, pair_table("table"));
    auto first = catalog->find("table");
    ASSERT_TRUE(tag(*catalog, "a").result);
    auto second = catalog->find("table");
    TableDescription dropped;
    ASSERT_TRUE(catalog->drop(Wait::allowed, "table", dropped).result);
    second.reset();
    EXPECT_TRUE(store_.reclaimed().empty()) << "the first version is still held";
    first.reset();
    EXPECT_EQ(store_.reclaimed(), std::multiset{storage::KeyspaceId{table.keyspace}});
}

} // namespace
} // namespace basalt::engine

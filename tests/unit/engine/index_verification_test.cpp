// The check of global indexes: they may lag behind their table as far as the change log says, and no further.
#include "codec/change_record.h"
#include "engine/index_rows.h"
#include "engine/pending_items.h"
#include "unit/engine/verification_fixture.h"

namespace basalt::engine {
namespace {

using storage::KeyspaceId;
using storage::KeyspaceKind;
using storage::LogPosition;
using Lines = std::vector<std::string>;

class IndexVerificationTest : public VerificationTest {
protected:
    IndexVerificationTest()
    {
        for (int i = 0; i < 6; ++i) {
            put_entry("q", std::to_string(i), "g" + std::to_string(i % 2));
        }
    }

    void put_entry(std::string_view pk, std::string_view sk, std::string_view g)
    {
        Item item;
        item.s("pk", pk).s("sk", sk).s("g", g).b("b", std::string("\0b", 2)).s("v", "value");
        put(item);
    }
    [[nodiscard]] const model::IndexDescription &index() const { return table_->description.global_indexes[0]; }
    [[nodiscard]] KeyspaceId index_keyspace() const { return KeyspaceId{index().keyspace}; }
    StoredKey row_key(std::string_view pk, std::string_view sk, std::string_view g)
    {
        Item item;
        item.s("pk", pk).s("sk", sk).s("g", g).b("b", std::string("\0b", 2));
        auto row = global_index_key(table_->description, index(), item.view().attributes());
        return {{}, row.hash, row.partition, row.sort, row.tail};
    }
    /// What the items and the log hold up to some record, as an applier would: the rows of one record a commit.
    void apply(std::size_t records)
    {
        make_durable();
        for (; records > 0; --records) {
            RecordBatch batch;
            std::string bytes;
            change([&](storage::Mutation &mutation) {
                ASSERT_TRUE(mutation.read_log(table_->log_keyspace(), applied_, [&](LogPosition at, Bytes record) {
                    bytes = record;
                    batch.add(at, bytes);
                    return false;
                }));
                const auto changes = batch.by_item(*table_);
                ASSERT_TRUE(changes);
                ASSERT_EQ(changes->size(), 1U) << "the log is at its end";
                const auto item = mutation.get(table_->keyspace(), changes->front().key.view());
                ASSERT_TRUE(item);
                IndexRows rows(*table_, std::nullopt);
                rows.renew(mutation, changes->front(), *item ? std::optional(model::ItemView(**item)) : std::nullopt,
                           nullptr);
                mutation.put(kCursorsKeyspace, CursorKey(table_->log_keyspace()).view(), encode_cursor(batch.last()));
            });
            applied_ = batch.last();
        }
    }
    void append_record(Bytes record)
    {
        change([&](storage::Mutation &mutation) { mutation.append(table_->log_keyspace(), record); });
    }
    std::uint64_t pending()
    {
        return counts_.indexed_tables.empty() ? 0 : counts_.indexed_tables.front().pending_changes;
    }

    LogPosition applied_;
};
INSTANTIATE_TEST_SUITE_P(InMemory, IndexVerificationTest, testing::Values(Backend::rocksdb_in_memory), backend_name);

TEST_P(IndexVerificationTest, AnIndexMayLagAsFarAsItsLogSays)
{
    put_entry("q", "1", "moved");
    put_entry("q", "1", "moved again");
    remove("q", "2");
    put_entry("q", "2", "back");
    remove("q", "3");
    constexpr std::uint64_t kRecords = 11;
    for (std::uint64_t applied = 0; applied <= kRecords; ++applied) {
        EXPECT_EQ(findings(), Lines{}) << applied << " records applied";
        EXPECT_EQ(pending(), kRecords - applied);
        apply(applied < kRecords ? 1 : 0);
    }
    EXPECT_EQ(rows(index_keyspace()).size(), 5U);
    EXPECT_EQ(counts_.indexed_tables.front().table, "table");
    EXPECT_EQ(counts_.indexed_tables.front().index_entries, 25U);
}

TEST_P(IndexVerificationTest, FindsAMissingRow)
{
    apply(6);
    uproot(index_keyspace(), row_key("q", "3", "g1").view());
    expect_one({"a missing index entry", R"(table "table", index "by_g", g="g1", b=0x0062 of pk="q", sk="3")"});
    put_entry("q", "3", "g2"); // not applied yet
    EXPECT_EQ(findings(), Lines{});
    put_entry("q", "4", "g2"); // neither, and of another item
    EXPECT_EQ(findings(), Lines{});
}

TEST_P(IndexVerificationTest, FindsRowsThatHoldSomethingElse)
{
    apply(6);
    Item other;
    other.s("pk", "q").s("sk", "3").s("g", "g1").b("b", std::string("\0b", 2)).s("v", "other");
    plant(index_keyspace(), row_key("q", "3", "g1").view(), other.view().bytes());
    expect_one({"a wrong index entry", R"(g="g1", b=0x0062 of pk="q", sk="3")", "does not hold what the item does"});
    plant(index_keyspace(), row_key("q", "3", "g1").view(), "nonsense");
    expect_one({"a wrong index entry"});
}

TEST_P(IndexVerificationTest, FindsTheRowsOfEarlierVersionsAndOfNobody)
{
    apply(6);
    const auto sound = row(index_keyspace(), row_key("q", "3", "g1").view()).value();
    plant(index_keyspace(), row_key("q", "3", "g7").view(), sound);
    expect_one({"an index entry without its item", R"(g="g7")", "stands elsewhere"});
    uproot(index_keyspace(), row_key("q", "3", "g7").view());
    plant(index_keyspace(), row_key("p1", "1", "g7").view(), sound);
    expect_one({"an index entry without its item", R"(pk="p1", sk="1")", "has no entry in this index"});
    uproot(index_keyspace(), row_key("p1", "1", "g7").view());
    plant(index_keyspace(), row_key("none", "1", "g7").view(), sound);
    expect_one({"an index entry without its item", "there is no such item"});
    uproot(index_keyspace(), row_key("none", "1", "g7").view());
    auto odd = row_key("q", "3", "g1");
    odd.tail = "odd";
    plant(index_keyspace(), odd.view(), sound);
    expect_one({"a row without a proper key", "0x6F6464"});
}

TEST_P(IndexVerificationTest, RowsOfPendingItemsMustHaveBeenRightOnce)
{
    apply(6);
    put_entry("q", "3", "g2");
    EXPECT_EQ(findings(), Lines{});
    const auto sound = row(index_keyspace(), row_key("q", "3", "g1").view()).value();
    plant(index_keyspace(), row_key("q", "3", "g1").view(), "nonsense");
    expect_one({"a wrong index entry", "does not decode"});
    plant(index_keyspace(), row_key("q", "3", "g1").view(), sound);
    plant(index_keyspace(), row_key("q", "3", "g9").view(), sound);
    expect_one({"a wrong index entry", "another key"});
}

TEST_P(IndexVerificationTest, AnIndexThatIsBeingFilledMayLackRowsAndHasNoOthers)
{
    apply(6);
    auto description = table_->description;
    description.global_indexes[0].building = true;
    plant_description(description);
    const auto sound = row(index_keyspace(), row_key("q", "3", "g1").view()).value();
    uproot(index_keyspace(), row_key("q", "3", "g1").view());
    EXPECT_EQ(findings(), Lines{});
    plant(index_keyspace(), row_key("q", "3", "g7").view(), sound);
    expect_one({"an index entry without its item", "stands elsewhere"});
}

TEST_P(IndexVerificationTest, FindsCursorsThatCannotBe)
{
    apply(6);
    const CursorKey key(table_->log_keyspace());
    plant(kCursorsKeyspace, key.view(), "short");
    expect_one({"a wrong cursor of a change log", R"(table "table")", "does not decode"});
    plant(kCursorsKeyspace, key.view(), encode_cursor(applied_));
    const CursorKey nobody(storage::make_keyspace_id(KeyspaceKind::change_log, 500));
    plant(kCursorsKeyspace, nobody.view(), encode_cursor(applied_));
    expect_one({"a wrong cursor of a change log", "0x500001F4", "of no table"});
    uproot(kCursorsKeyspace, nobody.view());
    const CursorKey items(table_->keyspace());
    plant(kCursorsKeyspace, items.view(), encode_cursor(applied_));
    expect_one({"a wrong cursor of a change log", "of no table"});
    uproot(kCursorsKeyspace, items.view());
    plant(kCursorsKeyspace, {0, "odd", {}, {}}, encode_cursor(applied_));
    expect_one({"a wrong cursor of a change log", "a wrong key"});
}

TEST_P(IndexVerificationTest, ACursorThatWasLostLeavesEverythingPending)
{
    apply(6);
    uproot(kCursorsKeyspace, CursorKey(table_->log_keyspace()).view());
    EXPECT_EQ(findings(), Lines{});
    EXPECT_EQ(pending(), 6U);
}

TEST_P(IndexVerificationTest, FindsRecordsThatCannotBe)
{
    apply(6);
    append_record("nonsense");
    // Nobody knows which item it names.
    uproot(index_keyspace(), row_key("q", "3", "g1").view());
    expect_one({"a wrong record of a change log", R"(table "table", change log, record )", "not checked"});
    plant(kCursorsKeyspace, CursorKey(table_->log_keyspace()).view(), encode_cursor({~std::uint64_t{0}, 0}));
    const auto lines = findings();
    ASSERT_EQ(lines.size(), 2U) << testing::PrintToString(lines);
    EXPECT_NE(lines[0].find("does not decode"), std::string::npos) << lines[0];
    EXPECT_TRUE(lines[1].starts_with("a missing index entry")) << lines[1];
}

TEST_P(IndexVerificationTest, FindsARecordThatNamesNoItem)
{
    apply(6);
    Item no_item;
    no_item.s("pk", "q");
    std::string record;
    codec::append_change_record(true, no_item.view().bytes(), record);
    append_record(record);
    expect_one({"a wrong record of a change log", "names no item"});
}

TEST_P(IndexVerificationTest, MoreChangesThanCanBeRememberedAreTold)
{
    std::vector<Finding> found;
    VerificationCounts counts;
    const auto sink = [&](Finding finding) { found.push_back(std::move(finding)); };
    const auto progress = [](const VerificationCounts &) {};
    VerificationContext context(store_, inventory_, sink, progress, counts);
    make_durable();
    PendingItems all(6);
    EXPECT_TRUE(all.read(context, table_->description, {}));
    EXPECT_EQ(all.records(), 6U);
    EXPECT_TRUE(all.contains(row_key("q", "5", "g").tail));
    EXPECT_FALSE(all.contains(row_key("q", "6", "g").tail));
    ASSERT_TRUE(found.empty());
    PendingItems some(5);
    EXPECT_FALSE(some.read(context, table_->description, {}));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Severity::note);
    EXPECT_NE(found[0].text.find("6 changes are not applied"), std::string::npos) << found[0].text;
}

} // namespace
} // namespace basalt::engine

// The check of a store's rows: a database as the engine leaves it has nothing to tell of, and each fault that a test
// plants is found, alone.
#include "codec/table_encoding.h"
#include "unit/engine/verification_fixture.h"

#include <algorithm>
#include <array>

namespace basalt::engine {
namespace {

using storage::KeyspaceId;
using storage::KeyspaceKind;
using storage::Wait;

INSTANTIATE_TEST_SUITE_P(InMemory, VerificationTest, testing::Values(Backend::rocksdb_in_memory), backend_name);

TEST_P(VerificationTest, WhatTheEngineWritesIsWell)
{
    inventory_.with_rows = {table_->keyspace(), local_keyspace(), table_->collections_keyspace(),
                            storage::kCatalogKeyspace};
    for (int i = 0; i < 30; i += 4) {
        remove("p0", std::to_string(i));
    }
    auto pairs = pair_table("pairs");
    ASSERT_TRUE(engine_.catalog().create(Wait::allowed, pairs).result);
    EXPECT_EQ(findings(), std::vector<std::string>{});
    EXPECT_EQ(counts_.tables, 2U);
    EXPECT_EQ(counts_.items, 22U);
    EXPECT_EQ(counts_.collections, 3U);
    EXPECT_EQ(counts_.index_entries, rows(local_keyspace()).size());
}

TEST_P(VerificationTest, FindsAMissingIndexRow)
{
    uproot(local_keyspace(), entry_key("p1", "1", "1").view());
    expect_one({"a missing index entry", R"(table "table", index "by_l", pk="p1", l=1, sk="1")"});
}

TEST_P(VerificationTest, FindsAnIndexRowThatHoldsSomethingElse)
{
    Item other;
    other.s("pk", "p1").s("sk", "1").n("l", "1").s("v", "other");
    plant(local_keyspace(), entry_key("p1", "1", "1").view(), other.view().bytes());
    expect_one({"a wrong index entry", R"(pk="p1", l=1, sk="1")"});
}

TEST_P(VerificationTest, FindsAnIndexRowWithoutItem)
{
    Item other;
    other.s("pk", "p1").s("sk", "none").n("l", "1");
    plant(local_keyspace(), entry_key("p1", "none", "1").view(), other.view().bytes());
    expect_one({"an index entry without its item", R"(l=1, sk="none")", "there is no such item"});
}

TEST_P(VerificationTest, FindsTheIndexRowOfAnEarlierVersion)
{
    Item earlier;
    earlier.s("pk", "p1").s("sk", "1").n("l", "77");
    plant(local_keyspace(), entry_key("p1", "1", "77").view(), earlier.view().bytes());
    expect_one({"an index entry without its item", "l=77", "stands elsewhere"});
    uproot(local_keyspace(), entry_key("p1", "1", "77").view());
    // The item "3" has no l.
    plant(local_keyspace(), entry_key("p3", "3", "8").view(), earlier.view().bytes());
    expect_one({"an index entry without its item", "l=8", "has no entry in this index"});
}

TEST_P(VerificationTest, FindsOneMissingAndOneStrayRowAlthoughTheyAddUp)
{
    uproot(local_keyspace(), entry_key("p1", "1", "1").view());
    plant(local_keyspace(), entry_key("p1", "1", "2").view(), "nothing");
    const auto lines = findings();
    ASSERT_EQ(lines.size(), 2U) << testing::PrintToString(lines);
    EXPECT_TRUE(lines[0].starts_with("a missing index entry")) << lines[0];
    EXPECT_TRUE(lines[1].starts_with("an index entry without its item")) << lines[1];
}

TEST_P(VerificationTest, FindsWrongSizesOfCollections)
{
    const auto key = key_of("p1", "1");
    const auto sound = row(table_->collections_keyspace(), collection_key(key)).value();
    auto wrong = sound;
    wrong[0] = static_cast<char>(wrong[0] + 1);
    plant(table_->collections_keyspace(), collection_key(key), wrong);
    expect_one({"a wrong item collection size", R"(the item collection pk="p1")", "and should be"});
    plant(table_->collections_keyspace(), collection_key(key), "short");
    expect_one({"its size does not decode"});
    uproot(table_->collections_keyspace(), collection_key(key));
    expect_one({R"(pk="p1": there is no stored size)"});
    plant(table_->collections_keyspace(), collection_key(key), sound);
    // In every place of the order.
    for (int i = 0; i < 20; ++i) {
        const auto nobody = key_of("nobody" + std::to_string(i), "1");
        plant(table_->collections_keyspace(), collection_key(nobody), sound);
        expect_one({"a wrong item collection size", "pk=\"nobody", "no such items"});
        uproot(table_->collections_keyspace(), collection_key(nobody));
    }
    EXPECT_EQ(findings(), std::vector<std::string>{});
}

TEST_P(VerificationTest, FindsAnItemUnderTheKeyOfAnother)
{
    create(pair_table("pairs"));
    Item item;
    item.s("pk", "a").s("sk", "1");
    put(item);
    plant(table_->keyspace(), key_of("a", "2").view(), item.view().bytes());
    expect_one({"an item under a wrong key", R"(table "pairs", pk="a", sk="2")", R"(pk="a", sk="1")"});
    uproot(table_->keyspace(), key_of("a", "2").view());
    auto key = key_of("a", "1");
    key.hash ^= 1;
    plant(table_->keyspace(), key.view(), item.view().bytes());
    expect_one({"an item under a wrong key"});
}

TEST_P(VerificationTest, FindsItemsThatDoNotDecodeOrDoNotFit)
{
    create(pair_table("pairs"));
    plant(table_->keyspace(), key_of("a\x01\n", "1").view(), "nonsense");
    expect_one({"an item that is not whole", R"(pk="a\x01\x0A", sk="1")", "do not decode"});
    Item no_keys;
    no_keys.s("pk", "a").n("sk", "1");
    plant(table_->keyspace(), key_of("a\x01\n", "1").view(), no_keys.view().bytes());
    expect_one({"an item under a wrong key", "does not fit the table's keys"});
    Item large;
    large.s("pk", "a\x01\n").s("sk", "1").s("v", std::string(500'000, 'v'));
    plant(table_->keyspace(), key_of("a\x01\n", "1").view(), large.view().bytes());
    expect_one({"an item that is not whole", "over the limit"});
}

TEST_P(VerificationTest, AnItemOfAnIndexedTableThatDoesNotDecodeIsToldWithWhatHangsOnIt)
{
    plant(table_->keyspace(), key_of("p1", "1").view(), "nonsense");
    // Its index row is not called stray, and the size of its collection is not judged.
    expect_one({"an item that is not whole", R"(pk="p1", sk="1")"});
}

TEST_P(VerificationTest, FindsDescriptionsThatCannotBe)
{
    plant(storage::kCatalogKeyspace, {0, "bad", {}, {}}, "nonsense");
    expect_one({"a wrong table description", R"(table "bad")"});
    auto other = pair_table("bad");
    other.id = "another";
    other.keyspace = static_cast<std::uint32_t>(storage::make_keyspace_id(KeyspaceKind::items, 900));
    plant_description(other);
    EXPECT_EQ(findings(), std::vector<std::string>{});

    auto renamed = other;
    renamed.name = "renamed";
    plant(storage::kCatalogKeyspace, {0, "bad", {}, {}}, codec::encode_table(renamed));
    expect_one({R"(table "bad": the description is that of table "renamed")"});
    auto same_id = other;
    same_id.id = table_->description.id;
    plant_description(same_id);
    expect_one({"the same id"});
    auto no_key = other;
    no_key.keys.hash[0].type = model::AttributeType::boolean;
    plant_description(no_key);
    expect_one({"none that a table can have"});
    plant_description(other);
    plant(storage::kCatalogKeyspace, {7, "bad2", {}, {}}, "nonsense");
    expect_one({"without a proper key"});
}

TEST_P(VerificationTest, FindsKeyspacesThatCannotBe)
{
    auto other = pair_table("other");
    other.id = "another";
    other.keyspace = table_->description.keyspace;
    plant_description(other);
    expect_one({"a wrong keyspace", "belongs to"});
    other.keyspace = static_cast<std::uint32_t>(storage::make_keyspace_id(KeyspaceKind::local_index, 900));
    plant_description(other);
    expect_one({"a wrong keyspace", "wrong kind"});
    other.keyspace = 0xF0000001;
    plant_description(other);
    expect_one({"a wrong keyspace", "wrong kind"});
    other.keyspace = static_cast<std::uint32_t>(storage::make_keyspace_id(KeyspaceKind::items, 1000));
    plant_description(other);
    expect_one({"a wrong keyspace", "next number"});
    inventory_.next_number = 2000;
    EXPECT_EQ(findings(), std::vector<std::string>{});
    inventory_.dropped = {KeyspaceId{other.keyspace}};
    expect_one({"a wrong keyspace", "marked as dropped"});
}

TEST_P(VerificationTest, FindsRowsOfNoTable)
{
    const auto nobody = storage::make_keyspace_id(KeyspaceKind::items, 500);
    inventory_.with_rows = {nobody};
    expect_one({"rows of no table", "0x100001F4"});
    inventory_.dropped = {nobody};
    EXPECT_EQ(findings(), std::vector<std::string>{});
    inventory_.with_rows = {KeyspaceId{table_->description.global_indexes[0].keyspace}, table_->log_keyspace(),
                            kCursorsKeyspace};
    EXPECT_EQ(findings(), std::vector<std::string>{});
    inventory_.with_rows = {storage::make_keyspace_id(KeyspaceKind::change_log, 500)};
    expect_one({"rows of no table", "0x500001F4"});
}

TEST_P(VerificationTest, FindsTokensThatCannotBe)
{
    auto decided = DecidedWrite::nothing();
    const auto key = key_of("p1", "1");
    const std::array targets{ItemWriteTarget{*table_, key, decided}};
    const IdempotencyToken token{"token", {1, 2}};
    TransactionReport report;
    ASSERT_TRUE(engine_.transact_write_items(Wait::allowed, targets, &token, nullptr, report).result);
    EXPECT_EQ(findings(), std::vector<std::string>{});
    EXPECT_EQ(counts_.tokens, 1U);

    const auto windows = decode_token_windows(row(kTokenWindowsKeyspace, {}).value()).value();
    plant(windows.current, token_key("other"), "short");
    expect_one({"a wrong transaction token", R"(token "other")", "does not decode"});
    uproot(windows.current, token_key("other"));
    plant(windows.current, {1, "other", {}, {}}, row(windows.current, token_key("token")).value());
    expect_one({"a wrong transaction token", "wrong key"});
    uproot(windows.current, {1, "other", {}, {}});
    plant(kTokenWindowsKeyspace, {0, "more", {}, {}}, "");
    expect_one({"a wrong transaction token", "a row too many"});
    uproot(kTokenWindowsKeyspace, {0, "more", {}, {}});
    plant(kTokenWindowsKeyspace, {}, "short");
    expect_one({"a wrong transaction token", "does not decode"});
}

TEST(ReadableKey, IsOneLineWhateverTheBytes)
{
    EXPECT_EQ(readable_text("a\"b\\c"), R"("a\"b\\c")");
    EXPECT_EQ(readable_text("\x1B[2J\x7F"), R"("\x1B[2J\x7F")");
    EXPECT_EQ(readable_text("\xC3\xA9\xC2\x9B"), "\"\xC3\xA9\xC2\\x9B\"");
    EXPECT_EQ(readable_text("\xFF\xFE"), R"("\xFF\xFE")");
    EXPECT_EQ(readable_text(std::string(100, 'a')), "\"" + std::string(48, 'a') + "\"...");
    // Cut between characters.
    EXPECT_EQ(readable_text(std::string(47, 'a') + "\xC3\xA9zz"), "\"" + std::string(47, 'a') + "\xC3\xA9\"...");
    EXPECT_EQ(readable_bytes(std::string("\0\xAB", 2)), "0x00AB");
}

} // namespace
} // namespace basalt::engine

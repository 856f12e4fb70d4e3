// Table descriptions in their stored form.
#include "codec/item_encoding.h"
#include "codec/table_encoding.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::codec {
namespace {

using model::AttributeType;

model::IndexDescription index_on(std::string name, std::uint32_t keyspace)
{
    model::IndexDescription index;
    index.keys.hash = {{"pk", AttributeType::string}};
    index.keys.range = {{name, AttributeType::number}};
    index.name = std::move(name);
    index.keyspace = keyspace;
    return index;
}

model::TableDescription full_table()
{
    model::TableDescription table;
    table.name = "table";
    table.id = "0000";
    table.keyspace = 0x1000'0001;
    table.collections_keyspace = 0x2000'0002;
    table.log_keyspace = 0x5000'0003;
    table.attributes = {{"a", AttributeType::number}, {"pk", AttributeType::string}, {"sk", AttributeType::binary}};
    table.keys.hash = {{"pk", AttributeType::string}};
    table.keys.range = {{"sk", AttributeType::binary}};
    table.local_indexes = {index_on("a", 0x2000'0003)};
    table.local_indexes[0].projection = model::ProjectionType::include;
    table.local_indexes[0].non_key_attributes = {"v", "w"};
    table.global_indexes = {index_on("g", 0x3000'0004)};
    table.global_indexes[0].provisioned = {3, 4};
    table.global_indexes[0].warm = model::Units{5, 6};
    table.billing_mode = model::BillingMode::pay_per_request;
    table.billing_mode_shown = true;
    table.on_demand = model::Units{7, -1};
    table.created_ms = 1'700'000'000'000;
    table.active_from_ms = table.created_ms + 1;
    table.gone_from_ms = table.created_ms + 2;
    table.deletion_protection = true;
    table.stream_view_type = "KEYS_ONLY";
    table.stream_since_ms = table.created_ms;
    table.tags = {{"key", "value"}};
    return table;
}

/// The stored form without one member, or with another value for it.
std::string with(const std::string &encoded, std::string_view name, std::optional<std::int64_t> number)
{
    std::string bytes;
    ItemWriter out(bytes);
    out.begin_item();
    for (const auto member : model::ItemView(encoded).attributes()) {
        if (member.name != name) {
            out.name(member.name);
            out.value(member.value);
        } else if (number) {
            out.name(name);
            out.number(model::Decimal(*number));
        }
    }
    out.end();
    return bytes;
}

TEST(TableEncoding, ADescriptionComesBackAsItWas)
{
    const auto encoded = encode_table(full_table());
    EXPECT_TRUE(is_valid_item(encoded));
    const auto table = decode_table(encoded);
    ASSERT_TRUE(table);
    EXPECT_EQ(encode_table(*table), encoded);
    EXPECT_EQ(table->keyspace, 0x1000'0001U);
    EXPECT_EQ(table->collections_keyspace, 0x2000'0002U);
    EXPECT_EQ(table->log_keyspace, 0x5000'0003U);
    ASSERT_EQ(table->local_indexes.size(), 1U);
    EXPECT_EQ(table->local_indexes[0].keyspace, 0x2000'0003U);
    EXPECT_EQ(table->local_indexes[0].projection, model::ProjectionType::include);
    EXPECT_EQ(table->local_indexes[0].non_key_attributes, (std::vector<std::string>{"v", "w"}));
    ASSERT_EQ(table->global_indexes.size(), 1U);
    EXPECT_EQ(table->global_indexes[0].warm->write, 6);
    EXPECT_EQ(table->on_demand->write, -1);
    EXPECT_EQ(table->keys.range[0].type, AttributeType::binary);
    EXPECT_EQ(table->gone_from_ms, full_table().gone_from_ms);
    EXPECT_EQ(table->tags[0].value, "value");
}

TEST(TableEncoding, ItemCollectionsGoWithLocalIndexes)
{
    const auto with_indexes = encode_table(full_table());
    EXPECT_FALSE(decode_table(with(with_indexes, "CollectionsKeyspace", 0)));
    auto table = full_table();
    table.local_indexes.clear();
    EXPECT_FALSE(decode_table(encode_table(table)));
    table.collections_keyspace = 0;
    EXPECT_TRUE(decode_table(encode_table(table)));
}

TEST(TableEncoding, EveryMemberIsNeeded)
{
    const auto encoded = encode_table(full_table());
    for (const auto member : model::ItemView(encoded).attributes()) {
        const bool optional = member.name == "OnDemand" || member.name == "Warm";
        const auto decoded = decode_table(with(encoded, member.name, std::nullopt));
        EXPECT_EQ(decoded.has_value(), optional) << member.name;
        if (!decoded) {
            EXPECT_EQ(decoded.error().code, ErrorCode::corruption) << member.name;
        }
    }
}

TEST(TableEncoding, OtherBytesAreCorruption)
{
    const auto encoded = encode_table(full_table());
    for (std::size_t size = 0; size < encoded.size(); ++size) {
        EXPECT_FALSE(decode_table(Bytes(encoded).substr(0, size)));
    }
    EXPECT_FALSE(decode_table(encoded + "x"));
    EXPECT_FALSE(decode_table(with(encoded, "BillingMode", 2)));
    EXPECT_FALSE(decode_table(with(encoded, "Name", 1)));
}

} // namespace
} // namespace basalt::codec

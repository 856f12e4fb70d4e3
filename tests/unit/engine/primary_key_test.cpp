#include "codec/key_encoding.h"
#include "engine/primary_key.h"
#include "unit/engine/store_fixture.h"

#include <gtest/gtest.h>

namespace basalt::engine {
namespace {

const std::string kInvalid = "One or more parameter values were invalid: ";
const std::string kNoMatch = "The provided key element does not match the schema";
const std::string kNotValid = "One or more parameter values are not valid. ";

template <typename T>
std::string text_of(const Result<T> &result)
{
    return result ? "" : result.error().message;
}

class PrimaryKeyTest : public testing::Test {
protected:
    std::string parameter_fault(Item &item) const
    {
        return text_of(key_from_parameter(table_.keys, item.view().attributes()));
    }
    std::string item_fault(Item &item) const { return text_of(key_from_item(table_.keys, item.view().attributes())); }
    std::string index_fault(Item &item) const { return text_of(check_index_keys(table_, item.view().attributes())); }

    model::TableDescription table_ = indexed_table("table");
};

TEST_F(PrimaryKeyTest, AKeyOfAParameterAndOfItsItemAreTheSame)
{
    Item key;
    key.s("sk", "s").s("pk", "p");
    Item item;
    item.n("l", "1").s("pk", "p").null("x").s("sk", "s");
    const auto from_parameter = key_from_parameter(table_.keys, key.view().attributes());
    const auto from_item = key_from_item(table_.keys, item.view().attributes());
    ASSERT_TRUE(from_parameter);
    ASSERT_TRUE(from_item);
    const auto stored = key_from_stored(table_.keys, item.view().attributes());
    for (const auto *other : {&*from_item, &stored}) {
        EXPECT_EQ(from_parameter->hash, other->hash);
        EXPECT_EQ(from_parameter->partition, other->partition);
        EXPECT_EQ(from_parameter->sort, other->sort);
    }
    EXPECT_EQ(from_parameter->hash, codec::partition_hash("p"));
    EXPECT_EQ(from_parameter->partition, "p");
    EXPECT_EQ(from_parameter->sort, "s");
}

TEST_F(PrimaryKeyTest, AParameterHasExactlyTheKeyAttributesWithTheirTypes)
{
    Item none;
    EXPECT_EQ(parameter_fault(none), kNoMatch);
    EXPECT_EQ(parameter_fault(Item().s("pk", "p")), kNoMatch);
    EXPECT_EQ(parameter_fault(Item().s("sk", "s")), kNoMatch);
    EXPECT_EQ(parameter_fault(Item().s("pk", "p").s("other", "s")), kNoMatch);
    EXPECT_EQ(parameter_fault(Item().s("pk", "p").s("sk", "s").s("x", "y")), kNoMatch);
    EXPECT_EQ(parameter_fault(Item().n("pk", "1").s("sk", "s")), kNoMatch);
    EXPECT_EQ(parameter_fault(Item().s("pk", "p").b("sk", "s")), kNoMatch);
    EXPECT_EQ(parameter_fault(Item().s("pk", "p").null("sk")), kNoMatch);
    EXPECT_EQ(parameter_fault(Item().s("PK", "p").s("sk", "s")), kNoMatch);
}

TEST_F(PrimaryKeyTest, AnItemHasTheKeyAttributesWithTheirTypes)
{
    Item none;
    EXPECT_EQ(item_fault(none), kInvalid + "Missing the key pk in the item");
    EXPECT_EQ(item_fault(Item().s("sk", "s")), kInvalid + "Missing the key pk in the item");
    EXPECT_EQ(item_fault(Item().s("pk", "p")), kInvalid + "Missing the key sk in the item");
    EXPECT_EQ(item_fault(Item().n("pk", "1")), kInvalid + "Type mismatch for key pk expected: S actual: N");
    EXPECT_EQ(item_fault(Item().s("pk", "p").null("sk")),
              kInvalid + "Type mismatch for key sk expected: S actual: NULL");
    EXPECT_EQ(item_fault(Item().s("pk", "p").s("sk", "s").n("more", "1")), "");
}

TEST_F(PrimaryKeyTest, KeysAreNotEmpty)
{
    const auto empty = kNotValid + "The AttributeValue for a key attribute cannot contain an empty string value. Key: ";
    EXPECT_EQ(parameter_fault(Item().s("pk", "").s("sk", "s")), empty + "pk");
    EXPECT_EQ(parameter_fault(Item().s("pk", "p").s("sk", "")), empty + "sk");
    EXPECT_EQ(item_fault(Item().s("pk", "").s("sk", "s")), empty + "pk");
    EXPECT_EQ(item_fault(Item().s("pk", "p").s("sk", "")), empty + "sk");
}

TEST_F(PrimaryKeyTest, KeysHaveALargestSize)
{
    const auto hash = kInvalid + "Size of hashkey has exceeded the maximum size limit of2048 bytes";
    const auto range = kInvalid + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes";
    EXPECT_EQ(parameter_fault(Item().s("pk", std::string(2048, 'k')).s("sk", std::string(1024, 'k'))), "");
    EXPECT_EQ(parameter_fault(Item().s("pk", std::string(2049, 'k')).s("sk", "s")), hash);
    EXPECT_EQ(parameter_fault(Item().s("pk", "p").s("sk", std::string(1025, 'k'))), range);
    EXPECT_EQ(item_fault(Item().s("pk", std::string(2049, 'k')).s("sk", "s")), hash);
    EXPECT_EQ(item_fault(Item().s("pk", "p").s("sk", std::string(1025, 'k'))), range);
}

TEST_F(PrimaryKeyTest, IndexKeysMayBeAbsent)
{
    EXPECT_EQ(index_fault(Item().s("pk", "p").s("sk", "s")), "");
    EXPECT_EQ(index_fault(Item().n("l", "1").s("g", "g").b("b", "b")), "");
}

TEST_F(PrimaryKeyTest, IndexKeysHaveTheirTypes)
{
    EXPECT_EQ(index_fault(Item().s("l", "1")),
              kInvalid + "Type mismatch for Index Key l Expected: N Actual: S IndexName: by_l");
    EXPECT_EQ(index_fault(Item().null("g")),
              kInvalid + "Type mismatch for Index Key g Expected: S Actual: NULL IndexName: by_g");
    EXPECT_EQ(index_fault(Item().s("b", "b")),
              kInvalid + "Type mismatch for Index Key b Expected: B Actual: S IndexName: by_g");
}

TEST_F(PrimaryKeyTest, IndexKeysAreNotEmptyAndNotTooLong)
{
    const auto empty = kNotValid + "A value specified for a secondary index key is not supported. The AttributeValue "
                                   "for a key attribute cannot contain an empty ";
    EXPECT_EQ(index_fault(Item().s("g", "")), empty + "string value. IndexName: by_g, IndexKey: g");
    EXPECT_EQ(index_fault(Item().b("b", "")), empty + "binary value. IndexName: by_g, IndexKey: b");
    EXPECT_EQ(index_fault(Item().s("g", std::string(2048, 'g')).b("b", std::string(1024, 'b'))), "");
    EXPECT_NE(index_fault(Item().s("g", std::string(2049, 'g'))), "");
    EXPECT_NE(index_fault(Item().b("b", std::string(1025, 'b'))), "");
}

TEST_F(PrimaryKeyTest, AllRangeKeysOfAnIndexTogetherAreNotTooLong)
{
    const auto too_long = kInvalid + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes";
    table_.global_indexes[0].keys.range.push_back({"c", model::AttributeType::string});
    table_.global_indexes[0].keys.range.push_back({"n", model::AttributeType::number});
    const std::string half(512, 'x');
    EXPECT_EQ(index_fault(Item().b("b", half).s("c", half)), "");
    EXPECT_EQ(index_fault(Item().b("b", half).s("c", half).n("n", "0")), too_long);
    EXPECT_EQ(index_fault(Item().b("b", half).s("c", half + 'x')), too_long);
    EXPECT_EQ(index_fault(Item().s("g", std::string(2048, 'g')).b("b", half).s("c", half)), "");
    EXPECT_EQ(index_fault(Item().s("c", half + half + 'x')), too_long);
    // Of other types they are refused for that, and do not count.
    Item item;
    item.b("b", half).b("c", half).n("n", "1");
    EXPECT_EQ(text_of(check_range_size(table_.global_indexes[0].keys, item.view().attributes())), "");
}

} // namespace
} // namespace basalt::engine

// The decoded tree: what members become, and that attribute values survive decoding and writing.
#include "codec/item_encoding.h"
#include "protocol/json_writer.h"
#include "protocol/service_members.h"
#include "unit/protocol/decoded_request.h"

#include <gtest/gtest.h>

namespace basalt::protocol {
namespace {

std::string item_json(const Node &node)
{
    std::string out;
    JsonWriter(out).attributes(node.item().attributes());
    return out;
}

TEST(Document, ScalarsOfAQuery)
{
    const DecodedRequest request("Query", R"({"TableName":"t\u00e9\ud83d\ude00","Limit":7.9,"ConsistentRead":"YES",
        "ScanIndexForward":false,"unknown":{"x":[1,null]},"IndexName":null,"AttributesToGet":["a","b"],
        "ExpressionAttributeNames":{"#a":"x","#b":"y","#a":"z"},"ExclusiveStartKey":{"k":{"S":"v"}}})");
    ASSERT_TRUE(request.decoded()) << request.error().message;
    const Node &input = request.input();
    using namespace query_input;
    EXPECT_EQ(input[table_name].text(), "t\xC3\xA9\xF0\x9F\x98\x80");
    EXPECT_EQ(input[limit].integer(), 7);
    EXPECT_TRUE(input[consistent_read].boolean_or(false));
    EXPECT_FALSE(input[scan_index_forward].boolean_or(true));
    EXPECT_FALSE(input[index_name].present());
    EXPECT_EQ(input[index_name].text_or("none"), "none");
    ASSERT_EQ(input[attributes_to_get].elements().size(), 2U);
    EXPECT_EQ(input[attributes_to_get].elements()[1].text(), "b");
    const auto names = input[expression_attribute_names].entries();
    ASSERT_EQ(names.size(), 2U);
    EXPECT_EQ(names[0].key, "#b");
    EXPECT_EQ(names[1].key, "#a");
    EXPECT_EQ(names[1].value.text(), "z");
    EXPECT_EQ(item_json(input[exclusive_start_key]), R"({"k":{"S":"v"}})");
    EXPECT_TRUE(input[query_filter].entries().empty());
    EXPECT_TRUE(input[query_filter][3][4].elements().empty());
}

TEST(Document, IntegersAreFloored)
{
    const auto limit = [](const std::string &number) {
        const DecodedRequest request("Query", R"({"Limit":)" + number + "}");
        return request.input()[query_input::limit].integer();
    };
    EXPECT_EQ(limit("1.5"), 1);
    EXPECT_EQ(limit("-1.5"), -2);
    EXPECT_EQ(limit("-0"), 0);
    EXPECT_EQ(limit("1E2"), 100);
    EXPECT_EQ(limit("2147483647"), 2147483647);
}

TEST(Document, BooleansInStrings)
{
    for (const auto *text : {"true", "TRUE", "1", "yes", "Yes"}) {
        const DecodedRequest request("GetItem", R"({"ConsistentRead":")" + std::string(text) + "\"}");
        EXPECT_TRUE(request.input()[get_item_input::consistent_read].boolean_or(false)) << text;
    }
    for (const auto *text : {"false", "False", "0", "no"}) {
        const DecodedRequest request("GetItem", R"({"ConsistentRead":")" + std::string(text) + "\"}");
        EXPECT_FALSE(request.input()[get_item_input::consistent_read].boolean_or(true)) << text;
    }
}

TEST(Document, Timestamps)
{
    const auto time = [](const std::string &json) {
        const DecodedRequest request("ExportTableToPointInTime", R"({"ExportTime":)" + json + "}");
        EXPECT_TRUE(request.decoded()) << json << request.error().message;
        return request.decoded() ? request.input()[export_table_to_point_in_time_input::export_time].real() : 0;
    };
    EXPECT_EQ(time("1700000000"), 1700000000);
    EXPECT_EQ(time("1700000000.25"), 1700000000.25);
    EXPECT_EQ(time("\"1700000000.5\""), 1700000000.5);
    EXPECT_EQ(time("\"2023-11-14T22:13:20Z\""), 1700000000);
    EXPECT_EQ(time("\"2023-11-14T22:13:20.500Z\""), 1700000000.5);
    EXPECT_EQ(time("\"1969-12-31T23:59:59Z\""), -1);
    for (const auto *text :
         {"", "x", "2023-13-14T22:13:20Z", "2023-11-14T22:13:20", "2023-11-14T22:13", "nan", "inf",
          "2023-02-30T00:00:00Z", "2023-11-14T24:00:00Z", "2023-11-14T22:13:20.Z", "-023-11-14T22:13:20Z"}) {
        const DecodedRequest request("ExportTableToPointInTime", R"({"ExportTime":")" + std::string(text) + "\"}");
        EXPECT_EQ(request.error().message, "STRING_VALUE cannot be converted to Date") << text;
    }
}

TEST(Document, AttributeValuesRoundTrip)
{
    const std::string item =
        R"({"s":{"S":"a\"\\\n"},"n":{"N":"-12.5"},"b":{"B":"AAEC/w=="},"t":{"BOOL":true},"f":{"BOOL":false},)"
        R"("z":{"NULL":true},"m":{"M":{"x":{"S":""},"y":{"M":{}}}},"l":{"L":[{"N":"1"},{"L":[]},{"B":""}]},)"
        R"("ss":{"SS":["b","a",""]},"ns":{"NS":["2","-1","0.5"]},"bs":{"BS":["AA==","AAA=",""]}})";
    for (const bool in_place : {true, false}) {
        const DecodedRequest request(operation("PutItem"), R"({"TableName":"abc","Item":)" + item + "}", in_place);
        ASSERT_TRUE(request.decoded()) << request.error().message;
        const Node &node = request.input()[put_item_input::item];
        ASSERT_EQ(node.kind(), Node::Kind::attributes);
        EXPECT_EQ(node.fault(), nullptr);
        EXPECT_EQ(item_json(node), item);
        EXPECT_TRUE(codec::is_valid_item(node.item().bytes()));
        EXPECT_EQ(node.item().size_bytes(), codec::map_size_bytes(node.item().attributes()));
    }
}

TEST(Document, NumbersAreStoredCanonically)
{
    const DecodedRequest request(
        "PutItem", R"({"Item":{"a":{"N":"+001.50e1"},"b":{"N":"-0"},"c":{"NS":["1e2","0.10"]},"d":{"N":"1e-3"}}})");
    EXPECT_EQ(item_json(request.input()[put_item_input::item]),
              R"({"a":{"N":"15"},"b":{"N":"0"},"c":{"NS":["100","0.1"]},"d":{"N":"0.001"}})");
}

TEST(Document, OfRepeatedNamesTheLastCounts)
{
    const DecodedRequest few("PutItem", R"({"Item":{"a":{"S":"1"},"b":{"S":"2"},"a":{"S":"3"},"c":{"S":"x","S":"y"}},
                                            "Item":{"a":{"S":"1"},"b":{"M":{"q":{"S":""},"q":{"N":"4"}}},"a":{"S":"5"}}})");
    EXPECT_EQ(item_json(few.input()[put_item_input::item]), R"({"b":{"M":{"q":{"N":"4"}}},"a":{"S":"5"}})");

    std::string body;
    for (int i = 0; i < 200; ++i) {
        body += (i == 0 ? "\"" : ",\"") + std::string("k") + std::to_string(i % 50) + R"(":{"N":")" +
                std::to_string(i) + "\"}";
    }
    const DecodedRequest many("PutItem", R"({"Item":{)" + body + "}}");
    const auto &item = many.input()[put_item_input::item];
    EXPECT_TRUE(codec::is_valid_item(item.item().bytes()));
    EXPECT_EQ(item.item().attributes().count(), 50U);
    EXPECT_EQ(item.item().find("k7")->text(), "157");
    EXPECT_EQ(item.item().find("k49")->text(), "199");
}

TEST(Document, ValuesOutsideItems)
{
    const DecodedRequest request("PutItem", R"({"Expected":{"a":{"Value":{"L":[{"N":"1"}]},"AttributeValueList":[
        {"S":"x"},{"N":"q"},null]}}})");
    ASSERT_TRUE(request.decoded());
    const auto expected = request.input()[put_item_input::expected].entries();
    ASSERT_EQ(expected.size(), 1U);
    const Node &value = expected[0].value[expected_attribute_value::value];
    ASSERT_EQ(value.kind(), Node::Kind::attribute_value);
    std::string json;
    JsonWriter(json).attribute_value(value.value());
    EXPECT_EQ(json, R"({"L":[{"N":"1"}]})");
    const auto list = expected[0].value[expected_attribute_value::attribute_value_list].elements();
    ASSERT_EQ(list.size(), 3U);
    EXPECT_EQ(list[0].fault(), nullptr);
    ASSERT_NE(list[1].fault(), nullptr);
    EXPECT_EQ(list[1].fault()->key, "");
    EXPECT_EQ(list[1].fault()->message, "The parameter cannot be converted to a numeric value: q");
    ASSERT_NE(list[2].fault(), nullptr);
}

TEST(Document, OneParserServesManyRequests)
{
    JsonParser parser;
    for (int round = 0; round < 3; ++round) {
        for (const std::size_t size : {std::size_t{10}, std::size_t{3} << 20, std::size_t{200}, std::size_t{100'000}}) {
            std::pmr::monotonic_buffer_resource arena;
            const std::string text(size, 'v');
            const std::string body = R"({"Item":{"a":{"S":")" + text + R"("},"b":{"NS":["1","2"]}}})";
            ASSERT_TRUE(parser.parse(body, 0));
            auto input = parser.decode_input(operation("PutItem"), arena);
            ASSERT_TRUE(input);
            EXPECT_EQ((*input)[put_item_input::item].item().find("a")->text(), text);
            ASSERT_TRUE(parser.parse(R"({"Item":{"a":{"L":[{"S":5}]}}})", 0)); // stops inside open containers
            EXPECT_FALSE(parser.decode_input(operation("PutItem"), arena));
            EXPECT_FALSE(parser.parse("{", 0));
        }
    }
}

} // namespace
} // namespace basalt::protocol

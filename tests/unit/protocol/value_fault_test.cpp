// What is wrong inside attribute values: texts, kinds, and which of several faults is reported.
#include "codec/item_encoding.h"
#include "protocol/service_members.h"
#include "unit/protocol/decoded_request.h"

#include <gtest/gtest.h>

#include <array>

namespace basalt::protocol {
namespace {

using Kind = ValueFault::Kind;

const std::string kInvalid = "One or more parameter values were invalid: ";
const std::string kEmpty = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
const std::string kSeveral =
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes";
const std::string kDeep = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
                          "beyond supported limit";
const std::string kNumeric = "The parameter cannot be converted to a numeric value";

struct Fault {
    Kind kind = Kind::other;
    std::string message;
    std::string key;
};

/// The fault of an item given by its members; an empty message without one.
Fault fault_of(const std::string &members)
{
    const DecodedRequest request("PutItem", R"({"TableName":"abc","Item":{)" + members + "}}");
    EXPECT_TRUE(request.decoded()) << members << ": " << request.error().message;
    if (!request.decoded()) {
        return {};
    }
    const Node &item = request.input()[put_item_input::item];
    if (item.fault() == nullptr) {
        EXPECT_TRUE(codec::is_valid_item(item.item().bytes()));
        return {};
    }
    return {item.fault()->kind, std::string(item.fault()->message), std::string(item.fault()->key)};
}

std::string text_of(const std::string &value)
{
    return fault_of("\"a\":" + value).message;
}

TEST(ValueFaults, Texts)
{
    for (const auto *value : {"{}", R"({"a":""})", R"({"M":{"a":{}}})", R"({"L":[{}]})", R"({"L":[{"a":{}}]})", "null",
                              R"({"S":null})", R"({"L":[null]})", R"({"M":{"x":null}})"}) {
        EXPECT_EQ(text_of(value), kEmpty) << value;
    }
    EXPECT_EQ(text_of(R"({"NULL":"no"})"), kInvalid + "Null attribute value types must have the value of true");
    EXPECT_EQ(text_of(R"({"NULL":false})"), kInvalid + "Null attribute value types must have the value of true");
    EXPECT_EQ(text_of(R"({"SS":[]})"), kInvalid + "An string set  may not be empty");
    EXPECT_EQ(text_of(R"({"NS":[]})"), kInvalid + "An number set  may not be empty");
    EXPECT_EQ(text_of(R"({"BS":[]})"), kInvalid + "Binary sets should not be empty");
    EXPECT_EQ(text_of(R"({"SS":["a","a"]})"), kInvalid + "Input collection [a, a] contains duplicates.");
    EXPECT_EQ(text_of(R"({"BS":["Yg==","Yg=="]})"),
              kInvalid + "Input collection [Yg==, Yg==]of type BS contains duplicates.");
    EXPECT_EQ(text_of(R"({"NS":["1","1"]})"), "Input collection contains duplicates");
    EXPECT_EQ(text_of(R"({"NS":["1","1.0"]})"), "Input collection contains duplicates");
    EXPECT_EQ(text_of(R"({"NS":["1",""]})"), kNumeric);
    EXPECT_EQ(text_of(R"({"NS":["1","b"]})"), kNumeric + ": b");
    EXPECT_EQ(text_of(R"({"N":""})"), kNumeric);
    EXPECT_EQ(text_of(R"({"N":"123456789012345678901234567890123456789"})"),
              "Attempting to store more than 38 significant digits in a Number");
    EXPECT_EQ(text_of(R"({"N":"-1e126"})"),
              "Number overflow. Attempting to store a number with magnitude larger than supported range");
    EXPECT_EQ(text_of(R"({"N":"1e-131"})"),
              "Number underflow. Attempting to store a number with magnitude smaller than supported range");
    EXPECT_EQ(text_of(R"({"S":"a","N":"1"})"), kSeveral);
    EXPECT_EQ(fault_of(R"("":{"S":"a"})").message, "Empty attribute name");
    EXPECT_EQ(text_of(R"({"M":{"":{"S":"a"}}})"), "Empty attribute name");
    EXPECT_EQ(text_of(R"({"S":"","zz":5})"), "");
    EXPECT_EQ(text_of(R"({"SS":["","a"]})"), "");
    EXPECT_EQ(text_of(R"({"S":"x","N":null})"), "");
}

TEST(ValueFaults, Kinds)
{
    EXPECT_EQ(fault_of(R"("a":{"N":"x"})").kind, Kind::number);
    EXPECT_EQ(fault_of(R"("a":{"NS":["x"]})").kind, Kind::number);
    EXPECT_EQ(fault_of(R"("a":{"NS":["1","1"]})").kind, Kind::number);
    EXPECT_EQ(fault_of(R"("a":{"SS":["1","1"]})").kind, Kind::duplicates);
    EXPECT_EQ(fault_of(R"("a":{"BS":["","" ]})").kind, Kind::duplicates);
    EXPECT_EQ(fault_of(R"("a":{"SS":[]})").kind, Kind::other);
    EXPECT_EQ(fault_of(R"("a":{})").kind, Kind::other);
}

TEST(ValueFaults, FirstInDocumentOrderWithItsTopLevelName)
{
    const auto fault = fault_of(R"("x":{"S":"1"},"y":{"M":{"p":{"L":[{"N":"q"}]}}},"z":{})");
    EXPECT_EQ(fault.message, kNumeric + ": q");
    EXPECT_EQ(fault.key, "y");
    EXPECT_EQ(fault_of(R"("z":{},"y":{"N":"q"})").key, "z");
}

TEST(ValueFaults, SeveralTypesAreReportedAfterTheirOwnFaults)
{
    EXPECT_EQ(text_of(R"({"S":"","N":""})"), kNumeric);
    EXPECT_EQ(text_of(R"({"S":"a","N":"b"})"), kNumeric + ": b");
    EXPECT_EQ(text_of(R"({"SS":[],"N":"b"})"), kNumeric + ": b");
    EXPECT_EQ(text_of(R"({"SS":[],"NULL":false})"),
              kInvalid + "Null attribute value types must have the value of true");
    EXPECT_EQ(text_of(R"({"M":{"x":{}},"SS":["a","a"]})"), kInvalid + "Input collection [a, a] contains duplicates.");
    EXPECT_EQ(text_of(R"({"M":{"x":{}},"L":[{"N":"w"}]})"), kEmpty);
}

TEST(ValueFaults, OverriddenValuesHaveNone)
{
    EXPECT_EQ(fault_of(R"("a":{"N":"x"},"a":{"S":"y"})").message, "");
    EXPECT_EQ(fault_of(R"("a":{"N":"x"},"a":{"S":"y"},"b":{})").key, "b");
}

std::string nested(int levels, const std::string &inner, bool lists)
{
    std::string text = inner;
    for (int i = 0; i < levels; ++i) {
        text = lists ? R"({"L":[)" + text + "]}" : R"({"M":{"m":)" + text + "}}";
    }
    return text;
}

TEST(ValueFaults, Depth)
{
    for (const bool lists : {false, true}) {
        EXPECT_EQ(text_of(nested(31, R"({"S":"x"})", lists)), "");
        EXPECT_EQ(text_of(nested(31, R"({"M":{}})", lists)), "");
        EXPECT_EQ(text_of(nested(31, R"({"L":[]})", lists)), "");
        EXPECT_EQ(text_of(nested(32, R"({"S":"x"})", lists)), kDeep);
        EXPECT_EQ(text_of(nested(200, R"({"S":"x"})", lists)), kDeep);
    }
    const auto fault = fault_of(R"("a":)" + nested(40, R"({"S":"x"})", false) + R"(,"b":{"N":"q"})");
    EXPECT_EQ(fault.message, kNumeric + ": q");
    EXPECT_EQ(fault.key, "b");
    const auto deep = fault_of(R"("a":{"S":"1"},"b":)" + nested(40, R"({"S":"x"})", true));
    EXPECT_EQ(deep.message, kDeep);
    EXPECT_EQ(deep.key, "b");
}

TEST(ValueFaults, LargeSets)
{
    const auto set = [](std::string_view type, int count, bool duplicate) {
        std::string text = "{\"" + std::string(type) + "\":[";
        for (int i = 0; i < count; ++i) {
            text += (i == 0 ? "\"" : ",\"") + std::to_string(1'000'000 + i * 7) + "0\"";
        }
        return text + (duplicate ? R"(,"10000210"]})" : "]}");
    };
    for (const auto *type : {"SS", "NS", "BS"}) {
        EXPECT_EQ(text_of(set(type, 50'000, false)), "") << type;
        EXPECT_TRUE(text_of(set(type, 50'000, true)).find("contains duplicates") != std::string::npos) << type;
    }
}

TEST(ValueFaults, InExpressionAttributeValues)
{
    const DecodedRequest request("Query",
                                 R"({"ExpressionAttributeValues":{":a":{"S":"x"},":v":{"N":"q"},"":{"S":""}}})");
    const Node &values = request.input()[query_input::expression_attribute_values];
    ASSERT_NE(values.fault(), nullptr);
    EXPECT_EQ(values.fault()->key, ":v");
    const DecodedRequest unnamed("Query", R"({"ExpressionAttributeValues":{"":{"S":""}}})");
    EXPECT_EQ(unnamed.input()[query_input::expression_attribute_values].fault(), nullptr);
}

} // namespace
} // namespace basalt::protocol

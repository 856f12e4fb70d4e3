// SerializationException texts: hand-written for the service's known answers, and for every value of the model by kind.
#include "protocol/document.h"
#include "unit/protocol/decoded_request.h"
#include "unit/protocol/model_walk.h"

#include <gtest/gtest.h>

#include <array>

namespace basalt::protocol {
namespace {

using Type = Shape::Type;

constexpr std::string_view kNotExpected = "Start of structure or map found where not expected";
constexpr std::string_view kCast =
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class "
    "(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of "
    "loader 'bootstrap')";

/// A JSON value of a kind and how the service calls it.
struct Sample {
    std::string_view json;
    std::string_view token; // empty: array or object
};
constexpr std::array kSamples = {
    Sample{"true", "TRUE_VALUE"},
    Sample{"false", "FALSE_VALUE"},
    Sample{"23", "NUMBER_VALUE"},
    Sample{"-2147483648", "NUMBER_VALUE"},
    Sample{"2147483648", "NUMBER_VALUE"},
    Sample{"34.56", "DECIMAL_VALUE"},
    Sample{"\"x23\"", "STRING_VALUE"},
    Sample{"[]", ""},
    Sample{"{}", ""},
};

std::string java_name(const Shape &shape)
{
    switch (shape.type) {
    case Type::string:
        return "java.lang.String";
    case Type::integer:
        return "java.lang.Integer";
    case Type::long_integer:
        return "java.lang.Long";
    case Type::double_number:
        return "java.lang.Double";
    case Type::boolean:
        return "java.lang.Boolean";
    case Type::timestamp:
        return "java.util.Date";
    case Type::blob:
        return "java.nio.ByteBuffer";
    case Type::list:
        return "java.util.List<" + java_name(*shape.element) + ">";
    case Type::map:
        return "java.util.Map<java.lang.String, " + java_name(*shape.element) + ">";
    default:
        return "com.amazonaws.dynamodb.v20120810." + std::string(shape.name);
    }
}

bool accepts(Type type, const Sample &sample)
{
    switch (type) {
    case Type::string:
        return sample.token == "STRING_VALUE";
    case Type::integer:
        return sample.token == "DECIMAL_VALUE" || (sample.token == "NUMBER_VALUE" && sample.json != "2147483648");
    case Type::long_integer:
    case Type::double_number:
    case Type::timestamp:
        return sample.token == "DECIMAL_VALUE" || sample.token == "NUMBER_VALUE";
    case Type::boolean:
        return sample.token.starts_with("TRUE") || sample.token.starts_with("FALSE");
    case Type::list:
        return sample.json == "[]";
    default:
        return sample.json == "{}";
    }
}

/// What decoding says about a sample that the type does not accept.
std::string expected_text(const ModelValue &value, const Sample &sample)
{
    const Shape &shape = *value.shape;
    if (sample.json == "{}") {
        return std::string(kNotExpected);
    }
    if (sample.json == "[]") {
        return "Unrecognized collection type " + std::string(shape.type == Type::map ? "" : "class ") +
               java_name(shape);
    }
    switch (shape.type) {
    case Type::list:
    case Type::map:
        return std::string(value.position == Position::member ? "Unexpected field type" : kCast);
    case Type::structure:
    case Type::attribute_value:
        return value.position == Position::member ? "Unexpected field type" : "Unexpected value type in payload";
    case Type::boolean:
        if (sample.token == "STRING_VALUE") {
            return "Unexpected token received from parser";
        }
        [[fallthrough]];
    default:
        break;
    }
    const auto name = java_name(shape);
    return std::string(sample.token) + " cannot be converted to " + name.substr(name.rfind('.') + 1);
}

TEST(WrongTypes, EveryValueOfTheModel)
{
    int checked = 0;
    for_each_value([&](const ModelValue &value) {
        if (value.position == Position::map_key) {
            return;
        }
        for (const auto &sample : kSamples) {
            const std::string body = value.body(std::string(sample.json));
            const DecodedRequest request(*value.operation, body);
            if (accepts(value.shape->type, sample)) {
                EXPECT_TRUE(request.decoded()) << body << ": " << request.error().message;
            } else {
                EXPECT_EQ(request.error().message, expected_text(value, sample))
                    << value.operation->name << ' ' << body;
            }
            ++checked;
        }
        EXPECT_TRUE(DecodedRequest(*value.operation, value.body("null")).decoded()) << value.path;
    });
    EXPECT_GT(checked, 4000);
}

TEST(WrongTypes, KnownAnswers)
{
    EXPECT_EQ(message_of("PutItem", R"({"TableName":true})"), "TRUE_VALUE cannot be converted to String");
    EXPECT_EQ(message_of("Query", R"({"Limit":"5"})"), "STRING_VALUE cannot be converted to Integer");
    EXPECT_EQ(message_of("Query", R"({"ConsistentRead":34.56})"), "DECIMAL_VALUE cannot be converted to Boolean");
    EXPECT_EQ(message_of("Query", R"({"ConsistentRead":"23"})"), "Unexpected token received from parser");
    EXPECT_EQ(message_of("PutItem", R"({"Item":[]})"), "Unrecognized collection type java.util.Map<java.lang.String, "
                                                       "com.amazonaws.dynamodb.v20120810.AttributeValue>");
    EXPECT_EQ(message_of("PutItem", R"({"ExpressionAttributeNames":[]})"),
              "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>");
    EXPECT_EQ(message_of("BatchWriteItem", R"({"RequestItems":[]})"),
              "Unrecognized collection type java.util.Map<java.lang.String, "
              "java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>>");
    EXPECT_EQ(message_of("BatchWriteItem", R"({"RequestItems":{"t":5}})"), kCast);
    EXPECT_EQ(message_of("CreateTable", R"({"ProvisionedThroughput":[]})"),
              "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.ProvisionedThroughput");
    EXPECT_EQ(message_of("CreateTable", R"({"KeySchema":["x"]})"), "Unexpected value type in payload");
    EXPECT_EQ(message_of("CreateTable", R"({"KeySchema":{}})"), kNotExpected);
}

TEST(WrongTypes, InsideAttributeValues)
{
    const auto item = [](std::string_view value) {
        return message_of("PutItem", R"({"TableName":"t","Item":{"a":)" + std::string(value) + "}}");
    };
    EXPECT_EQ(item("\"x\""), "Unexpected value type in payload");
    EXPECT_EQ(item("[]"), "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue");
    EXPECT_EQ(item(R"({"S":5})"), "NUMBER_VALUE cannot be converted to String");
    EXPECT_EQ(item(R"({"S":[]})"), "Unrecognized collection type class java.lang.String");
    EXPECT_EQ(item(R"({"S":{}})"), kNotExpected);
    EXPECT_EQ(item(R"({"N":5})"), "NUMBER_VALUE cannot be converted to String");
    EXPECT_EQ(item(R"({"N":false})"), "FALSE_VALUE cannot be converted to String");
    EXPECT_EQ(item(R"({"B":5})"), "only base-64-encoded strings are convertible to bytes");
    EXPECT_EQ(item(R"({"B":[]})"), "Unrecognized collection type class java.nio.ByteBuffer");
    EXPECT_EQ(item(R"({"B":"23456"})"), "Base64 encoded length is expected a multiple of 4 bytes but found: 5");
    for (const auto *text : {"=+/=", "+/+=", "A===", "AB==", "AAB=", "A=AA", "AA\xC3\xA9", "====", "AAAA=AAA"}) {
        EXPECT_EQ(item(R"({"B":")" + std::string(text) + "\"}"), "Invalid last non-pad Base64 character dectected")
            << text;
    }
    EXPECT_EQ(item(R"({"BOOL":"maybe"})"), "Unexpected token received from parser");
    EXPECT_EQ(item(R"({"BOOL":[]})"), "Unrecognized collection type class java.lang.Boolean");
    EXPECT_EQ(item(R"({"NULL":1})"), "NUMBER_VALUE cannot be converted to Boolean");
    EXPECT_EQ(item(R"({"SS":"a"})"), "Unexpected field type");
    EXPECT_EQ(item(R"({"SS":{}})"), kNotExpected);
    EXPECT_EQ(item(R"({"SS":[1]})"), "NUMBER_VALUE cannot be converted to String");
    EXPECT_EQ(item(R"({"NS":[1.5]})"), "DECIMAL_VALUE cannot be converted to String");
    EXPECT_EQ(item(R"({"BS":["A"]})"), "Base64 encoded length is expected a multiple of 4 bytes but found: 1");
    EXPECT_EQ(item(R"({"L":{}})"), kNotExpected);
    EXPECT_EQ(item(R"({"L":true})"), "Unexpected field type");
    EXPECT_EQ(item(R"({"L":["x"]})"), "Unexpected value type in payload");
    EXPECT_EQ(item(R"({"M":[]})"), "Unrecognized collection type java.util.Map<java.lang.String, "
                                   "com.amazonaws.dynamodb.v20120810.AttributeValue>");
    EXPECT_EQ(item(R"({"M":{"x":{"L":[{"S":1}]}}})"), "NUMBER_VALUE cannot be converted to String");
    EXPECT_EQ(item(R"({"S":"a","N":1})"), "NUMBER_VALUE cannot be converted to String");
    EXPECT_EQ(message_of("PutItem", R"({"Expected":{"a":{"Value":"x"}}})"), "Unexpected field type");
}

TEST(WrongTypes, FirstInDocumentOrderIsReported)
{
    EXPECT_EQ(message_of("Query", R"({"Limit":"x","TableName":5})"), "STRING_VALUE cannot be converted to Integer");
    EXPECT_EQ(message_of("Query", R"({"TableName":5,"Limit":"x"})"), "NUMBER_VALUE cannot be converted to String");
}

TEST(WrongTypes, OverriddenMembersAreCheckedToo)
{
    EXPECT_EQ(message_of("PutItem", R"({"Item":{"a":{"S":5},"a":{"S":"x"}}})"),
              "NUMBER_VALUE cannot be converted to String");
    EXPECT_EQ(message_of("Scan", R"({"ExpressionAttributeNames":{"#a":5,"#a":"x"}})"),
              "NUMBER_VALUE cannot be converted to String");
}

TEST(WrongTypes, IntegersOutOfRange)
{
    EXPECT_EQ(message_of("Query", R"({"Limit":2147483648})"), "NUMBER_VALUE cannot be converted to Integer");
    EXPECT_EQ(message_of("Query", R"({"Limit":-1e300})"), "DECIMAL_VALUE cannot be converted to Integer");
    EXPECT_EQ(message_of("Query", R"({"Limit":1e400})"), "DECIMAL_VALUE cannot be converted to Integer");
    EXPECT_EQ(message_of("Query", R"({"Limit":100000000000000000000000})"),
              "NUMBER_VALUE cannot be converted to Integer");
    const std::string throughput = R"({"TableName":"abc","ProvisionedThroughput":{"ReadCapacityUnits":)";
    for (const auto *number : {"9223372036854775808", "18446744073709551616", "-9223372036854775809"}) {
        EXPECT_EQ(message_of("UpdateTable", throughput + number + "}}"), "NUMBER_VALUE cannot be converted to Long");
    }
}

} // namespace
} // namespace basalt::protocol

// Bodies made to hurt: they are refused or decoded, and never crash. Meant to be run with the address sanitizer too.
#include "codec/item_encoding.h"
#include "protocol/json_writer.h"
#include "protocol/service_members.h"
#include "unit/protocol/decoded_request.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

namespace basalt::protocol {
namespace {

/// Parses from memory that ends exactly behind the body, so that reading on is noticed.
Result<void> parse_exact(JsonParser &parser, std::string_view body)
{
    const std::unique_ptr<char[]> exact(new char[body.size()]);
    std::ranges::copy(body, exact.get());
    return parser.parse({exact.get(), body.size()}, 0);
}

const std::string kBody =
    R"({"TableName":"abc","Item":{"s":{"S":"h\u00e9\ud83d\ude00"},"n":{"N":"1.5e3"},"b":{"B":"AAEC"},)"
    R"("m":{"M":{"x":{"L":[{"BOOL":true},{"NULL":true}]}}},"ss":{"SS":["a","b"]},"ns":{"NS":["1","2"]}},)"
    R"("Expected":{"q":{"Exists":false}},"ReturnValues":"NONE","n":[1,-2.5,1e3,null]})";

TEST(Hostile, TruncatedAtEveryByte)
{
    JsonParser parser;
    ASSERT_TRUE(parse_exact(parser, kBody));
    for (std::size_t size = 0; size < kBody.size(); ++size) {
        const auto parsed = parse_exact(parser, std::string_view(kBody).substr(0, size));
        ASSERT_FALSE(parsed) << size;
        EXPECT_EQ(parsed.error().code, ErrorCode::serialization);
        EXPECT_EQ(parsed.error().message, "");
    }
}

TEST(Hostile, EveryByteChanged)
{
    constexpr std::uint32_t kSeed = 20260611;
    SCOPED_TRACE(kSeed);
    std::mt19937 random(kSeed);
    JsonParser parser;
    for (std::size_t at = 0; at < kBody.size(); ++at) {
        for (int round = 0; round < 8; ++round) {
            std::string body = kBody;
            body[at] = static_cast<char>(random());
            if (!parse_exact(parser, body)) {
                continue;
            }
            std::pmr::monotonic_buffer_resource arena;
            auto input = parser.decode_input(operation("PutItem"), arena);
            if (!input) {
                continue;
            }
            const Node &item = (*input)[put_item_input::item];
            if (item && item.fault() == nullptr) {
                EXPECT_TRUE(codec::is_valid_item(item.item().bytes())) << body;
            }
            const auto checked = check_constraints(operation("PutItem"), *input);
            EXPECT_TRUE(checked || !checked.error().message.empty());
        }
    }
}

TEST(Hostile, DeepNesting)
{
    constexpr int kDepth = 100'000;
    const auto repeat = [](std::string_view text, int count) {
        std::string all;
        for (int i = 0; i < count; ++i) {
            all += text;
        }
        return all;
    };
    JsonParser parser;
    EXPECT_FALSE(parse_exact(parser, repeat("[", kDepth)));
    EXPECT_FALSE(parse_exact(parser, R"({"a":)" + repeat("[", kDepth) + repeat("]", kDepth) + "}"));
    EXPECT_FALSE(parse_exact(parser, repeat(R"({"M":)", kDepth) + "1" + repeat("}", kDepth)));
    EXPECT_FALSE(parse_exact(parser, R"({"Item":{"a":)" + repeat(R"({"L":[)", kDepth) + repeat("]}", kDepth) + "}}"));
    for (const int levels : {33, 100, 500}) {
        // Two types at each level: what is checked without being kept must stay bounded as well.
        const auto body = R"({"TableName":"abc","Item":{"a":)" + repeat(R"({"S":"","M":{"a":)", levels) +
                          R"({"S":""})" + repeat("}}", levels) + "}}";
        const DecodedRequest request("PutItem", body);
        ASSERT_TRUE(request.decoded());
        EXPECT_NE(request.input()[put_item_input::item].fault(), nullptr);
        EXPECT_EQ(request.message(), "");
    }
    const DecodedRequest ignored("PutItem", R"({"x":)" + repeat("[", 900) + repeat("]", 900) + "}");
    EXPECT_TRUE(ignored.decoded());
}

TEST(Hostile, Numbers)
{
    const std::string digits(100'000, '9');
    for (const auto &number : {digits, '-' + digits, digits + ".5", "1e" + digits, "-1e-" + digits, "0." + digits,
                               std::string("1e999999999999"), std::string("18446744073709551616")}) {
        std::string body = R"({"x":)";
        body += number;
        body += R"(,"Limit":5,"y":"\" 1e999 ","TableName":"99999999999999999999999"})";
        const DecodedRequest request("Query", body);
        ASSERT_TRUE(request.decoded()) << number.substr(0, 30);
        EXPECT_EQ(request.input()[query_input::limit].integer(), 5);
        EXPECT_EQ(request.input()[query_input::table_name].text(), "99999999999999999999999");
    }
    JsonParser parser;
    for (const auto *number : {"01", "1.", ".5", "+1", "1e", "1e+", "-", "0x10", "NaN", "Infinity", "1_000", "--1",
                               "99999999999999999999999x", "099999999999999999999999", "99999999999999999999999."}) {
        EXPECT_FALSE(parse_exact(parser, R"({"x":)" + std::string(number) + "}")) << number;
    }
    const DecodedRequest text("PutItem", R"({"Item":{"a":{"N":")" + digits + R"("},"b":{"N":"1e)" + digits + R"("}}})");
    ASSERT_TRUE(text.decoded());
    EXPECT_NE(text.input()[put_item_input::item].fault(), nullptr);
}

TEST(Hostile, NotJsonObjects)
{
    JsonParser parser;
    for (const auto *body : {"",
                             " ",
                             "\n",
                             "null",
                             "true",
                             "5",
                             "\"x\"",
                             "[]",
                             "{}x",
                             "{} {}",
                             "{},",
                             "{\"a\":1,}",
                             "{a:1}",
                             "{'a':1}",
                             "{\"a\"}",
                             "{\"a\":}",
                             "{\"a\":1 \"b\":2}",
                             "\xEF\xBB\xBF{}",
                             "// x\n{}",
                             "{\"a\":\"\n\"}",
                             "{\"a\":\"\\x\"}",
                             "{\"a\":\"\\u12\"}",
                             "{\"a\":\"\\ud800\"}",
                             "{\"a\":\"\\udc00\"}",
                             "{\"a\":\"\\ud800\\u0041\"}",
                             "{\"a\":nul}",
                             "{\"a\":tru}"}) {
        EXPECT_FALSE(parse_exact(parser, body)) << body;
    }
    EXPECT_FALSE(parser.parse(std::string_view("{}\0", 3), 0));
    EXPECT_TRUE(parser.parse(" \t\r\n{ } ", 0));
}

TEST(Hostile, InvalidUtf8)
{
    JsonParser parser;
    for (const auto *bytes :
         {"\x80", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "\xE2\x82", "\xF0\x9F\x98"}) {
        EXPECT_FALSE(parse_exact(parser, R"({"a":")" + std::string(bytes) + "\"}"));
        EXPECT_FALSE(parse_exact(parser, "{\"" + std::string(bytes) + "\":1}"));
        EXPECT_FALSE(parse_exact(parser, "{}" + std::string(bytes)));
    }
}

TEST(Hostile, MessagesStayBounded)
{
    // Every error would print the whole map, which prints much longer than it was sent.
    std::string puts;
    for (int i = 0; i < 20'000; ++i) {
        puts += (i == 0 ? "" : ",") + std::string(R"({"PutRequest":{"Item":{"a":{"S":"x"}}}})");
    }
    const auto message = message_of("BatchWriteItem", R"({"RequestItems":{"a;":[)" + puts + R"(],"b;":[]}})");
    EXPECT_TRUE(message.starts_with("2 validation errors detected: Value '{a;=[WriteRequest("));
    EXPECT_LT(message.size(), std::size_t{150'000});
}

TEST(Hostile, ManyMembersAndNames)
{
    std::string names;
    std::string members;
    for (int i = 0; i < 100'000; ++i) {
        const std::string comma = i == 0 ? "" : ",";
        names += comma + "\"#" + std::to_string(i % 77'777) + R"(":"x")";
        members += comma + R"("TableName":"t)" + std::to_string(i) + "\"";
    }
    const DecodedRequest request("Query", R"({"ExpressionAttributeNames":{)" + names + "}," + members + "}");
    ASSERT_TRUE(request.decoded());
    EXPECT_EQ(request.input()[query_input::expression_attribute_names].entries().size(), 77'777U);
    EXPECT_EQ(request.input()[query_input::table_name].text(), "t99999");
}

} // namespace
} // namespace basalt::protocol

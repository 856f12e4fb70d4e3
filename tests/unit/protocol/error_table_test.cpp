// The wire form of errors, and table names.
#include "protocol/error_table.h"
#include "protocol/table_name.h"

#include <gtest/gtest.h>

namespace basalt::protocol {
namespace {

TEST(ErrorTable, Bodies)
{
    EXPECT_EQ(encode_error({ErrorCode::serialization, ""}),
              R"({"__type":"com.amazon.coral.service#SerializationException"})");
    EXPECT_EQ(encode_error({ErrorCode::serialization, "Unexpected field type"}),
              R"({"__type":"com.amazon.coral.service#SerializationException","Message":"Unexpected field type"})");
    EXPECT_EQ(encode_error({ErrorCode::unknown_operation, ""}),
              R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
    EXPECT_EQ(encode_error({ErrorCode::validation, "a \"b\""}),
              R"({"__type":"com.amazon.coral.validate#ValidationException","message":"a \"b\""})");
    EXPECT_EQ(encode_error({ErrorCode::resource_not_found, "Requested resource not found"}),
              R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",)"
              R"("message":"Requested resource not found"})");
    EXPECT_EQ(encode_error({ErrorCode::throttling, "slow"}),
              R"({"__type":"com.amazon.coral.availability#ThrottlingException","message":"slow"})");
}

TEST(ErrorTable, ConditionalCheckFailedWithAndWithoutItem)
{
    EXPECT_EQ(encode_error({ErrorCode::conditional_check_failed, "The conditional request failed"}),
              R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
              R"("message":"The conditional request failed"})");
    EXPECT_EQ(encode_error(
                  {ErrorCode::conditional_check_failed, "The conditional request failed", R"("Item":{"a":{"S":"x"}})"}),
              R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
              R"("Message":"The conditional request failed","Item":{"a":{"S":"x"}}})");
}

TEST(ErrorTable, StatusAndKeys)
{
    EXPECT_EQ(error_wire(ErrorCode::internal_server_error).status, 500);
    EXPECT_EQ(error_wire(ErrorCode::internal_failure).status, 500);
    EXPECT_EQ(error_wire(ErrorCode::service_unavailable).status, 503);
    EXPECT_EQ(error_wire(ErrorCode::request_entity_too_large).status, 413);
    EXPECT_EQ(error_wire(ErrorCode::table_not_found).status, 400);
    for (const auto code : {ErrorCode::serialization, ErrorCode::access_denied, ErrorCode::transaction_canceled,
                            ErrorCode::transaction_in_progress, ErrorCode::idempotent_parameter_mismatch}) {
        EXPECT_EQ(error_wire(code).message_key, "Message");
    }
    EXPECT_EQ(error_wire(ErrorCode::validation).message_key, "message");
}

TEST(ErrorTable, InternalCodesShowNothingOfTheMachine)
{
    for (const auto code : {ErrorCode::would_block, ErrorCode::corruption, ErrorCode::io_error, ErrorCode::locked,
                            ErrorCode::invalid_options}) {
        EXPECT_EQ(error_wire(code).status, 500);
        EXPECT_EQ(encode_error({code, "/var/lib/basalt/000012.sst: bad", "\"x\":1"}),
                  R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError",)"
                  R"("message":"Internal server error"})");
    }
}

TEST(TableName, NamesAndArns)
{
    EXPECT_EQ(parse_table_reference("abc").value().name, "abc");
    const auto reference = parse_table_reference("arn:aws-cn:dynamodb:cn-north-1:123456789012:table/my.Table-1_");
    ASSERT_TRUE(reference);
    EXPECT_EQ(reference.value().name, "my.Table-1_");
    EXPECT_EQ(reference.value().region, "cn-north-1");
    EXPECT_EQ(reference.value().account, "123456789012");
}

TEST(TableName, BadArns)
{
    const auto part = [](const std::string &arn) {
        const auto name = parse_table_reference(arn);
        EXPECT_FALSE(name) << arn;
        if (name) {
            return std::string();
        }
        const std::string head = "1 validation error detected: Invalid AWS ";
        const std::string tail = " in '" + arn + "'";
        const auto &message = name.error().message;
        EXPECT_TRUE(message.starts_with(head) && message.ends_with(tail)) << message;
        return message.substr(head.size(), message.size() - head.size() - tail.size());
    };
    EXPECT_EQ(part("arn:"), "partition");
    EXPECT_EQ(part("arn:azure:dynamodb:us-east-1:000000000000:table/abc"), "partition");
    EXPECT_EQ(part("arn:aws:s3:us-east-1:000000000000:table/abc"), "service");
    EXPECT_EQ(part("arn:aws:dynamodb::000000000000:table/abc"), "region");
    EXPECT_EQ(part("arn:aws:dynamodb:US:000000000000:table/abc"), "region");
    EXPECT_EQ(part("arn:aws:dynamodb:us-east-1:12:table/abc"), "account");
    EXPECT_EQ(part("arn:aws:dynamodb:us-east-1:000000000000:stream/abc"), "resource type");
    EXPECT_EQ(part("arn:aws:dynamodb:us-east-1:000000000000:table/abc/index/i"), "resource type");
    EXPECT_EQ(part("arn:aws:dynamodb:us-east-1:000000000000:table/a;c"), "resource name");
}

TEST(ErrorTable, VeryLongMessagesAreCutBetweenCharacters)
{
    std::string message(1, 'x');
    for (int i = 0; i < 100'000; ++i) {
        message += "\u00e9";
    }
    const auto text = encode_error({ErrorCode::validation, message});
    const auto kept = std::string_view(message).substr(0, (std::size_t{128} << 10) - 1);
    EXPECT_NE(text.find(std::string(kept) + "\"}"), std::string::npos);
    EXPECT_LT(text.size(), (std::size_t{128} << 10) + 100);
}

} // namespace
} // namespace basalt::protocol

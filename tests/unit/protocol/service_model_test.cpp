// The generated tables: look-ups, orders, member positions and compiled patterns.
#include "protocol/service_members.h"
#include "protocol/service_model.h"
#include "unit/protocol/decoded_request.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace basalt::protocol {
namespace {

TEST(ServiceModel, FindsExactTargetsOnly)
{
    const auto all = operations();
    EXPECT_EQ(all.size(), 61U);
    EXPECT_TRUE(std::ranges::is_sorted(all, {}, &OperationModel::target));
    ASSERT_NE(find_operation("DynamoDB_20120810.PutItem"), nullptr);
    EXPECT_EQ(find_operation("DynamoDB_20120810.PutItem")->name, "PutItem");
    EXPECT_EQ(find_operation("DynamoDBStreams_20120810.GetRecords")->input->name, "GetRecordsInput");
    for (const auto *target : {"", "PutItem", "DynamoDB_20120810.putItem", "DynamoDB_20120810.PutItem ",
                               "DynamoDB_20120810.GetRecords", "DynamoDB_20120810.", "zzz"}) {
        EXPECT_EQ(find_operation(target), nullptr) << target;
    }
}

TEST(ServiceModel, MemberPositionsFollowTheModel)
{
    const auto &put = *operation("PutItem").input;
    EXPECT_EQ(put.members[put_item_input::table_name].name, "TableName");
    EXPECT_EQ(put.members[put_item_input::return_values_on_condition_check_failure].name,
              "ReturnValuesOnConditionCheckFailure");
    const auto &transact =
        *operation("TransactWriteItems").input->members[transact_write_items_input::transact_items].shape;
    EXPECT_EQ(transact.element->members[transact_write_item::delete_].name, "Delete");
    for (const auto &model : operations()) {
        EXPECT_EQ(model.input->type, Shape::Type::structure);
        auto order = std::vector<std::uint8_t>(model.input->report_order.begin(), model.input->report_order.end());
        std::ranges::sort(order);
        ASSERT_EQ(order.size(), model.input->members.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            EXPECT_EQ(order[i], i);
        }
    }
}

/// The first string shape of that name below an operation's input.
const Shape *find_shape(const Shape &shape, std::string_view name)
{
    if (shape.name == name) {
        return &shape;
    }
    for (const auto &member : shape.members) {
        if (const auto *found = find_shape(*member.shape, name)) {
            return found;
        }
    }
    return shape.element != nullptr ? find_shape(*shape.element, name) : nullptr;
}

TEST(ServiceModel, Patterns)
{
    const auto matches = [](std::string_view operation_name, std::string_view shape, std::string_view text) {
        const auto *found = find_shape(*operation(operation_name).input, shape);
        EXPECT_NE(found, nullptr);
        EXPECT_NE(found->pattern_rows, nullptr);
        return matches_pattern(*found, text);
    };
    const auto name = [&](std::string_view text) { return matches("Query", "IndexName", text); };
    EXPECT_TRUE(name("aZ09_.-"));
    EXPECT_FALSE(name(""));
    EXPECT_FALSE(name("a b"));
    EXPECT_FALSE(name("\xC3\xA9"));
    EXPECT_FALSE(name(std::string_view("a\0", 2)));
    EXPECT_TRUE(name(std::string(1'000'000, 'a')));
    const auto bucket = [&](std::string_view text) { return matches("ExportTableToPointInTime", "S3Bucket", text); };
    EXPECT_TRUE(bucket("ab"));
    EXPECT_TRUE(bucket("a.b-_c9"));
    EXPECT_FALSE(bucket("a"));
    EXPECT_FALSE(bucket("ab-"));
    EXPECT_FALSE(bucket("-ab"));
    const auto owner = [&](std::string_view text) {
        return matches("ExportTableToPointInTime", "S3BucketOwner", text);
    };
    EXPECT_TRUE(owner("123456789012"));
    EXPECT_FALSE(owner("12345678901"));
    EXPECT_FALSE(owner("1234567890123"));
    EXPECT_FALSE(owner("12345678901a"));
    const auto token = [&](std::string_view text) { return matches("ImportTable", "ClientToken", text); };
    EXPECT_TRUE(token("x \xC3\xA9"));
    EXPECT_FALSE(token("a$b"));
    EXPECT_FALSE(token(""));
    const auto next = [&](std::string_view text) { return matches("ListImports", "ImportNextToken", text); };
    EXPECT_TRUE(next("0123456789abcdef"));
    EXPECT_TRUE(next("0123456789abcdef0123456789abcdef"));
    EXPECT_FALSE(next("0123456789abcdef0"));
    EXPECT_FALSE(next(""));
    const auto role = [&](std::string_view text) {
        return matches("UpdateGlobalTableSettings", "AutoScalingRoleArn", text);
    };
    EXPECT_TRUE(role("arn: \t\r\n\xF0\x9F\x98\x80"));
    EXPECT_TRUE(role(""));
    EXPECT_FALSE(role("a\x01"));
    const auto policy = [&](std::string_view text) {
        return matches("UpdateGlobalTableSettings", "AutoScalingPolicyName", text);
    };
    EXPECT_TRUE(policy("a ~"));
    EXPECT_FALSE(policy("a\n"));
    EXPECT_FALSE(policy("\xC3\xA9"));
    const auto header = [&](std::string_view text) { return matches("ImportTable", "CsvHeader", text); };
    EXPECT_TRUE(header("a b!"));
    EXPECT_FALSE(header("a,b"));
    EXPECT_FALSE(header("\""));
    EXPECT_TRUE(matches("ImportTable", "CsvDelimiter", "\t"));
    EXPECT_FALSE(matches("ImportTable", "CsvDelimiter", "x"));
}

} // namespace
} // namespace basalt::protocol

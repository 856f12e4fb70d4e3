// Attempts that may not wait: whichever of them the store refuses, an attempt that says would_block has done nothing,
// and the next one gives the same answer as if there had been none.
#include "base/clock.h"
#include "base/random.h"
#include "contract/toy_store.h"
#include "operations/operation.h"
#include "protocol/document.h"

#include <gtest/gtest.h>

#include <array>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::operations {
namespace {

struct FixedRandom final : RandomSource {
    [[nodiscard]] std::uint64_t next() override { return 1; }
};

class OperationsUnderNever : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(engine_.load()); }

    /// Runs attempts until one is not refused; notes how many were.
    std::string call(const std::string &name, std::string_view body)
    {
        const auto *const operation = find_operation("DynamoDB_20120810." + name);
        const auto *const model = protocol::find_operation("DynamoDB_20120810." + name);
        EXPECT_TRUE(parser_.parse(body, 0));
        std::pmr::monotonic_buffer_resource arena;
        const auto input = parser_.decode_input(*model, arena);
        EXPECT_TRUE(input);
        EXPECT_TRUE(protocol::check_constraints(*model, *input));
        constexpr int kMostAttempts = 4; // the store refuses one in three
        for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
            std::string response = "left over";
            const auto outcome = operation->run(context_, storage::Wait::never, *input, response);
            if (outcome.result) {
                return response;
            }
            if (outcome.result.error().code != ErrorCode::would_block) {
                return outcome.result.error().message + outcome.result.error().detail;
            }
            ++refused_;
        }
        ADD_FAILURE() << name << " is always refused";
        return {};
    }

    std::unique_ptr<storage::Store> store_ = storage::make_toy_store();
    ManualClock clock_{1'700'000'000'000};
    FixedRandom random_;
    engine::Engine engine_{*store_, clock_, random_, {}};
    expression::SyntaxCache expressions_{1 << 20};
    Context context_{engine_, expressions_, "us-east-1", "000000000000"};
    protocol::JsonParser parser_;
    int refused_ = 0;
};

constexpr std::string_view kTable =
    R"({"TableName": "table", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions":
        [{"AttributeName": "a", "AttributeType": "S"}, {"AttributeName": "b", "AttributeType": "N"}],
        "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}]})";

TEST_F(OperationsUnderNever, AnswersDoNotDependOnRefusals)
{
    constexpr int kRounds = 30;
    call("CreateTable", kTable);
    EXPECT_EQ(call("CreateTable", kTable), "Table already exists: table");
    std::string items;
    for (int i = 0; i < kRounds; ++i) {
        const auto number = std::to_string(i);
        const auto key = R"({"a":{"S":"x"},"b":{"N":")" + number + R"("}})";
        const auto item = R"({"a":{"S":"x"},"b":{"N":")" + number + R"("},"v":{"N":"1"}})";
        const auto table = std::string(R"({"TableName":"table",)");
        EXPECT_EQ(call("PutItem", table + R"("ReturnValues":"ALL_OLD","Item":)" + item + "}"), "{}");
        EXPECT_EQ(call("PutItem", table + R"("ReturnValues":"ALL_OLD","Item":)" + item + "}"),
                  R"({"Attributes":)" + item + "}");
        EXPECT_EQ(call("GetItem", table + R"("Key":)" + key + "}"), R"({"Item":)" + item + "}");
        if (i % 2 == 0) {
            EXPECT_EQ(call("DeleteItem", table + R"("ReturnValues":"ALL_OLD","Key":)" + key + "}"),
                      R"({"Attributes":)" + item + "}");
            EXPECT_EQ(call("GetItem", table + R"("Key":)" + key + "}"), "{}");
        } else {
            items += (items.empty() ? "" : ",") + item;
        }
        const auto count = std::to_string((i + 1) / 2);
        const auto page = R"({"Items":[)" + items + R"(],"Count":)" + count + R"(,"ScannedCount":)" + count + "}";
        EXPECT_EQ(call("Scan", R"({"TableName":"table"})"), page);
        EXPECT_EQ(call("Query", R"({"TableName":"table","KeyConditionExpression":"a = :a",)"
                                R"("ExpressionAttributeValues":{":a":{"S":"x"}}})"),
                  page);
    }
    call("DeleteTable", R"({"TableName":"table"})");
    EXPECT_EQ(call("ListTables", "{}"), R"({"TableNames":[]})");
    EXPECT_GT(refused_, kRounds);
}

constexpr std::string_view kIndexed =
    R"({"TableName": "table", "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions":
        [{"AttributeName": "a", "AttributeType": "S"}, {"AttributeName": "b", "AttributeType": "N"},
         {"AttributeName": "c", "AttributeType": "N"}],
        "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}],
        "LocalSecondaryIndexes": [{"IndexName": "by_c", "Projection": {"ProjectionType": "KEYS_ONLY"},
         "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "c", "KeyType": "RANGE"}]}]})";

TEST_F(OperationsUnderNever, UpdatesAndConditionsDoNotDependOnRefusals)
{
    constexpr int kRounds = 30;
    call("CreateTable", kIndexed);
    const std::string at = R"({"TableName":"table","Key":{"a":{"S":"x"},"b":{"N":"1"}},)";
    for (int i = 1; i <= kRounds; ++i) {
        const auto before = std::to_string(i - 1);
        const auto after = std::to_string(i);
        EXPECT_EQ(
            call("UpdateItem", at + R"("UpdateExpression":"ADD c :one SET v = :v","ReturnValues":"UPDATED_NEW",)" +
                                   R"("ReturnItemCollectionMetrics":"SIZE","ExpressionAttributeValues":)" +
                                   R"({":one":{"N":"1"},":v":{"S":"text"}}})"),
            R"({"Attributes":{"c":{"N":")" + after + R"("},"v":{"S":"text"}},)" +
                R"("ItemCollectionMetrics":{"ItemCollectionKey":{"a":{"S":"x"}},"SizeEstimateRangeGB":[0.0,1.0]}})");
        const auto item = R"({"a":{"S":"x"},"b":{"N":"1"},"c":{"N":")" + after + R"("},"v":{"S":"text"}})";
        EXPECT_EQ(call("PutItem", R"({"TableName":"table","Item":{"a":{"S":"x"},"b":{"N":"1"}},)"
                                  R"("ConditionExpression":"c = :c","ReturnValuesOnConditionCheckFailure":"ALL_OLD",)"
                                  R"("ExpressionAttributeValues":{":c":{"N":")" +
                                      before + R"("}}})"),
                  R"(The conditional request failed"Item":)" + item);
        const std::string query = R"({"TableName":"table","IndexName":"by_c","KeyConditionExpression":"a = :a",)"
                                  R"("FilterExpression":"v = :v","ReturnConsumedCapacity":"TOTAL",)"
                                  R"("ExpressionAttributeValues":{":a":{"S":"x"},":v":{"S":"text"}},)";
        EXPECT_EQ(call("Query", query + R"("Select":"ALL_ATTRIBUTES"})"),
                  R"({"Items":[)" + item +
                      R"(],"Count":1,"ScannedCount":1,"ConsumedCapacity":{"TableName":"table","CapacityUnits":1.0}})");
    }
    EXPECT_GT(refused_, kRounds);
}

TEST_F(OperationsUnderNever, BatchesDoNotDependOnRefusals)
{
    constexpr int kRounds = 20;
    call("CreateTable", kIndexed);
    for (int i = 0; i < kRounds; ++i) {
        const auto c = R"("c":{"N":")" + std::to_string(i) + R"("})";
        const auto item = [&](int b) {
            return R"({"a":{"S":"x"},"b":{"N":")" + std::to_string(b) + R"("},)" + c + "}";
        };
        const auto put = [&](int b) { return R"({"PutRequest":{"Item":)" + item(b) + "}}"; };
        // A new entry costs a unit, an entry that moves costs two.
        const auto units = i == 0 ? "4.0" : "6.0";
        EXPECT_EQ(call("BatchWriteItem", R"({"RequestItems":{"table":[)" + put(1) + "," + put(2) +
                                             R"(]},"ReturnConsumedCapacity":"TOTAL"})"),
                  R"({"UnprocessedItems":{},"ConsumedCapacity":[{"TableName":"table","CapacityUnits":)" +
                      std::string(units) + "}]}");
        EXPECT_EQ(call("BatchGetItem", R"({"RequestItems":{"table":{"Keys":[{"a":{"S":"x"},"b":{"N":"2"}},)"
                                       R"({"a":{"S":"x"},"b":{"N":"3"}},{"a":{"S":"x"},"b":{"N":"1"}}]}}})"),
                  R"({"Responses":{"table":[)" + item(2) + "," + item(1) + R"(]},"UnprocessedKeys":{}})");
    }
    EXPECT_GT(refused_, kRounds / 2);
}

} // namespace
} // namespace basalt::operations

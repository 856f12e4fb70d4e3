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
                return outcome.result.error().message;
            }
            ++refused_;
        }
        ADD_FAILURE() << name << " is always refused";
        return {};
    }

    std::unique_ptr<storage::Store> store_ = storage::make_toy_store();
    ManualClock clock_{1'700'000'000'000};
    FixedRandom random_;
    engine::Engine engine_{*store_, clock_, random_, 0};
    Context context_{engine_, "us-east-1", "000000000000"};
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

} // namespace
} // namespace basalt::operations

// Items that are far larger as JSON than by the size rule do not make answers of any length.
#include "database_parts.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace basalt {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

/// Items of 390 KB that are 17.5 MB of JSON each.
class LongItems : public testing::Test {
protected:
    static constexpr int kItems = 6;

    LongItems()
    {
        storage::RocksdbOptions options;
        options.in_memory = true;
        database_ = open_over(Options{}, {storage::open_rocksdb(options).value(), std::make_unique<SystemClock>(),
                                          std::make_unique<SystemRandom>()})
                        .value();
        call("CreateTable", R"({"TableName":"table","BillingMode":"PAY_PER_REQUEST",
            "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
            "KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]})");
        std::string numbers = R"({"N":"1E125"})";
        constexpr int kNumbers = 130'000;
        for (int i = 1; i < kNumbers; ++i) {
            numbers += R"(,{"N":"1E125"})";
        }
        for (int i = 0; i < kItems; ++i) {
            EXPECT_EQ(call("PutItem", R"({"TableName":"table","Item":{"id":{"S":")" + std::to_string(i) +
                                          R"("},"numbers":{"L":[)" + numbers + "]}}}")
                          .status,
                      200);
        }
    }

    Response call(const std::string &operation, const std::string &body)
    {
        return database_->call(Request{"DynamoDB_20120810." + operation, body, 0});
    }
    /// One object for each item, with the item's key in it.
    static std::string for_each_item(int items, const std::string &before, const std::string &after)
    {
        std::string text;
        for (int i = 0; i < items; ++i) {
            text += (i == 0 ? "" : ",") + before + R"("TableName":"table","Key":{"id":{"S":")" + std::to_string(i) +
                    R"("}})" + after;
        }
        return text;
    }
    Response get_all(int items)
    {
        return call("TransactGetItems", R"({"TransactItems":[)" + for_each_item(items, R"({"Get":{)", "}}") + "]}");
    }
    static std::size_t count(std::string_view text, std::string_view part)
    {
        std::size_t found = 0;
        for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) {
            ++found;
        }
        return found;
    }

    std::unique_ptr<Database> database_;
};

TEST_F(LongItems, TransactionalReadsAreRefused)
{
    const auto two = get_all(2);
    EXPECT_EQ(two.status, 200);
    EXPECT_GT(two.body.size(), 30 * kMegabyte);
    EXPECT_EQ(get_all(3).body, R"({"__type":"com.amazon.coral.validate#ValidationException",)"
                               R"("message":"The aggregate size of the items in the transaction exceeded 4 MB"})");
}

TEST_F(LongItems, ReasonsStopShowingThem)
{
    // An update's reason is made elsewhere than a check's: the last one is of an update.
    const std::string condition = R"-(,"ConditionExpression":"attribute_not_exists(id)",)-"
                                  R"("ReturnValuesOnConditionCheckFailure":"ALL_OLD"}})";
    const auto body = R"({"TransactItems":[)" + for_each_item(kItems - 1, R"({"ConditionCheck":{)", condition) +
                      R"(,{"Update":{"TableName":"table","Key":{"id":{"S":"5"}},"UpdateExpression":"REMOVE numbers")" +
                      condition + "]}";
    for (int round = 0; round < 2; ++round) {
        const auto cancelled = call("TransactWriteItems", body);
        EXPECT_EQ(cancelled.status, 400);
        EXPECT_EQ(count(cancelled.body, R"("Code":"ConditionalCheckFailed")"), std::size_t{kItems});
        EXPECT_EQ(count(cancelled.body, R"("Item":)"), 4U); // three are less than 64 MB
        EXPECT_LT(cancelled.body.size(), 80 * kMegabyte);
    }
}

} // namespace
} // namespace basalt

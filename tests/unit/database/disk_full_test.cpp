// A disk without space under a database: writes are refused, reads and what gives space back go on, and writes are
// accepted again when there is space.
#include "database/faulty_database.h"

#include <thread>
#include <vector>

namespace basalt {
namespace {

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 40U;
constexpr std::uint64_t kLittle = 1000;

const std::string kIndexedTable =
    R"({"TableName":"indexed","BillingMode":"PAY_PER_REQUEST",)"
    R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],)"
    R"("AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},{"AttributeName":"s","AttributeType":"S"},)"
    R"({"AttributeName":"t","AttributeType":"S"}],"LocalSecondaryIndexes":[{"IndexName":"by_t",)"
    R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"t","KeyType":"RANGE"}],)"
    R"("Projection":{"ProjectionType":"ALL"}}]})";

class DiskFull : public FaultyDatabase {
protected:
    void fill_disk()
    {
        files_->set_free_bytes(kLittle);
        while (put("filler", "x") == 200) { // until the store looks again
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    int put_indexed(const std::string &sort)
    {
        return call("PutItem", R"({"TableName":"indexed","Item":{"p":{"S":"p"},"s":{"S":")" + sort +
                                   R"("},"t":{"S":"t)" + sort + R"("},"pad":{"S":")" + std::string(500, 'x') +
                                   R"("}}})")
            .status;
    }
    int delete_indexed(const std::string &sort)
    {
        return call("DeleteItem", R"({"TableName":"indexed","Key":{"p":{"S":"p"},"s":{"S":")" + sort + R"("}}})")
            .status;
    }
    std::string index_counts()
    {
        return call("Query", R"({"TableName":"indexed","IndexName":"by_t","Select":"COUNT",)"
                             R"("KeyConditionExpression":"p = :p","ExpressionAttributeValues":{":p":{"S":"p"}}})")
            .body;
    }
};

TEST_F(DiskFull, WritesAreRefusedReadsGoOnAndWritesComeBack)
{
    open();
    ASSERT_EQ(create_table("table"), 200);
    ASSERT_EQ(put("old", "a"), 200);
    fill_disk();
    EXPECT_EQ(put("new", "b"), 500);
    EXPECT_TRUE(witness_.logged("error", "writes are refused"));
    EXPECT_GE(witness_.counted("basalt_refused_writes_total"), 2);
    EXPECT_EQ(metric_value("basalt_writes_refused"), 1);
    EXPECT_EQ(get("old"), "a");
    EXPECT_EQ(get("new"), std::nullopt);
    EXPECT_EQ(call("DeleteItem", R"({"TableName":"table","Key":{"id":{"S":"old"}}})").status, 200);
    EXPECT_EQ(get("old"), std::nullopt);
    files_->set_free_bytes(kPlenty);
    EXPECT_EQ(put_until_served("new", "b"), 200);
    EXPECT_TRUE(witness_.logged("warning", "writes are accepted"));
    EXPECT_EQ(metric_value("basalt_writes_refused"), 0);
    EXPECT_EQ(get("new"), "b");
}

TEST_F(DiskFull, TablesAreNotCreatedButDeleted)
{
    open();
    ASSERT_EQ(create_table("table"), 200);
    ASSERT_EQ(create_table("other"), 200);
    fill_disk();
    EXPECT_EQ(create_table("third"), 500);
    EXPECT_EQ(call("ListTables", "{}").body, R"({"TableNames":["other","table"]})");
    EXPECT_EQ(call("DescribeTable", R"({"TableName":"third"})").status, 400);
    EXPECT_EQ(call("DeleteTable", R"({"TableName":"other"})").status, 200);
    EXPECT_EQ(call("ListTables", "{}").body, R"({"TableNames":["table"]})");
    files_->set_free_bytes(kPlenty);
    ASSERT_EQ(put_until_served("new", "b"), 200);
    EXPECT_EQ(create_table("third"), 200);
}

TEST_F(DiskFull, ItemsOfTablesWithLocalIndexesCanBeDeleted)
{
    open();
    ASSERT_EQ(create_table("table"), 200);
    ASSERT_EQ(call("CreateTable", kIndexedTable).status, 200);
    for (const char *sort : {"1", "2", "3"}) {
        ASSERT_EQ(put_indexed(sort), 200);
    }
    fill_disk();
    EXPECT_EQ(put_indexed("4"), 500);
    EXPECT_EQ(delete_indexed("1"), 200);
    EXPECT_EQ(index_counts(), R"({"Count":2,"ScannedCount":2})");
    EXPECT_EQ(call("BatchWriteItem", R"({"RequestItems":{"indexed":[{"DeleteRequest":{"Key":{"p":{"S":"p"},)"
                                     R"("s":{"S":"2"}}}},{"DeleteRequest":{"Key":{"p":{"S":"p"},"s":{"S":"3"}}}}]}})")
                  .status,
              200);
    EXPECT_EQ(index_counts(), R"({"Count":0,"ScannedCount":0})");
    EXPECT_EQ(delete_indexed("1"), 200) << "nothing there any more";
}

TEST_F(DiskFull, AServerStartsOnAFullDisk)
{
    open();
    ASSERT_EQ(create_table("table"), 200);
    ASSERT_EQ(put("old", "a"), 200);
    database_.reset();
    files_->set_free_bytes(kLittle);
    open();
    EXPECT_EQ(get("old"), "a");
    EXPECT_EQ(put("new", "b"), 500);
    EXPECT_EQ(call("DeleteItem", R"({"TableName":"table","Key":{"id":{"S":"old"}}})").status, 200);
}

/// Despite the floor: somebody else took the rest.
TEST_F(DiskFull, ADiskThatIsReallyFullLosesNothingAndIsServedAgain)
{
    options_.memtable_bytes = 64 << 10;
    options_.free_space_floor_bytes = 0;
    open();
    ASSERT_EQ(create_table("table"), 200);
    for (int round = 0; round < 3; ++round) {
        files_->set_disk_bytes(files_->used_bytes() + (500 << 10));
        std::vector<std::string> acknowledged;
        std::string id = std::to_string(round) + "-0";
        while (put(id, "v", 1000) == 200) {
            acknowledged.push_back(id);
            id = std::to_string(round) + "-" + std::to_string(acknowledged.size());
        }
        EXPECT_GT(acknowledged.size(), 50U);
        EXPECT_EQ(put("refused", "v", 1000), 500);
        for (const std::string &each : acknowledged) {
            ASSERT_EQ(get(each), "v") << each << " while the disk is full";
        }
        files_->set_disk_bytes(kPlenty);
        ASSERT_EQ(put_until_served("round", std::to_string(round)), 200);
        for (const std::string &each : acknowledged) {
            ASSERT_EQ(get(each), "v") << each << " after it";
        }
    }
}

} // namespace
} // namespace basalt

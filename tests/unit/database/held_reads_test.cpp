// Reads of global indexes and the writes that were answered before them.
#include "basalt/database.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

namespace basalt {
namespace {

constexpr std::int64_t kForever = 3'600'000;

class HeldReadsTest : public testing::Test {
protected:
    void open(Options options)
    {
        options.in_memory = true;
        auto opened = Database::open(options);
        ASSERT_TRUE(opened);
        database_ = std::move(*opened);
        const auto created = call("CreateTable", R"({"TableName": "table", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "GlobalSecondaryIndexes": [{"IndexName": "again", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                                        "Projection": {"ProjectionType": "KEYS_ONLY"}}]})");
        ASSERT_EQ(created.status, 200) << created.body;
    }

    Response call(const std::string &operation, const std::string &body)
    {
        const std::string target = "DynamoDB_20120810." + operation;
        return database_->call({target, body});
    }

    Response put(int number)
    {
        return call("PutItem", R"({"TableName": "table", "Item": {"pk": {"S": ")" + std::to_string(number) + "\"}}}");
    }

    Response scan() { return call("Scan", R"({"TableName": "table", "IndexName": "again", "Select": "COUNT"})"); }

    static std::string count(int number)
    {
        return R"({"Count":)" + std::to_string(number) + R"(,"ScannedCount":)" + std::to_string(number) + "}";
    }

    std::unique_ptr<Database> database_;
};

TEST_F(HeldReadsTest, SeeEveryWriteThatWasAnsweredBefore)
{
    open({});
    for (int number = 0; number < 200; ++number) {
        ASSERT_EQ(put(number).status, 200);
        ASSERT_EQ(scan().body, count(number + 1));
    }
}

TEST_F(HeldReadsTest, WaitForAnIndexThatLags)
{
    Options options;
    options.index_lag_ms = 50;
    options.index_wait_ms = kForever;
    open(options);
    for (int number = 0; number < 5; ++number) {
        ASSERT_EQ(put(number).status, 200);
        ASSERT_EQ(scan().body, count(number + 1));
    }
}

TEST_F(HeldReadsTest, AreAnsweredFromWhatIsAppliedWhenTheirPatienceIsOver)
{
    Options options;
    options.index_wait_ms = 20;
    open(options);
    ASSERT_EQ(put(0).status, 200);
    ASSERT_EQ(scan().body, count(1));
    database_->set_index_lag_ms(kForever);
    ASSERT_EQ(put(1).status, 200);
    EXPECT_EQ(scan().body, count(1));
}

TEST_F(HeldReadsTest, DoNotWaitWhereTheyNeedNot)
{
    Options options;
    options.index_lag_ms = kForever;
    options.index_wait_ms = kForever;
    options.index_reads = IndexReads::eventual;
    open(options);
    ASSERT_EQ(put(0).status, 200);
    EXPECT_EQ(scan().body, count(0));
    database_->set_index_lag_ms(0);
    database_->set_index_reads(IndexReads::caught_up);
    EXPECT_EQ(scan().body, count(1));
}

TEST_F(HeldReadsTest, AreAnsweredWhenTheDatabaseIsClosed)
{
    Options options;
    options.index_lag_ms = kForever;
    options.index_wait_ms = kForever;
    open(options);
    ASSERT_EQ(put(0).status, 200);
    std::thread closer([this] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        database_->close();
    });
    EXPECT_EQ(scan().status, 500);
    closer.join();
}

TEST_F(HeldReadsTest, HoldNoWorker)
{
    Options options;
    options.index_lag_ms = kForever;
    options.index_wait_ms = kForever;
    options.worker_threads = 1;
    open(options);
    ASSERT_EQ(put(0).status, 200);
    std::thread reader([this] { EXPECT_EQ(scan().body, count(1)); });
    // A body of that size is a worker's.
    const std::string large = R"({"TableName": "table", "Key": {"pk": {"S": "0"}}})" + std::string(300'000, ' ');
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(call("GetItem", large).status, 200);
    }
    database_->set_index_lag_ms(0);
    reader.join();
}

TEST_F(HeldReadsTest, DeletingTheTableReleasesThem)
{
    Options options;
    options.index_lag_ms = kForever;
    options.index_wait_ms = kForever;
    open(options);
    ASSERT_EQ(put(0).status, 200);
    std::thread reader([this] { EXPECT_EQ(scan().status, 400); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(call("DeleteTable", R"({"TableName": "table"})").status, 200);
    reader.join();
}

TEST_F(HeldReadsTest, WritesAreThrottledWhenIndexesAreTooFarBehind)
{
    Options options;
    options.index_lag_ms = kForever;
    options.change_log_max_bytes = 1000;
    open(options);
    int written = 0;
    Response response{200, {}};
    for (; response.status == 200 && written < 1000; ++written) {
        response = put(written);
    }
    EXPECT_GT(written, 10);
    EXPECT_LT(written, 1000);
    EXPECT_NE(response.body.find("ThrottlingException"), std::string::npos) << response.body;
    database_->set_index_lag_ms(0);
    EXPECT_NE(scan().body, count(0));
    EXPECT_EQ(put(1000).status, 200);
}

} // namespace
} // namespace basalt

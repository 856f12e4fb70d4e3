// A store that fails under a database is opened again: nothing acknowledged is lost, nothing is half there, clients see
// InternalServerError in between and nothing else.
#include "database/faulty_database.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <thread>
#include <vector>

namespace basalt {
namespace {

using storage::Fault;

class Reopening : public FaultyDatabase {
protected:
    void SetUp() override
    {
        open_again_ = [this, open = open_again_] {
            ++openings_;
            return open();
        };
    }
    void open_with_table()
    {
        open();
        ASSERT_EQ(create_table("table"), 200);
    }
    /// Some items; a fault; writes until it hits one; the repair. Then everything acknowledged has to be there.
    void expect_served_after(Fault fault, std::size_t pad = 300)
    {
        open_with_table();
        for (int i = 0; i < 50; ++i) {
            ASSERT_EQ(put("old" + std::to_string(i), "a", pad), 200);
        }
        files_->fail(fault);
        int acknowledged = 0;
        while (acknowledged < 5000 && put("hit" + std::to_string(acknowledged), "b", pad) == 200) {
            ++acknowledged;
        }
        ASSERT_LT(acknowledged, 5000) << "nothing was refused";
        files_->repair();
        ASSERT_EQ(put_until_served("new", "c"), 200);
        for (int i = 0; i < 50; ++i) {
            EXPECT_EQ(get("old" + std::to_string(i)), "a") << i;
        }
        for (int i = 0; i < acknowledged; ++i) {
            EXPECT_EQ(get("hit" + std::to_string(i)), "b") << i;
        }
        EXPECT_EQ(get("hit" + std::to_string(acknowledged)).value_or("b"), "b"); // absent or whole
        EXPECT_EQ(get("new"), "c");
        EXPECT_GE(openings_, 1);
        EXPECT_TRUE(witness_.logged("critical", "closed and opened again"));
        EXPECT_TRUE(witness_.logged("warning", "has been opened again"));
        EXPECT_EQ(witness_.counted(R"(basalt_store_reopenings_total{result="ok"})"), 1);
        EXPECT_EQ(metric_value("basalt_store_down"), 0);
        EXPECT_GE(witness_.counted(R"(basalt_errors_total{error="InternalServerError"})"), 1);
        EXPECT_GE(witness_.counted(R"(basalt_requests_total{operation="PutItem",outcome="server_error"})"), 1);
        EXPECT_GE(witness_.counted(R"(basalt_requests_total{operation="PutItem",outcome="ok"})"), 51);
    }
    void wait_for_openings(int count) const
    {
        while (openings_ < count) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }

    std::atomic<int> openings_ = 0;
};

TEST_F(Reopening, AfterAFailedFsync)
{
    expect_served_after(Fault::log_sync);
}

TEST_F(Reopening, AfterAFailedLogWrite)
{
    expect_served_after(Fault::log_write);
}

TEST_F(Reopening, AfterATornLogWrite)
{
    expect_served_after(Fault::torn_log_write);
}

TEST_F(Reopening, AfterAFailedFlush)
{
    options_.memtable_bytes = 64 << 10;
    expect_served_after(Fault::table_write, 2000);
}

TEST_F(Reopening, AfterAFailedManifestWrite)
{
    options_.memtable_bytes = 64 << 10;
    expect_served_after(Fault::manifest_write, 2000);
}

TEST_F(Reopening, WhatWasSyncedIsThereWhenTheKernelHasDroppedTheRest)
{
    open_again_ = [this, open = open_again_] {
        files_->lose_what_was_not_synced();
        return open();
    };
    open_with_table();
    ASSERT_EQ(put("old", "a"), 200);
    files_->hold_syncs();
    LateResponse created;
    LateResponse listed;
    call_later("CreateTable",
               R"({"TableName":"other","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
               R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"N"}],)"
               R"("BillingMode":"PAY_PER_REQUEST"})",
               created);
    call_later("ListTables", "{}", listed);
    files_->wait_for_held_sync();
    EXPECT_FALSE(created.answered());
    EXPECT_FALSE(listed.answered()) << "it has seen what a crash can undo";
    files_->fail(Fault::log_sync);
    files_->let_syncs_go();
    EXPECT_EQ(created.wait().status, 500);
    EXPECT_EQ(listed.wait().status, 500);
    files_->repair();
    ASSERT_EQ(put_until_served("new", "b"), 200);
    EXPECT_EQ(call("ListTables", "{}").body, R"({"TableNames":["table"]})");
    EXPECT_EQ(call("DescribeTable", R"({"TableName":"other"})").status, 400);
    EXPECT_EQ(create_table("other"), 200) << "with another key than the one that has vanished";
    EXPECT_EQ(get("old"), "a");
    EXPECT_EQ(get("new"), "b");
}

TEST_F(Reopening, EveryoneWhoWaitsIsAnsweredAndReadsShowNothingUndurable)
{
    open_with_table();
    ASSERT_EQ(put("seen", "old"), 200);
    files_->hold_syncs();
    std::array<LateResponse, 40> responses;
    for (std::size_t i = 0; i < responses.size(); ++i) {
        if (i % 2 == 0) {
            call_later("PutItem", R"({"TableName":"table","Item":{"id":{"S":"seen"},"value":{"S":"new"}}})",
                       responses[i]);
        } else {
            call_later("GetItem", R"({"TableName":"table","Key":{"id":{"S":"seen"}}})", responses[i]);
        }
    }
    files_->wait_for_held_sync();
    files_->fail(Fault::log_sync);
    files_->let_syncs_go();
    for (LateResponse &response : responses) {
        EXPECT_EQ(response.wait().status, 500);
    }
    files_->repair();
    ASSERT_EQ(put_until_served("other", "x"), 200);
    const auto seen = get("seen");
    EXPECT_TRUE(seen == "old" || seen == "new") << seen.value_or("nothing");
}

TEST_F(Reopening, CountersUnderManyFaultsAreNeverBelowWhatWasAcknowledged)
{
    open_with_table();
    std::atomic<bool> done = false;
    std::atomic<int> acknowledged = 0;
    std::atomic<int> tried = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            while (!done) {
                ++tried;
                const Response response =
                    call("UpdateItem", R"({"TableName":"table","Key":{"id":{"S":"counter"}},"UpdateExpression":)"
                                       R"("ADD n :one","ExpressionAttributeValues":{":one":{"N":"1"}}})");
                if (response.status == 200) {
                    ++acknowledged;
                } else {
                    EXPECT_EQ(response.status, 500) << response.body;
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
            }
        });
    }
    const std::array faults{Fault::log_sync, Fault::torn_log_write, Fault::log_write};
    for (int round = 0; round < 6; ++round) {
        const int before = acknowledged;
        while (acknowledged < before + 50) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        const Fault fault = faults[static_cast<std::size_t>(round) % faults.size()];
        files_->fail(fault);
        files_->wait_until_struck(fault);
        files_->repair();
    }
    const int before = acknowledged;
    while (acknowledged < before + 50) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    done = true;
    for (std::thread &thread : threads) {
        thread.join();
    }
    const std::string body =
        call("GetItem", R"({"TableName":"table","ConsistentRead":true,"Key":{"id":{"S":"counter"}}})").body;
    const auto at = body.find(R"("N":")");
    ASSERT_NE(at, std::string::npos) << body;
    const int counter = std::stoi(body.substr(at + 5));
    EXPECT_GE(counter, acknowledged.load());
    EXPECT_LE(counter, tried.load());
}

TEST_F(Reopening, IsTriedUntilItGoesWell)
{
    open_again_ = [this, open = open_again_]() -> Result<std::unique_ptr<storage::Store>> {
        if (openings_ < 2) {
            ++openings_;
            return fail(ErrorCode::io_error, "not yet");
        }
        return open();
    };
    expect_served_after(Fault::log_sync);
    EXPECT_EQ(openings_, 3);
    EXPECT_TRUE(witness_.logged("critical", "not yet"));
    EXPECT_EQ(witness_.counted(R"(basalt_store_reopenings_total{result="failed"})"), 2);
}

TEST_F(Reopening, ADiskThatGoesOnFailingServesNothingWrong)
{
    options_.memtable_bytes = 64 << 10;
    open_with_table();
    ASSERT_EQ(put("old", "a"), 200);
    files_->fail(Fault::log_sync);
    files_->fail(Fault::table_write);
    EXPECT_EQ(put("hit", "b"), 500);
    wait_for_openings(2);
    EXPECT_EQ(put("hit", "b"), 500);
    files_->repair();
    ASSERT_EQ(put_until_served("new", "c"), 200);
    EXPECT_EQ(get("old"), "a");
}

TEST_F(Reopening, EndsWhenTheDatabaseIsClosed)
{
    open_again_ = [this]() -> Result<std::unique_ptr<storage::Store>> {
        ++openings_;
        return fail(ErrorCode::io_error, "never");
    };
    open_with_table();
    files_->fail(Fault::log_sync);
    EXPECT_EQ(put("hit", "b"), 500);
    wait_for_openings(1);
    EXPECT_EQ(put("hit", "b"), 500);
    database_->close();
    EXPECT_EQ(put("hit", "b"), 500);
    EXPECT_EQ(call("ListTables", "{}").status, 500);
    files_->repair();
    database_.reset();
    open_again_ = {};
    open();
    EXPECT_EQ(create_table("table"), 400) << "it is there";
}

TEST_F(Reopening, DoesNotHappenWithoutAWayToOpen)
{
    auto store = storage::open_rocksdb(options_);
    ASSERT_TRUE(store);
    auto database = open_over(
        Options{}, DatabaseParts{std::move(*store), std::make_unique<SystemClock>(), std::make_unique<SystemRandom>()});
    ASSERT_TRUE(database);
    database_ = std::move(*database);
    ASSERT_EQ(create_table("table"), 200);
    ASSERT_EQ(put("old", "a"), 200);
    files_->fail(Fault::log_sync);
    EXPECT_EQ(put("hit", "b"), 500);
    files_->repair();
    EXPECT_EQ(put("hit", "b"), 500);
    EXPECT_EQ(get("old"), "a");
}

TEST_F(Reopening, WorksForRequestsThatTheWorkersRun)
{
    open_with_table();
    const std::string large(300'000, 'x'); // its body goes to the workers at once
    ASSERT_EQ(put("large", large), 200);
    files_->fail(Fault::log_sync);
    EXPECT_EQ(put("hit", large), 500);
    files_->repair();
    ASSERT_EQ(put_until_served("new", large), 200);
    EXPECT_EQ(get("large"), large);
    EXPECT_EQ(get("new"), large);
}

} // namespace
} // namespace basalt

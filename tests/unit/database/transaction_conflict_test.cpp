// What clients are told when another request holds an item for longer than they wait for it.
#include "database_parts.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <gtest/gtest.h>

#include <latch>
#include <string>
#include <thread>

namespace basalt {
namespace {

/// Passes everything on. One mutation, once asked for, stays in its body with its locks until it is let go.
class HoldingStore final : public storage::Store {
public:
    explicit HoldingStore(std::unique_ptr<storage::Store> inner)
        : inner_(std::move(inner))
    {}

    void hold_next() { hold_next_.store(true); }
    void wait_until_held() { held_.wait(); }
    void let_go() { let_go_.count_down(); }

    storage::Outcome read(storage::Wait wait, storage::View view, storage::Consistency consistency,
                          function_ref<Result<void>(storage::Reader &)> body) override
    {
        return inner_->read(wait, view, consistency, body);
    }
    storage::Outcome mutate(storage::Wait wait, std::span<const storage::LockKey> locks,
                            function_ref<Result<void>(storage::Mutation &)> body) override
    {
        return inner_->mutate(wait, locks, [&](storage::Mutation &mutation) -> Result<void> {
            auto done = body(mutation);
            if (hold_next_.exchange(false)) {
                held_.count_down();
                let_go_.wait();
            }
            return done;
        });
    }
    [[nodiscard]] storage::Durability durability(storage::Ticket ticket) const override
    {
        return inner_->durability(ticket);
    }
    void when_durable(storage::Ticket ticket, storage::Waiter &waiter) override
    {
        inner_->when_durable(ticket, waiter);
    }
    void reclaim(storage::KeyspaceId keyspace) override { inner_->reclaim(keyspace); }
    void close() override { inner_->close(); }

private:
    const std::unique_ptr<storage::Store> inner_;
    std::atomic<bool> hold_next_ = false;
    std::latch held_{1};
    std::latch let_go_{1};
};

class ConflictingDatabase : public testing::Test {
protected:
    ConflictingDatabase()
    {
        storage::RocksdbOptions options;
        options.in_memory = true;
        options.lock_patience = std::chrono::milliseconds(5);
        auto store = std::make_unique<HoldingStore>(std::move(storage::open_rocksdb(options).value()));
        store_ = store.get();
        database_ = std::move(
            open_over(Options{}, {std::move(store), std::make_unique<SystemClock>(), std::make_unique<SystemRandom>()})
                .value());
        EXPECT_EQ(call("CreateTable", R"({"TableName":"table","BillingMode":"PAY_PER_REQUEST",
            "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
            "KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]})")
                      .status,
                  200);
        // The first window of tokens is made before anything is held.
        EXPECT_EQ(transact("first", "unrelated").status, 200);
    }
    ~ConflictingDatabase() override
    {
        store_->let_go();
        holder_.join();
    }

    Response call(const std::string &operation, const std::string &body)
    {
        return database_->call(Request{"DynamoDB_20120810." + operation, body, 0});
    }
    static std::string put(const std::string &id)
    {
        return R"({"TableName":"table","Item":{"id":{"S":")" + id + R"("}}})";
    }
    Response transact(const std::string &id, const std::string &token)
    {
        return call("TransactWriteItems", R"({"ClientRequestToken":")" + token + R"(","TransactItems":[{"Put":)" +
                                              put("beside " + id) + R"(},{"Put":)" + put(id) + "}]}");
    }
    /// Returns when another client's transaction holds "held" and "beside held".
    void hold()
    {
        store_->hold_next();
        holder_ = std::thread([this] { EXPECT_EQ(transact("held", "token").status, 200); });
        store_->wait_until_held();
    }

    HoldingStore *store_ = nullptr; // the database's
    std::unique_ptr<Database> database_;
    std::thread holder_;
};

TEST_F(ConflictingDatabase, ATransactionIsCancelledAndNamesTheItem)
{
    hold();
    const auto response = call("TransactWriteItems", R"({"TransactItems":[{"Put":)" + put("free") + R"(},{"Put":)" +
                                                         put("held") + R"(},{"Put":)" + put("other") + "}]}");
    EXPECT_EQ(response.status, 400);
    EXPECT_EQ(response.body, R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
                             R"("Message":"Transaction cancelled, please refer cancellation reasons for specific )"
                             R"(reasons [None, TransactionConflict, None]","CancellationReasons":[{"Code":"None"},)"
                             R"({"Code":"TransactionConflict","Message":"Transaction is ongoing for the item"},)"
                             R"({"Code":"None"}]})");
}

TEST_F(ConflictingDatabase, PlainWritesSaySo)
{
    hold();
    const std::string key = R"({"TableName":"table","Key":{"id":{"S":"held"}}})";
    for (const auto &response : {call("PutItem", put("held")), call("DeleteItem", key), call("UpdateItem", key)}) {
        EXPECT_EQ(response.status, 400);
        EXPECT_EQ(response.body, R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException",)"
                                 R"("message":"Transaction is ongoing for the item"})");
    }
}

TEST_F(ConflictingDatabase, ABatchIsThrottled)
{
    hold();
    const auto response =
        call("BatchWriteItem", R"({"RequestItems":{"table":[{"PutRequest":{"Item":{"id":{"S":"held"}}}},)"
                               R"({"PutRequest":{"Item":{"id":{"S":"free"}}}}]}})");
    EXPECT_EQ(response.status, 400);
    EXPECT_NE(response.body.find("ThrottlingException"), std::string::npos) << response.body;
}

TEST_F(ConflictingDatabase, ATokenInUseIsInProgress)
{
    hold();
    const auto response = transact("free", "token");
    EXPECT_EQ(response.status, 400);
    EXPECT_NE(response.body.find("TransactionInProgressException"), std::string::npos) << response.body;
}

TEST_F(ConflictingDatabase, ReadsDoNotWait)
{
    hold();
    const auto response =
        call("TransactGetItems", R"({"TransactItems":[{"Get":{"TableName":"table","Key":{"id":{"S":"held"}}}}]})");
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, R"({"Responses":[{}]})");
}

} // namespace
} // namespace basalt

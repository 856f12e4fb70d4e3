// What becomes of writes that meet an item or a token which another transaction holds. A write whose evaluation waits
// for the test holds its locks meanwhile.
#include "storage/rocksdb/rocksdb_store.h"
#include "unit/engine/engine_fixture.h"

#include <array>
#include <future>
#include <latch>
#include <thread>

namespace basalt::engine {
namespace {

using storage::Wait;

/// Changes nothing; evaluated until it is let go.
class HeldWrite final : public ItemWrite {
public:
    [[nodiscard]] bool needs_old_item() const override { return false; }
    [[nodiscard]] Result<ItemChange> evaluate(std::optional<model::ItemView> /*old_item*/) override
    {
        evaluating_.count_down();
        gone_.wait();
        return ItemChange{};
    }
    void accepted(const AcceptedChange & /*change*/) override {}

    void wait_until_held() { evaluating_.wait(); }
    void let_go() { gone_.count_down(); }

private:
    std::latch evaluating_{1};
    std::latch gone_{1};
};

std::unique_ptr<storage::Store> open_impatient_store()
{
    storage::RocksdbOptions options;
    options.in_memory = true;
    options.lock_patience = std::chrono::milliseconds(5);
    return std::move(storage::open_rocksdb(options).value());
}

class TransactionConflictTest : public testing::Test {
protected:
    TransactionConflictTest()
    {
        EXPECT_TRUE(engine_.load());
        auto description = indexed_table("table");
        EXPECT_TRUE(engine_.catalog().create(Wait::allowed, description).result);
        table_ = engine_.catalog().find_active("table").value();
    }
    ~TransactionConflictTest() override
    {
        held_.let_go();
        holder_.join();
    }

    static PrimaryKey key_of(std::string_view pk, std::string_view sk)
    {
        Item item;
        return key_from_stored(pair_table("any").keys, item.s("pk", pk).s("sk", sk).view().attributes());
    }

    /// Returns when another thread's transaction holds the item and others_, and the token if there is one.
    void hold(const PrimaryKey &key, const IdempotencyToken *token)
    {
        if (token != nullptr) { // a new window is nobody's conflict
            TransactionReport report;
            EXPECT_TRUE(engine_.transact_write_items(Wait::allowed, {}, &kUnrelatedToken, nullptr, report).result);
        }
        holder_ = std::thread([this, &key, token] {
            auto nothing = DecidedWrite::nothing();
            std::vector<ItemWriteTarget> targets{{*table_, key, held_}};
            for (const auto &other : others_) {
                targets.push_back({*table_, other, nothing});
            }
            TransactionReport report;
            EXPECT_TRUE(engine_.transact_write_items(Wait::allowed, targets, token, nullptr, report).result);
        });
        held_.wait_until_held();
    }

    static constexpr IdempotencyToken kUnrelatedToken{"unrelated", {0, 0}};
    static constexpr IdempotencyToken kToken{"token", {1, 2}};

    ManualClock clock_{1'700'000'000'000};
    CountingRandom random_;
    std::unique_ptr<storage::Store> store_ = open_impatient_store();
    Engine engine_{*store_, clock_, random_, EngineOptions{}};
    TablePtr table_;
    HeldWrite held_;
    std::thread holder_;
    const PrimaryKey held_key_ = key_of("p", "held");
    const PrimaryKey free_key_ = key_of("q", "free");
    const PrimaryKey neighbour_key_ = key_of("p", "neighbour");
    std::vector<PrimaryKey> others_;
};

TEST_F(TransactionConflictTest, ATransactionIsCancelledWithTheItemThatWasHeld)
{
    hold(held_key_, nullptr);
    auto free = DecidedWrite::remove();
    auto wanted = DecidedWrite::remove();
    const std::array targets{ItemWriteTarget{*table_, free_key_, free}, ItemWriteTarget{*table_, held_key_, wanted}};
    TransactionReport report;
    const auto outcome = engine_.transact_write_items(Wait::allowed, targets, nullptr, nullptr, report);
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error().code, ErrorCode::transaction_canceled);
    ASSERT_EQ(report.refusals.size(), 2U);
    EXPECT_FALSE(report.refusals[0]);
    EXPECT_EQ(report.refusals[1], (Error{ErrorCode::transaction_conflict, "Transaction is ongoing for the item"}));
    EXPECT_EQ(free.evaluations, 0);
}

TEST_F(TransactionConflictTest, AnotherItemOfTheSameCollectionConflictsToo)
{
    hold(held_key_, nullptr);
    auto free = DecidedWrite::remove();
    auto wanted = DecidedWrite::remove();
    const std::array targets{ItemWriteTarget{*table_, free_key_, free},
                             ItemWriteTarget{*table_, neighbour_key_, wanted}};
    TransactionReport report;
    const auto outcome = engine_.transact_write_items(Wait::allowed, targets, &kToken, nullptr, report);
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error().code, ErrorCode::transaction_canceled);
    ASSERT_EQ(report.refusals.size(), 2U);
    EXPECT_FALSE(report.refusals[0]);
    ASSERT_TRUE(report.refusals[1]);
    EXPECT_EQ(report.refusals[1]->code, ErrorCode::transaction_conflict);
}

TEST_F(TransactionConflictTest, APlainWriteSaysSo)
{
    hold(held_key_, nullptr);
    auto wanted = DecidedWrite::remove();
    const std::array targets{ItemWriteTarget{*table_, held_key_, wanted}};
    const auto outcome = engine_.write_items(Wait::allowed, targets);
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error(), (Error{ErrorCode::transaction_conflict, "Transaction is ongoing for the item"}));
    const auto at_once = engine_.write_items(Wait::never, targets);
    ASSERT_FALSE(at_once.result);
    EXPECT_EQ(at_once.result.error().code, ErrorCode::would_block);
}

TEST_F(TransactionConflictTest, ATokenInUseIsInProgress)
{
    hold(held_key_, &kToken);
    auto wanted = DecidedWrite::remove();
    const std::array targets{ItemWriteTarget{*table_, free_key_, wanted}};
    TransactionReport report;
    const auto outcome = engine_.transact_write_items(Wait::allowed, targets, &kToken, nullptr, report);
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error().code, ErrorCode::transaction_in_progress);
    EXPECT_EQ(wanted.evaluations, 0);
}

TEST_F(TransactionConflictTest, ARetryWhileTheFirstAttemptRunsIsInProgress)
{
    // The token's lock is hardly ever the first of so many.
    for (int i = 0; i < 40; ++i) {
        others_.push_back(key_of("q", std::to_string(i)));
    }
    hold(held_key_, &kToken);
    auto wanted = DecidedWrite::remove();
    std::vector<ItemWriteTarget> targets{{*table_, held_key_, wanted}};
    for (const auto &other : others_) {
        targets.push_back({*table_, other, wanted});
    }
    TransactionReport report;
    const auto outcome = engine_.transact_write_items(Wait::allowed, targets, &kToken, nullptr, report);
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error().code, ErrorCode::transaction_in_progress);
    EXPECT_EQ(wanted.evaluations, 0);
}

TEST_F(TransactionConflictTest, ReadersSeeTheStateBeforeAndDoNotWait)
{
    hold(held_key_, nullptr);
    class Count final : public BatchConsumer {
    public:
        void restart() override { items = 0; }
        bool item(std::size_t /*position*/, std::optional<model::ItemView> /*item*/) override { return ++items < 100; }
        int items = 0;
    } count;
    const std::array keys{ItemKey{*table_, held_key_}, ItemKey{*table_, free_key_}};
    ASSERT_TRUE(engine_.transact_get_items(Wait::allowed, keys, count).result);
    EXPECT_EQ(count.items, 2);
}

} // namespace
} // namespace basalt::engine

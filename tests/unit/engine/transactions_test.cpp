// Transactions: all or nothing, why not, and the tokens that keep one from being made twice.
#include "unit/engine/engine_fixture.h"

#include <array>

namespace basalt::engine {
namespace {

using storage::Wait;

using Items = std::vector<std::optional<std::string>>;

class NotedItems final : public BatchConsumer {
public:
    void restart() override { items.clear(); }
    bool item(std::size_t position, std::optional<model::ItemView> item) override
    {
        EXPECT_EQ(position, items.size());
        items.push_back(item ? std::optional(std::string(item->bytes())) : std::nullopt);
        return true;
    }
    Items items;
};

class TransactionTest : public EngineTest {
protected:
    TransactionTest() { create(pair_table("table")); }

    Item &item(Item &out, std::string_view sk, std::string_view v) { return out.s("pk", "p").s("sk", sk).s("v", v); }

    /// One write for each sort key, in order.
    storage::Outcome transact(std::initializer_list<std::pair<const char *, DecidedWrite *>> writes,
                              const IdempotencyToken *token = nullptr)
    {
        std::vector<PrimaryKey> keys;
        for (const auto &[sk, write] : writes) {
            keys.push_back(key_of("p", sk));
        }
        std::vector<ItemWriteTarget> targets;
        for (const auto &[sk, write] : writes) {
            targets.push_back({*table_, keys[targets.size()], *write});
        }
        return engine_.transact_write_items(Wait::allowed, targets, token, &replayed_, report_);
    }

    static ErrorCode code_of(const storage::Outcome &outcome)
    {
        return outcome.result ? ErrorCode::would_block : outcome.result.error().code;
    }
    /// Codes of the refusals, nothing where there is none.
    std::vector<std::optional<ErrorCode>> refused() const
    {
        std::vector<std::optional<ErrorCode>> codes;
        for (const auto &refusal : report_.refusals) {
            codes.push_back(refusal ? std::optional(refusal->code) : std::nullopt);
        }
        return codes;
    }
    std::optional<std::string> at(std::string_view sk) { return stored(key_of("p", sk)); }

    static constexpr IdempotencyToken kToken{"token", {1, 2}};
    static constexpr IdempotencyToken kSameTokenOtherRequest{"token", {1, 3}};
    static constexpr IdempotencyToken kOtherToken{"other", {1, 2}};

    TransactionReport report_;
    NotedItems replayed_;
    Item first_, second_;
};
BASALT_ON_BOTH_BACKENDS(TransactionTest);

using Codes = std::vector<std::optional<ErrorCode>>;

TEST_P(TransactionTest, AllWritesAreMadeTogether)
{
    put(item(first_, "gone", "1"));
    item(second_, "new", "2");
    auto put_it = DecidedWrite::put(second_);
    auto remove_it = DecidedWrite::remove();
    auto check_it = DecidedWrite::nothing();
    const auto outcome = transact({{"new", &put_it}, {"gone", &remove_it.see_old()}, {"absent", &check_it.see_old()}});
    ASSERT_TRUE(outcome.result);
    EXPECT_EQ(at("new"), bytes_of(second_));
    EXPECT_EQ(at("gone"), std::nullopt);
    EXPECT_EQ(at("absent"), std::nullopt);
    EXPECT_EQ(remove_it.old_item, bytes_of(first_));
    EXPECT_EQ(check_it.acceptances, runs_of_a_body(GetParam()));
    EXPECT_FALSE(report_.replayed);
    EXPECT_EQ(refused(), Codes(3));
}

TEST_P(TransactionTest, EveryFailedConditionIsToldAndNothingIsWritten)
{
    item(first_, "a", "1");
    auto put_it = DecidedWrite::put(first_);
    auto refuse_one = DecidedWrite::refuse({ErrorCode::conditional_check_failed, "one", "\"Item\":{}"});
    auto refuse_two = DecidedWrite::refuse({ErrorCode::conditional_check_failed, "two"});
    const auto outcome = transact({{"b", &refuse_one}, {"a", &put_it}, {"c", &refuse_two}});
    EXPECT_EQ(code_of(outcome), ErrorCode::transaction_canceled);
    EXPECT_EQ(refused(),
              (Codes{ErrorCode::conditional_check_failed, std::nullopt, ErrorCode::conditional_check_failed}));
    EXPECT_EQ(report_.refusals[0]->detail, "\"Item\":{}");
    EXPECT_EQ(at("a"), std::nullopt);
    EXPECT_EQ(put_it.acceptances, 0);
}

TEST_P(TransactionTest, TheFirstValidationErrorHidesEverythingElse)
{
    item(first_, "a", "1");
    auto put_it = DecidedWrite::put(first_);
    auto refuse = DecidedWrite::refuse({ErrorCode::conditional_check_failed, "condition"});
    auto invalid = DecidedWrite::refuse({ErrorCode::validation, "invalid"});
    auto invalid_too = DecidedWrite::refuse({ErrorCode::validation, "invalid, too"});
    const auto outcome = transact({{"b", &refuse}, {"a", &put_it}, {"c", &invalid}, {"d", &invalid_too}});
    EXPECT_EQ(code_of(outcome), ErrorCode::transaction_canceled);
    EXPECT_EQ(refused(), (Codes{std::nullopt, std::nullopt, ErrorCode::validation, std::nullopt}));
    EXPECT_EQ(report_.refusals[2]->message, "invalid");
    EXPECT_EQ(at("a"), std::nullopt);
}

TEST_P(TransactionTest, OneItemCannotBeWrittenTwice)
{
    auto once = DecidedWrite::remove();
    auto twice = DecidedWrite::remove();
    EXPECT_EQ(code_of(transact({{"a", &once}, {"a", &twice}})), ErrorCode::validation);
    EXPECT_EQ(once.evaluations, 0);
}

TEST_P(TransactionTest, ATransactionIsMadeOnceUnderItsToken)
{
    item(first_, "a", "1");
    auto put_it = DecidedWrite::put(first_);
    ASSERT_TRUE(transact({{"a", &put_it}}, &kToken).result);
    EXPECT_FALSE(report_.replayed);
    put(item(second_, "a", "2"));

    const auto evaluations = put_it.evaluations;
    ASSERT_TRUE(transact({{"a", &put_it}}, &kToken).result);
    EXPECT_TRUE(report_.replayed);
    EXPECT_EQ(put_it.evaluations, evaluations);
    EXPECT_EQ(at("a"), bytes_of(second_));
    EXPECT_EQ(replayed_.items, Items{bytes_of(second_)});

    ASSERT_TRUE(transact({{"a", &put_it}}, &kOtherToken).result);
    EXPECT_FALSE(report_.replayed);
    EXPECT_EQ(at("a"), bytes_of(first_));
}

TEST_P(TransactionTest, ATokenStandsForOneRequest)
{
    item(first_, "a", "1");
    auto put_it = DecidedWrite::put(first_);
    ASSERT_TRUE(transact({{"a", &put_it}}, &kToken).result);
    remove("p", "a");
    EXPECT_EQ(code_of(transact({{"a", &put_it}}, &kSameTokenOtherRequest)), ErrorCode::idempotent_parameter_mismatch);
    EXPECT_EQ(at("a"), std::nullopt);
}

TEST_P(TransactionTest, CancelledTransactionsLeaveNoToken)
{
    auto refuse = DecidedWrite::refuse({ErrorCode::conditional_check_failed, "no"});
    EXPECT_EQ(code_of(transact({{"a", &refuse}}, &kToken)), ErrorCode::transaction_canceled);
    item(first_, "a", "1");
    auto put_it = DecidedWrite::put(first_);
    ASSERT_TRUE(transact({{"a", &put_it}}, &kSameTokenOtherRequest).result);
    EXPECT_FALSE(report_.replayed);
    EXPECT_EQ(at("a"), bytes_of(first_));
}

TEST_P(TransactionTest, ATokenCountsForTenMinutesAcrossWindowsAndRestarts)
{
    item(first_, "a", "1");
    auto put_it = DecidedWrite::put(first_);
    ASSERT_TRUE(transact({{"a", &put_it}}, &kOtherToken).result); // begins a window
    clock_.advance_ms(kTokenLifetimeMs - 1);
    ASSERT_TRUE(transact({{"a", &put_it}}, &kToken).result);
    clock_.advance_ms(kTokenLifetimeMs - 1); // the window is over
    ASSERT_TRUE(transact({{"a", &put_it}}, &kToken).result);
    EXPECT_TRUE(report_.replayed);

    Engine reopened(store_, clock_, random_, EngineOptions{});
    ASSERT_TRUE(reopened.load());
    const auto key = key_of("p", "a");
    const std::array targets{ItemWriteTarget{*table_, key, put_it}};
    ASSERT_TRUE(reopened.transact_write_items(Wait::allowed, targets, &kToken, nullptr, report_).result);
    EXPECT_TRUE(report_.replayed);

    clock_.advance_ms(1);
    ASSERT_TRUE(transact({{"a", &put_it}}, &kToken).result);
    EXPECT_FALSE(report_.replayed);
}

TEST_P(TransactionTest, OldTokensGiveTheirSpaceBack)
{
    item(first_, "a", "1");
    auto put_it = DecidedWrite::put(first_);
    for (int window = 0; window < 4; ++window) {
        ASSERT_TRUE(transact({{"a", &put_it}}, &kToken).result);
        clock_.advance_ms(kTokenLifetimeMs);
    }
    EXPECT_EQ(store_.reclaimed().size(), 2U);
}

TEST_P(TransactionTest, ItemsAreReadInOrderWithTheAbsentOnes)
{
    put(item(first_, "a", "1"));
    put(item(second_, "c", "2"));
    const std::array keys{key_of("p", "c"), key_of("p", "b"), key_of("p", "a"), key_of("p", "c")};
    std::vector<ItemKey> wanted;
    for (const auto &key : keys) {
        wanted.push_back({*table_, key});
    }
    NotedItems noted;
    ASSERT_TRUE(engine_.transact_get_items(Wait::allowed, wanted, noted).result);
    EXPECT_EQ(noted.items, (Items{bytes_of(second_), std::nullopt, bytes_of(first_), bytes_of(second_)}));
}

class TransactionLimitTest : public EngineTest {
protected:
    static constexpr std::uint64_t kLimitBytes = 200;
    Engine limited_{store_, clock_, random_, EngineOptions{0, kLimitBytes}};
};
BASALT_ON_BOTH_BACKENDS(TransactionLimitTest);

TEST_P(TransactionLimitTest, AFullCollectionIsTheReasonOfThoseWhoFillIt)
{
    ASSERT_TRUE(limited_.load());
    auto description = indexed_table("indexed");
    ASSERT_TRUE(limited_.catalog().create(Wait::allowed, description).result);
    table_ = limited_.catalog().find_active("indexed").value();

    Item small, large, removed;
    small.s("pk", "one").s("sk", "a").s("v", "x");
    large.s("pk", "two").s("sk", "a").s("v", std::string(kLimitBytes, 'x'));
    const std::array keys{key_of("one", "a"), key_of("two", "a"), key_of("two", "b")};
    auto put_small = DecidedWrite::put(small);
    auto put_large = DecidedWrite::put(large);
    auto remove_it = DecidedWrite::remove();
    const std::array targets{ItemWriteTarget{*table_, keys[0], put_small}, ItemWriteTarget{*table_, keys[1], put_large},
                             ItemWriteTarget{*table_, keys[2], remove_it}};
    TransactionReport report;
    const auto outcome = limited_.transact_write_items(Wait::allowed, targets, nullptr, nullptr, report);
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error().code, ErrorCode::transaction_canceled);
    ASSERT_EQ(report.refusals.size(), 3U);
    EXPECT_FALSE(report.refusals[0]);
    ASSERT_TRUE(report.refusals[1]);
    EXPECT_EQ(report.refusals[1]->code, ErrorCode::item_collection_size_limit_exceeded);
    EXPECT_FALSE(report.refusals[2]);
    EXPECT_EQ(stored(keys[0]), std::nullopt);
}

} // namespace
} // namespace basalt::engine

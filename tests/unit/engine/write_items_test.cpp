// The write path on tables without local indexes: what is read, decided, told and stored.
#include "unit/engine/engine_fixture.h"

#include <array>

namespace basalt::engine {
namespace {

using storage::Consistency;
using storage::Wait;

class WriteItemsTest : public EngineTest {
protected:
    WriteItemsTest() { create(pair_table("table")); }

    storage::Outcome write_all(std::span<const ItemWriteTarget> targets)
    {
        return engine_.write_items(Wait::allowed, targets);
    }

    Item first_, second_;
};
BASALT_ON_BOTH_BACKENDS(WriteItemsTest);

TEST_P(WriteItemsTest, AnItemIsPutReplacedAndRemoved)
{
    const auto key = key_of("p", "s");
    first_.s("pk", "p").s("sk", "s").n("v", "1");
    second_.s("pk", "p").s("sk", "s").n("v", "2");
    auto create_it = DecidedWrite::put(first_);
    auto replace_it = DecidedWrite::put(second_);
    auto remove_it = DecidedWrite::remove();

    ASSERT_TRUE(write(key, create_it.see_old()));
    EXPECT_EQ(create_it.evaluated_on, std::nullopt);
    EXPECT_EQ(create_it.old_item, std::nullopt);
    EXPECT_EQ(create_it.new_item, bytes_of(first_));
    EXPECT_EQ(create_it.collection_bytes, 0U);
    EXPECT_EQ(stored(key), bytes_of(first_));

    ASSERT_TRUE(write(key, replace_it.see_old()));
    EXPECT_EQ(replace_it.evaluated_on, bytes_of(first_));
    EXPECT_EQ(replace_it.old_item, bytes_of(first_));
    EXPECT_EQ(replace_it.new_item, bytes_of(second_));
    EXPECT_EQ(stored(key), bytes_of(second_));

    ASSERT_TRUE(write(key, remove_it.see_old()));
    EXPECT_EQ(remove_it.old_item, bytes_of(second_));
    EXPECT_EQ(remove_it.new_item, std::nullopt);
    EXPECT_EQ(stored(key), std::nullopt);
}

TEST_P(WriteItemsTest, TheOldItemIsReadOnlyForThoseWhoLookAtIt)
{
    const auto key = key_of("p", "s");
    first_.s("pk", "p").s("sk", "s").n("v", "1");
    put(first_);
    auto again = DecidedWrite::put(first_);
    ASSERT_TRUE(write(key, again));
    EXPECT_EQ(again.evaluated_on, std::nullopt);
    EXPECT_EQ(again.old_item, std::nullopt);
    EXPECT_EQ(again.new_item, bytes_of(first_));
    auto gone = DecidedWrite::remove();
    ASSERT_TRUE(write(key, gone));
    EXPECT_EQ(gone.old_item, std::nullopt);
    EXPECT_EQ(stored(key), std::nullopt);
}

TEST_P(WriteItemsTest, NothingIsWrittenWhereNothingChanges)
{
    const auto key = key_of("p", "s");
    first_.s("pk", "p").s("sk", "s").n("v", "1");
    auto absent = DecidedWrite::remove();
    ASSERT_TRUE(write(key, absent.see_old()));
    EXPECT_EQ(store_.last_writes(table_->keyspace()), 0U);
    EXPECT_EQ(absent.new_item, std::nullopt);

    put(first_);
    EXPECT_EQ(store_.last_writes(table_->keyspace()), 1U);
    auto same = DecidedWrite::put(first_);
    ASSERT_TRUE(write(key, same.see_old()));
    EXPECT_EQ(store_.last_writes(table_->keyspace()), 0U);
    EXPECT_EQ(same.old_item, bytes_of(first_));
    EXPECT_EQ(same.new_item, bytes_of(first_));

    auto none = DecidedWrite::nothing();
    ASSERT_TRUE(write(key, none.see_old()));
    EXPECT_EQ(store_.last_writes(table_->keyspace()), 0U);
    EXPECT_EQ(none.old_item, bytes_of(first_));
    EXPECT_EQ(none.new_item, bytes_of(first_));
    auto unseen = DecidedWrite::nothing();
    ASSERT_TRUE(write(key, unseen));
    EXPECT_EQ(unseen.new_item, std::nullopt);
    EXPECT_EQ(stored(key), bytes_of(first_));
}

TEST_P(WriteItemsTest, ARefusalLeavesEverythingAsItWas)
{
    first_.s("pk", "p").s("sk", "1").n("v", "1");
    second_.s("pk", "p").s("sk", "3").n("v", "2");
    put(second_);
    auto putting = DecidedWrite::put(first_);
    auto refusing = DecidedWrite::refuse({ErrorCode::conditional_check_failed, "The conditional request failed"});
    auto removing = DecidedWrite::remove();
    const auto one = key_of("p", "1");
    const auto two = key_of("p", "2");
    const auto three = key_of("p", "3");
    const std::array targets{ItemWriteTarget{*table_, one, putting}, ItemWriteTarget{*table_, two, refusing},
                             ItemWriteTarget{*table_, three, removing}};
    const auto outcome = write_all(targets);
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error(), (Error{ErrorCode::conditional_check_failed, "The conditional request failed"}));
    EXPECT_EQ(stored(one), std::nullopt);
    EXPECT_EQ(stored(three), bytes_of(second_));
    EXPECT_EQ(removing.evaluations, 0);
    for (const auto *write : {&putting, &refusing, &removing}) {
        EXPECT_EQ(write->acceptances, 0);
    }
}

TEST_P(WriteItemsTest, WritesOfSeveralTablesAreOneCommit)
{
    const auto first_table = table_;
    const auto second_table = create(pair_table("second"));
    first_.s("pk", "p").s("sk", "s").n("v", "1");
    second_.s("pk", "p").s("sk", "s").n("v", "2");
    put(second_);
    const auto key = key_of("p", "s");
    const auto other_key = key_of("p", "t");
    auto putting = DecidedWrite::put(first_);
    auto removing = DecidedWrite::remove();
    auto looking = DecidedWrite::nothing();
    auto also_looking = DecidedWrite::nothing();
    const std::array targets{ItemWriteTarget{*first_table, key, putting.see_old()},
                             ItemWriteTarget{*second_table, key, removing.see_old()},
                             ItemWriteTarget{*first_table, other_key, looking.see_old()},
                             ItemWriteTarget{*second_table, other_key, also_looking}};
    ASSERT_TRUE(write_all(targets).result);
    EXPECT_EQ(putting.old_item, std::nullopt);
    EXPECT_EQ(removing.old_item, bytes_of(second_));
    EXPECT_EQ(looking.evaluated_on, std::nullopt);
    for (const auto *write : {&putting, &removing, &looking, &also_looking}) {
        EXPECT_EQ(write->evaluations, runs_of_a_body(GetParam()));
        EXPECT_EQ(write->acceptances, runs_of_a_body(GetParam()));
    }
    EXPECT_EQ(row(first_table->keyspace(), key.view()), bytes_of(first_));
    EXPECT_EQ(row(second_table->keyspace(), key.view()), std::nullopt);
}

TEST_P(WriteItemsTest, TwoWritesOfOneItemAreRefused)
{
    first_.s("pk", "p").s("sk", "s").n("v", "1");
    second_.s("pk", "p").s("sk", "s").n("v", "2");
    auto one = DecidedWrite::put(first_);
    auto two = DecidedWrite::put(second_);
    auto other = DecidedWrite::remove();
    const auto key = key_of("p", "s");
    const auto same_key = key_of("p", "s");
    const auto other_key = key_of("p", "t");
    ASSERT_TRUE(engine_.catalog()
                    .change(Wait::allowed, table_->description.name, [](auto &) { return Result<void>(); })
                    .result);
    const auto other_version = engine_.catalog().find(table_->description.name);
    ASSERT_NE(other_version, table_);
    const std::array targets{ItemWriteTarget{*table_, key, one}, ItemWriteTarget{*table_, other_key, other},
                             ItemWriteTarget{*other_version, same_key, two}};
    const auto outcome = write_all(targets);
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error(), (Error{ErrorCode::validation, "Provided list of item keys contains duplicates"}));
    EXPECT_EQ(one.evaluations + two.evaluations + other.evaluations, 0);
    EXPECT_EQ(stored(key), std::nullopt);
    EXPECT_TRUE(write_all(std::span(targets).first(2)).result);
}

TEST_P(WriteItemsTest, AWriteThatTakesLongIsNotEvaluatedWithoutWaiting)
{
    const auto key = key_of("p", "s");
    const auto absent_key = key_of("p", "absent");
    first_.s("pk", "p").s("sk", "s").s("v", std::string(64 * 1000, 'v'));
    second_.s("pk", "p").s("sk", "s").n("v", "2");
    put(first_);
    const auto try_write = [&](const PrimaryKey &of, DecidedWrite &decided) {
        const std::array targets{ItemWriteTarget{*table_, of, decided}};
        bool done = false;
        for (int i = 0; i < 3 && !done; ++i) { // a store may refuse for reasons of its own
            const auto outcome = engine_.write_items(Wait::never, targets);
            done = outcome.result.has_value();
            EXPECT_TRUE(done || outcome.result.error().code == ErrorCode::would_block);
        }
        return done;
    };
    auto dear = DecidedWrite::put(second_).see_old().costing(17);
    EXPECT_FALSE(try_write(key, dear));
    EXPECT_EQ(dear.evaluations, 0);
    EXPECT_EQ(stored(key), bytes_of(first_));
    auto absent = DecidedWrite::remove().see_old().costing(17);
    EXPECT_TRUE(try_write(absent_key, absent)) << "nothing to look at";
    auto unseen = DecidedWrite::nothing().costing(20'000);
    EXPECT_FALSE(try_write(key, unseen));
    auto cheap = DecidedWrite::put(second_).see_old().costing(16);
    EXPECT_TRUE(try_write(key, cheap));
    EXPECT_EQ(stored(key), bytes_of(second_));
    put(first_);
    ASSERT_TRUE(write(key, dear));
    EXPECT_EQ(stored(key), bytes_of(second_));
}

TEST_P(WriteItemsTest, TheWorkOfAllWritesCountsTogether)
{
    first_.s("pk", "p").s("sk", "1").s("v", std::string(40'000, 'v'));
    second_.s("pk", "p").s("sk", "2").s("v", std::string(40'000, 'v'));
    put(first_);
    put(second_);
    auto one = DecidedWrite::remove().see_old().costing(16);
    auto two = DecidedWrite::remove().see_old().costing(16);
    const auto key = key_of("p", "1");
    const auto second_key = key_of("p", "2");
    const std::array targets{ItemWriteTarget{*table_, key, one}, ItemWriteTarget{*table_, second_key, two}};
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(engine_.write_items(Wait::never, targets).result.error().code, ErrorCode::would_block);
    }
    EXPECT_EQ(one.evaluations + two.evaluations, 0);
    EXPECT_TRUE(write_all(targets).result);
}

TEST_P(WriteItemsTest, AFailedStoreFailsTheWrite)
{
    first_.s("pk", "p").s("sk", "s");
    store_.fail_next_mutation({ErrorCode::io_error, "no space"});
    auto putting = DecidedWrite::put(first_);
    const auto result = write(key_of(first_), putting);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::io_error);
    EXPECT_EQ(stored(key_of(first_)), std::nullopt);
}

TEST_P(WriteItemsTest, NoWritesAreASuccess)
{
    EXPECT_TRUE(write_all({}).result);
}

} // namespace
} // namespace basalt::engine

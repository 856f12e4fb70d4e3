// Point reads, of one item and of many.
#include "unit/engine/engine_fixture.h"

#include <algorithm>

namespace basalt::engine {
namespace {

using storage::Consistency;
using storage::Wait;

/// Notes which items it got and where they stood in the request.
class NotedBatch final : public BatchConsumer {
public:
    void restart() override
    {
        ++runs;
        items.clear();
    }
    bool item(std::size_t position, std::optional<model::ItemView> item) override
    {
        items.emplace_back(position, item ? std::string(item->find("v")->text()) : "nothing");
        return items.size() < most;
    }

    std::size_t most = 1000;
    int runs = 0;
    std::vector<std::pair<std::size_t, std::string>> items;
};

class BatchReadTest : public EngineTest {
protected:
    BatchReadTest()
    {
        first_ = create(pair_table("first"));
        fill("first ", 70, 1);
        second_ = create(pair_table("second"));
        fill("second ", 70, 1);
    }

    void fill(const std::string &prefix, int count, std::size_t repeat)
    {
        for (int i = 0; i < count; ++i) {
            Item item;
            std::string value;
            for (std::size_t r = 0; r < repeat; ++r) {
                value += prefix + std::to_string(i);
            }
            put(item.s("pk", "p" + std::to_string(i % 5)).s("sk", std::to_string(i)).s("v", value));
        }
    }

    void want(const TablePtr &table, int i)
    {
        wanted_.emplace_back(table, key_of("p" + std::to_string(i % 5), std::to_string(i)));
    }

    storage::Outcome read(Wait wait)
    {
        std::vector<ItemKey> keys;
        for (const auto &[table, key] : wanted_) {
            keys.push_back({*table, key});
        }
        return engine_.get_items(wait, keys, Consistency::strong, noted_);
    }

    TablePtr first_, second_;
    std::vector<std::pair<TablePtr, PrimaryKey>> wanted_;
    NotedBatch noted_;
};
BASALT_ON_BOTH_BACKENDS(BatchReadTest);

TEST_P(BatchReadTest, OneItemIsReadOrAbsent)
{
    std::string seen;
    const auto note = [&](std::optional<model::ItemView> item) {
        seen = item ? std::string(item->find("v")->text()) : "nothing";
    };
    for (const auto consistency : {Consistency::strong, Consistency::eventual}) {
        ASSERT_TRUE(engine_.get_item(Wait::allowed, *second_, key_of("p2", "7"), consistency, note).result);
        EXPECT_EQ(seen, "second 7");
        ASSERT_TRUE(engine_.get_item(Wait::allowed, *second_, key_of("p3", "7"), consistency, note).result);
        EXPECT_EQ(seen, "nothing");
    }
}

TEST_P(BatchReadTest, ItemsComeInTheOrderOfTheRequest)
{
    std::vector<std::pair<std::size_t, std::string>> expected;
    for (const int i : {69, 3, 1000, 4, 5, 12, 0}) {
        want(i % 2 == 0 ? second_ : first_, i);
        expected.emplace_back(expected.size(),
                              i == 1000 ? "nothing" : (i % 2 == 0 ? "second " : "first ") + std::to_string(i));
    }
    ASSERT_TRUE(read(Wait::allowed).result);
    EXPECT_EQ(noted_.items, expected);
    EXPECT_EQ(noted_.runs, runs_of_a_body(GetParam()));
    bool done = false;
    for (int i = 0; i < 3 && !done; ++i) { // a store may refuse for reasons of its own
        done = read(Wait::never).result.has_value();
    }
    ASSERT_TRUE(done);
    EXPECT_EQ(noted_.items, expected);
}

TEST_P(BatchReadTest, ManyItemsOfTwoTables)
{
    for (int i = 0; i < 70; ++i) {
        want(first_, i);
        want(second_, 69 - i);
    }
    ASSERT_TRUE(read(Wait::allowed).result);
    ASSERT_EQ(noted_.items.size(), 140U);
    for (std::size_t i = 0; i < 70; ++i) {
        EXPECT_EQ(noted_.items[2 * i], std::make_pair(2 * i, "first " + std::to_string(i)));
        EXPECT_EQ(noted_.items[2 * i + 1], std::make_pair(2 * i + 1, "second " + std::to_string(69 - i)));
    }
}

TEST_P(BatchReadTest, AConsumerThatHasEnoughGetsNoMore)
{
    for (int i = 0; i < 70; ++i) {
        want(first_, i);
    }
    for (const std::size_t most : {1, 24, 25, 26, 69}) {
        noted_.most = most;
        ASSERT_TRUE(read(Wait::allowed).result);
        EXPECT_EQ(noted_.items.size(), most);
    }
}

TEST_P(BatchReadTest, ALargeBatchWouldBlockAndThenIsRead)
{
    create(pair_table("large"));
    fill("0123456789", 20, 500);
    for (int i = 0; i < 20; ++i) {
        want(table_, i);
    }
    for (int i = 0; i < 3; ++i) {
        const auto outcome = read(Wait::never);
        ASSERT_FALSE(outcome.result);
        EXPECT_EQ(outcome.result.error().code, ErrorCode::would_block);
    }
    ASSERT_TRUE(read(Wait::allowed).result);
    EXPECT_EQ(noted_.items.size(), 20U);
}

TEST_P(BatchReadTest, NothingWantedIsNothingRead)
{
    ASSERT_TRUE(read(Wait::allowed).result);
    EXPECT_TRUE(noted_.items.empty());
    EXPECT_EQ(noted_.runs, runs_of_a_body(GetParam()));
}

} // namespace
} // namespace basalt::engine

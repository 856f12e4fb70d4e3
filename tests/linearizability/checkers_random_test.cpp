// The checkers against one that tries all orders, on small random histories.
#include "linearizability/cycle_check.h"
#include "linearizability/order_check.h"

#include <gtest/gtest.h>

#include <random>

namespace basalt::linearizability {
namespace {

constexpr std::size_t kItems = 3;
constexpr std::size_t kMostOperations = 6;
constexpr int kHistories = 20'000;

/// Whether an order has a place for the units that are not done with yet; optional ones may be left out.
bool can_go_on(const History &units, std::vector<bool> done, const std::array<State, kMostItems> &states)
{
    bool finished = true;
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (done[i]) {
            continue;
        }
        finished = finished && units[i].is_optional();
        bool may_be_next = true;
        auto after = done;
        after[i] = true;
        for (std::size_t other = 0; other < units.size(); ++other) {
            if (units[other].completed < units[i].invoked) {
                may_be_next = may_be_next && (done[other] || units[other].is_optional());
                after[other] = true;
            }
        }
        auto next = states;
        for (std::size_t j = 0; j < units[i].access_count; ++j) {
            may_be_next = may_be_next && apply(units[i].accesses[j], next[units[i].accesses[j].item]);
        }
        if (may_be_next && can_go_on(units, after, next)) {
            return true;
        }
    }
    return finished;
}

class RandomHistory {
public:
    explicit RandomHistory(std::uint64_t seed)
        : random_(seed)
    {}

    /// Takes effect in the order in which it is made, so that it is sound; then some of what was seen is changed.
    History make()
    {
        const std::size_t operations = 2 + below(kMostOperations - 1);
        History history;
        for (std::size_t i = 0; i < operations; ++i) {
            history.push_back(operation(i));
            // Around a moment that is the operation's own.
            history.back().invoked = (i + 3) * 100 - below(180) - 10 + i;
            history.back().completed = (i + 3) * 100 + below(180) + i;
        }
        if (below(3) != 0) {
            Operation &changed = history[below(operations)];
            changed.accesses[below(changed.access_count)].state = {below(2) == 0 ? 0 : 10 * below(7), 10 * below(7),
                                                                   below(3)};
        }
        if (below(3) == 0) {
            Operation &early = history[below(operations)];
            early.completed = early.invoked + 1;
        }
        return atomic_units(history);
    }

private:
    std::uint32_t below(std::uint64_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

    Operation operation(std::size_t number)
    {
        Operation operation;
        operation.client = static_cast<std::uint32_t>(number);
        operation.kind = Kind::transact_write;
        operation.outcome = below(5) == 0 ? Outcome::unknown : Outcome::done;
        operation.access_count = static_cast<std::uint8_t>(1 + (below(2) == 0 ? below(kItems) : 0));
        auto next = states_;
        for (std::size_t i = 0; i < operation.access_count; ++i) {
            Access &access = operation.accesses[i];
            access.item = static_cast<std::uint8_t>((number + i) % kItems);
            access.effect = static_cast<Effect>(below(4));
            access.written = static_cast<std::uint32_t>(number * 10 + i + 10);
            if (operation.outcome == Outcome::done && below(4) != 0) {
                access.seen = below(2) == 0 ? Access::everything : Access::version;
                access.state = next[access.item];
            }
            static_cast<void>(apply(access, next[access.item]));
        }
        if (operation.outcome == Outcome::done || below(2) == 0) {
            states_ = next;
        }
        return operation;
    }

    std::mt19937_64 random_;
    std::array<State, kMostItems> states_ = {};
};

TEST(CheckersOnRandomHistories, AgreeWithTryingEverything)
{
    int sound = 0;
    int cycles = 0;
    for (int seed = 1; seed <= kHistories; ++seed) {
        const History units = RandomHistory(static_cast<std::uint64_t>(seed)).make();
        const bool expected = can_go_on(units, std::vector<bool>(units.size(), false), {});
        const auto order = check_order(units, 1'000'000);
        ASSERT_EQ(order.verdict, expected ? Verdict::ordered : Verdict::violated) << "seed " << seed << "\n"
                                                                                  << to_text(units) << order.evidence;
        const auto found = check_cycles(units);
        ASSERT_TRUE(found.sound || !expected) << "seed " << seed << "\n" << to_text(units) << found.evidence;
        sound += expected ? 1 : 0;
        cycles += found.sound ? 0 : 1;
    }
    // Both kinds are there, and most violations of histories like these are cycles.
    EXPECT_GT(sound, kHistories / 4);
    EXPECT_GT(kHistories - sound, kHistories / 5);
    EXPECT_GT(cycles, (kHistories - sound) / 2);
    RecordProperty("sound", sound);
    RecordProperty("cycles", cycles);
}

} // namespace
} // namespace basalt::linearizability

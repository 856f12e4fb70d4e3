// The checkers, held to histories made by hand: sound ones pass, each kind of violation is found.
#include "linearizability/cycle_check.h"
#include "linearizability/order_check.h"
#include "linearizability/round.h"

#include <gtest/gtest.h>

namespace basalt::linearizability {
namespace {

constexpr std::uint64_t kSteps = 100'000;

Operation operation(Kind kind, std::uint64_t invoked, std::uint64_t completed, std::vector<Access> accesses,
                    Outcome outcome = Outcome::done)
{
    Operation out;
    out.kind = kind;
    out.outcome = outcome;
    out.invoked = invoked;
    out.completed = completed;
    out.access_count = static_cast<std::uint8_t>(accesses.size());
    std::copy(accesses.begin(), accesses.end(), out.accesses.begin());
    return out;
}

Access saw(std::uint8_t item, State state)
{
    Access access;
    access.item = item;
    access.seen = Access::everything;
    access.state = state;
    return access;
}

Access puts(std::uint8_t item, std::uint32_t version)
{
    Access access;
    access.item = item;
    access.effect = Effect::put;
    access.written = version;
    return access;
}

Access updates(std::uint8_t item, std::uint32_t version)
{
    Access access = puts(item, version);
    access.effect = Effect::update;
    return access;
}

Access removes(std::uint8_t item)
{
    Access access;
    access.item = item;
    access.effect = Effect::remove;
    return access;
}

Access at_version(Access access, std::uint32_t version, bool held = true)
{
    access.condition = Condition::version_is;
    access.expected = version;
    access.held = held;
    return access;
}

Access returning_old(Access access, State state)
{
    access.seen = Access::everything;
    access.state = state;
    return access;
}

Operation get(std::uint64_t invoked, std::uint64_t completed, std::uint8_t item, State state)
{
    return operation(Kind::get, invoked, completed, {saw(item, state)});
}

Operation put(std::uint64_t invoked, std::uint64_t completed, std::uint8_t item, std::uint32_t version)
{
    return operation(Kind::put, invoked, completed, {puts(item, version)});
}

Verdict order_of(const History &history)
{
    return check_order(atomic_units(history), kSteps).verdict;
}

std::string cycle_of(const History &history)
{
    const auto judgement = check_cycles(atomic_units(history));
    EXPECT_EQ(judgement.sound, judgement.evidence.empty());
    return judgement.evidence;
}

void expect_sound(const History &history)
{
    EXPECT_EQ(order_of(history), Verdict::ordered) << check_order(atomic_units(history), kSteps).evidence;
    EXPECT_EQ(cycle_of(history), "");
}

/// Found by both.
void expect_violated(const History &history)
{
    EXPECT_EQ(order_of(history), Verdict::violated);
    EXPECT_NE(cycle_of(history), "");
}

TEST(Checkers, AcceptOneAfterTheOther)
{
    expect_sound({put(1, 2, 0, 10), get(3, 4, 0, {10, 0, 1}), operation(Kind::update, 5, 6, {updates(0, 20)}),
                  get(7, 8, 0, {20, 10, 2}), operation(Kind::remove, 9, 10, {removes(0)}), get(11, 12, 0, {})});
}

TEST(Checkers, AcceptAnyOrderOfWhatOverlaps)
{
    // The later read sees the put that was invoked first.
    expect_sound({put(1, 6, 0, 10), put(2, 5, 0, 20), get(3, 4, 0, {20, 0, 1}), get(7, 8, 0, {10, 0, 1})});
}

TEST(Checkers, AcceptAReadOfAWriteUnderWay)
{
    expect_sound({put(1, 6, 0, 10), get(2, 3, 0, {10, 0, 1}), get(4, 5, 0, {10, 0, 1})});
}

TEST(Checkers, FindAStaleRead)
{
    expect_violated({put(1, 2, 0, 10), put(3, 4, 0, 20), get(5, 6, 0, {10, 0, 1})});
    expect_violated({put(1, 2, 0, 10), get(3, 4, 0, {})});
}

TEST(Checkers, FindReadsThatGoBack)
{
    expect_violated({put(1, 2, 0, 10), put(3, 10, 0, 20), get(4, 5, 0, {20, 0, 1}), get(6, 7, 0, {10, 0, 1})});
}

TEST(Checkers, FindALostUpdate)
{
    // Both replaced 10.
    expect_violated({put(1, 2, 0, 10), operation(Kind::update, 3, 6, {at_version(updates(0, 20), 10)}),
                     operation(Kind::update, 4, 5, {at_version(updates(0, 30), 10)})});
    // Two that both created it.
    expect_violated({operation(Kind::put, 1, 4, {returning_old(puts(0, 10), {})}),
                     operation(Kind::put, 2, 3, {returning_old(puts(0, 20), {})})});
}

TEST(Checkers, FindAnUpdateThatWasAppliedTwice)
{
    EXPECT_EQ(order_of({put(1, 2, 0, 10), operation(Kind::update, 3, 4, {updates(0, 20)}), get(5, 6, 0, {20, 20, 3})}),
              Verdict::violated);
}

TEST(Checkers, FindADirtyRead)
{
    expect_violated({put(1, 2, 0, 10),
                     operation(Kind::transact_write, 3, 6, {at_version(Access(), 10, false), removes(1)},
                               Outcome::condition_failed),
                     get(4, 5, 0, {77, 0, 1})});
}

TEST(Checkers, FindAConditionThatFailedWithoutReason)
{
    EXPECT_EQ(order_of({put(1, 2, 0, 10),
                        operation(Kind::put, 3, 4, {at_version(Access(), 10, false)}, Outcome::condition_failed)}),
              Verdict::violated);
    expect_sound({put(1, 2, 0, 10), put(3, 6, 0, 20),
                  operation(Kind::put, 4, 5, {at_version(Access(), 10, false)}, Outcome::condition_failed)});
}

TEST(Checkers, FindATornTransactionRead)
{
    const History history = {operation(Kind::transact_write, 1, 2, {puts(0, 10), puts(1, 11)}),
                             operation(Kind::transact_write, 3, 6, {puts(0, 20), puts(1, 21)}),
                             operation(Kind::transact_get, 4, 5, {saw(0, {20, 0, 1}), saw(1, {11, 0, 1})})};
    expect_violated(history);
    // A batch makes no such promise.
    History batch = history;
    batch.back().kind = Kind::batch_get;
    expect_sound(batch);
}

TEST(Checkers, FindWriteSkew)
{
    expect_violated({operation(Kind::transact_write, 1, 2, {puts(0, 10), puts(1, 11)}),
                     operation(Kind::transact_write, 3, 6, {at_version(Access(), 10), puts(1, 20)}),
                     operation(Kind::transact_write, 4, 5, {puts(0, 30), [] {
                                                                Access check;
                                                                check.item = 1;
                                                                return at_version(check, 11);
                                                            }()})});
}

TEST(Checkers, FindReadsThatDisagreeAboutAnOrder)
{
    // Four clients: each item alone is sound.
    const History history = {put(1, 20, 0, 10), put(2, 21, 1, 20),
                             operation(Kind::transact_get, 3, 8, {saw(0, {10, 0, 1}), saw(1, {})}),
                             operation(Kind::transact_get, 4, 9, {saw(0, {}), saw(1, {20, 0, 1})})};
    EXPECT_EQ(order_of(of_item(history, 0)), Verdict::ordered);
    EXPECT_EQ(order_of(of_item(history, 1)), Verdict::ordered);
    expect_violated(history);
}

TEST(Checkers, LetAnUnknownWriteHappenOrNot)
{
    const Operation unknown = operation(Kind::put, 3, 6, {puts(0, 20)}, Outcome::unknown);
    expect_sound({put(1, 2, 0, 10), unknown, get(7, 8, 0, {10, 0, 1})});
    expect_sound({put(1, 2, 0, 10), unknown, get(7, 8, 0, {20, 0, 1})});
    expect_violated({put(1, 2, 0, 10), unknown, get(7, 8, 0, {20, 0, 1}), get(9, 10, 0, {10, 0, 1})});
}

TEST(Checkers, FindAValueTakenBackByACrash)
{
    // Seen before the crash at 6, gone after it.
    const Operation unknown = operation(Kind::put, 3, 6, {puts(0, 20)}, Outcome::unknown);
    expect_violated({put(1, 2, 0, 10), unknown, get(4, 5, 0, {20, 0, 1}), get(7, 8, 0, {10, 0, 1})});
    // Acknowledged before, gone after.
    expect_violated({put(1, 2, 0, 10), put(3, 4, 0, 20), get(7, 8, 0, {10, 0, 1})});
}

TEST(Checkers, FindHalfATransactionAfterACrash)
{
    const Operation unknown = operation(Kind::transact_write, 3, 6, {puts(0, 20), puts(1, 21)}, Outcome::unknown);
    expect_violated({operation(Kind::transact_write, 1, 2, {puts(0, 10), puts(1, 11)}), unknown,
                     get(7, 8, 0, {20, 0, 1}), get(9, 10, 1, {11, 0, 1})});
}

TEST(Checkers, SayWhenTheyCannotDecide)
{
    History history;
    for (std::uint32_t i = 0; i < 12; ++i) {
        history.push_back(put(1 + i, 100 + i, 0, 10 + i));
    }
    EXPECT_EQ(check_order(history, 1'000).verdict, Verdict::undecided);
    EXPECT_EQ(check_order(History(70, put(1, 2, 0, 10)), kSteps).verdict, Verdict::undecided);
}

TEST(Checkers, TellWhatTheyFound)
{
    std::uint64_t steps = 0;
    const std::string evidence = judge({put(1, 2, 0, 10), put(3, 4, 0, 20), get(5, 6, 0, {10, 0, 1})}, steps);
    EXPECT_NE(evidence.find("item 0 alone: no order has a place for"), std::string::npos) << evidence;
    EXPECT_NE(
        evidence.find("a cycle of 2:\n  [3..4] client 0 put: item 0 put v20 -> done\n    had completed before the "
                      "invocation of\n  [5..6] client 0 get: item 0, saw v10 (after v0, count 1) -> done\n    saw "
                      "in item 0 what was before the change by\n"),
        std::string::npos)
        << evidence;
}

} // namespace
} // namespace basalt::linearizability

// Tickets as every backend has to give them.
#include "contract/backends.h"
#include "contract/calls.h"

namespace basalt::storage {
namespace {

using Tickets = StoreContract;
INSTANTIATE_TEST_SUITE_P(Backends, Tickets, testing::ValuesIn(all_backends()), backend_name);

TEST_P(Tickets, ZeroIsDurable)
{
    EXPECT_EQ(store_->durability(Ticket{}), Durability::durable);
    EXPECT_TRUE(wait_until_durable(*store_, Ticket{}));
}

TEST_P(Tickets, AWaiterIsToldOnce)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    for (int i = 0; i < 20; ++i) {
        const Ticket ticket = put(*store_, keyspace, {1, "a"}, std::to_string(i));
        TestWaiter first;
        TestWaiter second;
        store_->when_durable(ticket, first);
        store_->when_durable(ticket, second);
        EXPECT_TRUE(first.wait());
        EXPECT_TRUE(second.wait());
        EXPECT_EQ(store_->durability(ticket), Durability::durable);
    }
}

TEST_P(Tickets, NeverGoDown)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    Ticket last;
    for (int i = 0; i < 20; ++i) {
        const Ticket ticket = put(*store_, keyspace, {static_cast<std::uint64_t>(i), "a"}, "x");
        EXPECT_GE(ticket, last);
        last = ticket;
    }
}

TEST_P(Tickets, OfAReadCoversWhatItSaw)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    const Ticket written = put(*store_, keyspace, {1, "a"}, "x");
    for (const View view : {View::latest, View::snapshot}) {
        const Outcome outcome =
            store_->read(Wait::allowed, view, Consistency::strong, [&](Reader &reader) -> Result<void> {
                EXPECT_TRUE(reader.get(keyspace, {1, "a"}).value());
                return {};
            });
        ASSERT_TRUE(outcome.result);
        if (store_->durability(written) != Durability::durable) {
            EXPECT_GE(outcome.ticket, written);
        }
        EXPECT_TRUE(wait_until_durable(*store_, outcome.ticket));
    }
}

TEST_P(Tickets, CloseAnswersWhoeverWaits)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    TestWaiter waiter;
    store_->when_durable(put(*store_, keyspace, {1, "a"}, "x"), waiter);
    store_->close();
    EXPECT_TRUE(waiter.told());
    TestWaiter late;
    store_->when_durable(Ticket{~std::uint64_t{0}}, late);
    EXPECT_TRUE(late.told());
}

} // namespace
} // namespace basalt::storage

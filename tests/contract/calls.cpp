// Short forms of the store's calls.
#include "contract/calls.h"

#include <gtest/gtest.h>

namespace basalt::storage {

void TestWaiter::ready(const Result<void> &result) noexcept
{
    const std::lock_guard lock(mutex_);
    EXPECT_FALSE(result_.has_value()) << "told twice";
    result_ = result;
    told_.notify_all();
}

Result<void> TestWaiter::wait()
{
    std::unique_lock lock(mutex_);
    told_.wait(lock, [this] { return result_.has_value(); });
    return *result_;
}

bool TestWaiter::told() const
{
    const std::lock_guard lock(mutex_);
    return result_.has_value();
}

Result<void> wait_until_durable(Store &store, Ticket ticket)
{
    TestWaiter waiter;
    store.when_durable(ticket, waiter);
    return waiter.wait();
}

KeyspaceId create_keyspace(Store &store, KeyspaceKind kind)
{
    KeyspaceId created{};
    const Outcome outcome = store.mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
        Result<KeyspaceId> keyspace = mutation.create_keyspace(kind);
        if (!keyspace) {
            return fail(keyspace.error());
        }
        created = *keyspace;
        return {};
    });
    EXPECT_TRUE(outcome.result) << outcome.result.error().message;
    return created;
}

Ticket put(Store &store, KeyspaceId keyspace, const Key &key, Bytes value)
{
    const LockKey lock{keyspace, key};
    const Outcome outcome = store.mutate(Wait::allowed, {&lock, 1}, [&](Mutation &mutation) -> Result<void> {
        mutation.put(keyspace, key, value);
        return {};
    });
    EXPECT_TRUE(outcome.result) << outcome.result.error().message;
    return outcome.ticket;
}

Ticket remove(Store &store, KeyspaceId keyspace, const Key &key)
{
    const LockKey lock{keyspace, key};
    const Outcome outcome = store.mutate(Wait::allowed, {&lock, 1}, [&](Mutation &mutation) -> Result<void> {
        mutation.remove(keyspace, key);
        return {};
    });
    EXPECT_TRUE(outcome.result) << outcome.result.error().message;
    return outcome.ticket;
}

std::optional<std::string> get(Store &store, KeyspaceId keyspace, const Key &key)
{
    std::optional<std::string> found;
    const Outcome outcome =
        store.read(Wait::allowed, View::latest, Consistency::strong, [&](Reader &reader) -> Result<void> {
            Result<std::optional<Bytes>> value = reader.get(keyspace, key);
            if (!value) {
                return fail(value.error());
            }
            found.reset();
            if (*value) {
                found.emplace(**value);
            }
            return {};
        });
    EXPECT_TRUE(outcome.result) << outcome.result.error().message;
    return found;
}

std::vector<std::string> scan(Store &store, KeyspaceId keyspace, const Range &range, std::size_t limit)
{
    std::vector<std::string> found;
    const Outcome outcome =
        store.read(Wait::allowed, View::latest, Consistency::strong, [&](Reader &reader) -> Result<void> {
            found.clear();
            Result<bool> exhausted = reader.scan(keyspace, range, [&](const Row &row) {
                found.emplace_back(row.value);
                return found.size() < limit;
            });
            if (!exhausted) {
                return fail(exhausted.error());
            }
            EXPECT_EQ(*exhausted, found.size() < limit);
            return {};
        });
    EXPECT_TRUE(outcome.result) << outcome.result.error().message;
    return found;
}

} // namespace basalt::storage

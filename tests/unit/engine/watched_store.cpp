#include "unit/engine/watched_store.h"

#include <utility>

namespace basalt::engine {

std::multiset<storage::KeyspaceId> WatchedStore::reclaimed() const
{
    const std::lock_guard lock(mutex_);
    return reclaimed_;
}

void WatchedStore::fail_next_mutation(Error error)
{
    const std::lock_guard lock(mutex_);
    failure_ = std::move(error);
}

void WatchedStore::hold_mutations()
{
    const std::lock_guard lock(mutex_);
    holding_ = true;
}

void WatchedStore::wait_until_one_is_held()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return held_ > 0; });
}

void WatchedStore::release_mutations()
{
    const std::lock_guard lock(mutex_);
    holding_ = false;
    changed_.notify_all();
}

storage::Outcome WatchedStore::read(storage::Wait wait, storage::View view, storage::Consistency consistency,
                                    function_ref<Result<void>(storage::Reader &)> body)
{
    return inner_->read(wait, view, consistency, body);
}

storage::Outcome WatchedStore::mutate(storage::Wait wait, std::span<const storage::LockKey> locks,
                                      function_ref<Result<void>(storage::Mutation &)> body)
{
    {
        std::unique_lock lock(mutex_);
        if (holding_) {
            ++held_;
            changed_.notify_all();
            changed_.wait(lock, [this] { return !holding_; });
            --held_;
        }
        if (failure_) {
            return {fail(*std::exchange(failure_, std::nullopt)), {}};
        }
    }
    auto outcome = inner_->mutate(wait, locks, body);
    if (outcome.result) {
        outcome.ticket.value = tickets_.fetch_add(1) + 1;
    }
    return outcome;
}

storage::Durability WatchedStore::durability(storage::Ticket) const
{
    return storage::Durability::durable;
}

void WatchedStore::when_durable(storage::Ticket, storage::Waiter &waiter)
{
    waiter.ready({});
}

void WatchedStore::reclaim(storage::KeyspaceId keyspace)
{
    {
        const std::lock_guard lock(mutex_);
        reclaimed_.insert(keyspace);
    }
    inner_->reclaim(keyspace);
}

void WatchedStore::close()
{
    inner_->close();
}

} // namespace basalt::engine

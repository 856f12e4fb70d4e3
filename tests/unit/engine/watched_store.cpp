#include "unit/engine/watched_store.h"

#include <algorithm>
#include <utility>

namespace basalt::engine {
namespace {

/// Notes where a body writes.
class WatchedMutation final : public storage::Mutation {
public:
    WatchedMutation(storage::Mutation &inner, std::vector<storage::KeyspaceId> &written)
        : inner_(inner),
          written_(written)
    {}
    Result<std::optional<Bytes>> get(storage::KeyspaceId keyspace, const storage::Key &key) override
    {
        return inner_.get(keyspace, key);
    }
    Result<void> multi_get(storage::KeyspaceId keyspace, std::span<const storage::Key> keys,
                           std::span<std::optional<Bytes>> out) override
    {
        return inner_.multi_get(keyspace, keys, out);
    }
    Result<bool> scan(storage::KeyspaceId keyspace, const storage::Range &range,
                      function_ref<bool(const storage::Row &)> row) override
    {
        return inner_.scan(keyspace, range, row);
    }
    Result<bool> read_log(storage::KeyspaceId log, storage::LogPosition after,
                          function_ref<bool(storage::LogPosition, Bytes)> record) override
    {
        return inner_.read_log(log, after, record);
    }
    void put(storage::KeyspaceId keyspace, const storage::Key &key, Bytes value) override
    {
        written_.push_back(keyspace);
        inner_.put(keyspace, key, value);
    }
    void remove(storage::KeyspaceId keyspace, const storage::Key &key) override
    {
        written_.push_back(keyspace);
        inner_.remove(keyspace, key);
    }
    void append(storage::KeyspaceId log, Bytes record) override { inner_.append(log, record); }
    void trim_log(storage::KeyspaceId log, storage::LogPosition after, storage::LogPosition last) override
    {
        inner_.trim_log(log, after, last);
    }
    Result<storage::KeyspaceId> create_keyspace(storage::KeyspaceKind kind) override
    {
        return inner_.create_keyspace(kind);
    }
    void drop_keyspace(storage::KeyspaceId keyspace) override { inner_.drop_keyspace(keyspace); }

private:
    storage::Mutation &inner_;
    std::vector<storage::KeyspaceId> &written_;
};

/// Notes how much is read at once.
class WatchedReader final : public storage::Reader {
public:
    WatchedReader(storage::Reader &inner, std::atomic<std::size_t> &most_bytes)
        : inner_(inner),
          most_bytes_(most_bytes)
    {}
    Result<std::optional<Bytes>> get(storage::KeyspaceId keyspace, const storage::Key &key) override
    {
        return inner_.get(keyspace, key);
    }
    Result<void> multi_get(storage::KeyspaceId keyspace, std::span<const storage::Key> keys,
                           std::span<std::optional<Bytes>> out) override
    {
        auto result = inner_.multi_get(keyspace, keys, out);
        std::size_t bytes = 0;
        for (const auto &value : out) {
            bytes += value ? value->size() : 0;
        }
        most_bytes_ = std::max(most_bytes_.load(), bytes);
        return result;
    }
    Result<bool> scan(storage::KeyspaceId keyspace, const storage::Range &range,
                      function_ref<bool(const storage::Row &)> row) override
    {
        return inner_.scan(keyspace, range, row);
    }
    Result<bool> read_log(storage::KeyspaceId log, storage::LogPosition after,
                          function_ref<bool(storage::LogPosition, Bytes)> record) override
    {
        return inner_.read_log(log, after, record);
    }

private:
    storage::Reader &inner_;
    std::atomic<std::size_t> &most_bytes_;
};

} // namespace

std::size_t WatchedStore::last_writes(storage::KeyspaceId keyspace) const
{
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(std::count(written_.begin(), written_.end(), keyspace));
}

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
    return inner_->read(wait, view, consistency, [&](storage::Reader &reader) {
        WatchedReader watched(reader, most_bytes_at_once_);
        return body(watched);
    });
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
    std::vector<storage::KeyspaceId> written;
    auto outcome = inner_->mutate(wait, locks, [&](storage::Mutation &mutation) {
        written.clear();
        WatchedMutation watched(mutation, written);
        return body(watched);
    });
    {
        const std::lock_guard lock(mutex_);
        written_ = std::move(written);
    }
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

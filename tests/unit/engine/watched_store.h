// A store around another one that tells what was reclaimed, hands out tickets, and fails or holds up commits on demand.
#pragma once

#include "storage/store.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

namespace basalt::engine {

class WatchedStore final : public storage::Store {
public:
    explicit WatchedStore(std::unique_ptr<storage::Store> inner)
        : inner_(std::move(inner))
    {}

    [[nodiscard]] std::multiset<storage::KeyspaceId> reclaimed() const;
    /// The next mutation fails with this, before it does anything.
    void fail_next_mutation(Error error);
    /// Mutations wait from now on; returns when one does.
    void hold_mutations();
    void wait_until_one_is_held();
    void release_mutations();
    /// How many rows the last run of a mutation's body put or removed in a keyspace.
    [[nodiscard]] std::size_t last_writes(storage::KeyspaceId keyspace) const;
    /// The most bytes that one multi_get of a read has given.
    [[nodiscard]] std::size_t most_bytes_at_once() const { return most_bytes_at_once_.load(); }
    /// The ticket of the last mutation that succeeded; they count up from 1.
    [[nodiscard]] storage::Ticket last_ticket() const { return {tickets_.load()}; }

    storage::Outcome read(storage::Wait wait, storage::View view, storage::Consistency consistency,
                          function_ref<Result<void>(storage::Reader &)> body) override;
    storage::Outcome mutate(storage::Wait wait, std::span<const storage::LockKey> locks,
                            function_ref<Result<void>(storage::Mutation &)> body) override;
    [[nodiscard]] storage::Durability durability(storage::Ticket ticket) const override;
    void when_durable(storage::Ticket ticket, storage::Waiter &waiter) override;
    void reclaim(storage::KeyspaceId keyspace) override;
    void close() override;

private:
    const std::unique_ptr<storage::Store> inner_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::multiset<storage::KeyspaceId> reclaimed_;
    std::vector<storage::KeyspaceId> written_; // by the last run
    std::optional<Error> failure_;
    bool holding_ = false;
    int held_ = 0;
    std::atomic<std::uint64_t> tickets_ = 0;
    std::atomic<std::size_t> most_bytes_at_once_ = 0;
};

} // namespace basalt::engine

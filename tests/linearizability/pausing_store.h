// A store over another one that rests at random moments inside the bodies of reads and mutations, so that operations
// meet in the middle.
#pragma once

#include "storage/store.h"

#include <atomic>
#include <chrono>
#include <memory>

namespace basalt::linearizability {

class PausingStore final : public storage::Store {
public:
    /// One body in four rests, between its reads and after them, for up to `longest` each time.
    PausingStore(std::unique_ptr<storage::Store> store, std::chrono::microseconds longest, std::uint64_t seed);

    storage::Outcome read(storage::Wait wait, storage::View view, storage::Consistency consistency,
                          function_ref<Result<void>(storage::Reader &)> body) override;
    storage::Outcome mutate(storage::Wait wait, std::span<const storage::LockKey> locks,
                            function_ref<Result<void>(storage::Mutation &)> body) override;
    [[nodiscard]] storage::Durability durability(storage::Ticket ticket) const override
    {
        return store_->durability(ticket);
    }
    void when_durable(storage::Ticket ticket, storage::Waiter &waiter) override
    {
        store_->when_durable(ticket, waiter);
    }
    void reclaim(storage::KeyspaceId keyspace) override { store_->reclaim(keyspace); }
    void close() override { store_->close(); }

    void pause();

private:
    [[nodiscard]] std::uint64_t draw();

    const std::unique_ptr<storage::Store> store_;
    const std::chrono::microseconds longest_;
    std::atomic<std::uint64_t> state_;
};

} // namespace basalt::linearizability

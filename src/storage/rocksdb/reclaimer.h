// Gives back the space of dropped keyspaces, one after the other, on one background thread.
#pragma once

#include "storage/rocksdb/row_reader.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace basalt::storage {

class Reclaimer {
public:
    /// The parts outlive this.
    explicit Reclaimer(const StoreParts &parts);
    ~Reclaimer();
    Reclaimer(const Reclaimer &) = delete;
    Reclaimer &operator=(const Reclaimer &) = delete;

    /// The keyspace has been dropped and nobody writes to it. Thread-safe. The thread starts with the first.
    void add(KeyspaceId keyspace);
    /// Leaves what is not done yet to the next opening. Idempotent.
    void stop();

private:
    void run();
    [[nodiscard]] Result<void> reclaim(KeyspaceId keyspace);
    [[nodiscard]] Result<bool> delete_few_rows(KeyspaceId keyspace, const RowRange &rows);
    [[nodiscard]] Result<void> delete_range(KeyspaceId keyspace, const RowRange &rows);
    [[nodiscard]] Result<Ticket> commit(::rocksdb::WriteBatch &batch);
    [[nodiscard]] Result<void> wait_until_durable(Ticket ticket);
    [[nodiscard]] bool pause();
    [[nodiscard]] bool stopping();

    const StoreParts parts_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<KeyspaceId> waiting_;
    bool stopping_ = false;
    std::thread thread_;
};

} // namespace basalt::storage

// Gives back the space of dropped keyspaces, one after the other, on the background thread.
#pragma once

#include "storage/rocksdb/background_thread.h"
#include "storage/rocksdb/row_reader.h"

#include <cstdint>

namespace basalt::storage {

class Reclaimer {
public:
    /// All outlive this; the thread is stopped before the database is closed. What is not done by then is done after
    /// the next opening.
    Reclaimer(const StoreParts &parts, BackgroundThread &thread);

    /// The keyspace has been dropped and nobody writes to it. Thread-safe.
    void add(KeyspaceId keyspace);

private:
    [[nodiscard]] Result<void> reclaim(KeyspaceId keyspace);
    /// False: there are more than `most`, and nothing was done. True: all are deleted, and the keyspace is forgotten.
    [[nodiscard]] Result<bool> delete_row_by_row(KeyspaceId keyspace, const RowRange &rows, std::uint64_t most);
    [[nodiscard]] Result<void> delete_range(KeyspaceId keyspace, const RowRange &rows);
    [[nodiscard]] Result<Ticket> commit(::rocksdb::WriteBatch &batch);
    [[nodiscard]] Result<void> wait_until_durable(Ticket ticket);

    const StoreParts parts_;
    BackgroundThread &thread_;
};

} // namespace basalt::storage

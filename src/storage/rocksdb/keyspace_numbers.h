// Numbers for new keyspaces, never used twice, and the marks of dropped keyspaces. Both live in the metadata family:
//
//     "keyspaces"            -> the next number, 4 bytes big-endian
//     "dropped/" id (4, BE)  -> empty; the keyspace's rows are garbage
#pragma once

#include "storage/rocksdb/families.h"

#include <atomic>
#include <vector>

namespace rocksdb {
class WriteBatch;
} // namespace rocksdb

namespace basalt::storage {

/// Thread-safe after load().
class KeyspaceNumbers {
public:
    /// Reads the next number. Errors: corruption, io_error.
    [[nodiscard]] Result<void> load(::rocksdb::DB &db, const Families &families);
    /// Error: limit_exceeded after 2^28 keyspaces.
    [[nodiscard]] Result<KeyspaceId> allocate(KeyspaceKind kind);
    /// Puts the next number. Under the commit mutex: then the last batch written holds the largest.
    void save(::rocksdb::WriteBatch &batch, const Families &families) const;
    /// The number that the next keyspace will have.
    [[nodiscard]] std::uint32_t next() const { return next_.load(); }

private:
    std::atomic<std::uint32_t> next_{1};
};

void mark_dropped(::rocksdb::WriteBatch &batch, const Families &families, KeyspaceId keyspace);
void unmark_dropped(::rocksdb::WriteBatch &batch, const Families &families, KeyspaceId keyspace);
[[nodiscard]] Result<std::vector<KeyspaceId>> dropped_keyspaces(::rocksdb::DB &db, const Families &families);
/// Whether a row of the metadata family is one of the two kinds above.
[[nodiscard]] bool is_metadata_row(Bytes key, Bytes value);

} // namespace basalt::storage

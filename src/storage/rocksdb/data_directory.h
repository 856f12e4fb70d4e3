// The data directory before RocksDB sees it: who owns it, and which format it has. The file BASALT holds the line
// "basalt format N"; BASALT.lock carries the lock.
#pragma once

#include "basalt/result.h"
#include "storage/rocksdb/synced_logs.h"

#include <cstddef>
#include <filesystem>

namespace rocksdb {
class FileSystem;
} // namespace rocksdb

namespace basalt::storage {

/// Owns the directory while it lives; no other DataDirectory of any process can.
class DataDirectory {
public:
    /// Creates the directory if it is absent, marks it if it is empty. Errors as open_rocksdb(); a directory that is
    /// refused is left untouched.
    [[nodiscard]] static Result<DataDirectory> claim(const std::filesystem::path &path);

    /// Takes the lock, if the directory has the file for it, and writes nothing. Errors: io_error (no such directory),
    /// locked, unsupported_format (also for a directory without the file BASALT).
    [[nodiscard]] static Result<DataDirectory> claim_to_read(const std::filesystem::path &path);

    DataDirectory(DataDirectory &&other) noexcept;
    DataDirectory &operator=(DataDirectory &&) = delete;
    ~DataDirectory();

    /// Makes durable what an earlier process wrote to its logs without syncing, names included: it is about to be shown
    /// to clients. How long the logs are.
    [[nodiscard]] Result<SyncedLogs> sync_logs(::rocksdb::FileSystem &files) const;
    /// Writes that down, once RocksDB has accepted the directory.
    [[nodiscard]] Result<void> note_synced_logs(const SyncedLogs &logs) const;

private:
    DataDirectory(std::filesystem::path path, int lock_descriptor);

    std::filesystem::path path_;
    int lock_descriptor_;
};

} // namespace basalt::storage

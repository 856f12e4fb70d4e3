// The RocksDB backend of the storage contract. No RocksDB header is included here.
#pragma once

#include "storage/store.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>

namespace rocksdb {
class FileSystem;
} // namespace rocksdb

namespace basalt::storage {

/// What has to happen to the log before a ticket counts as durable.
enum class LogSync : std::uint8_t {
    sync,  // fsync: survives a power cut
    async, // write to the kernel: survives kill -9
};

/// What to think of the logs found at opening.
enum class RecoveredLogs : std::uint8_t {
    trusted, // synced once more, then served
    /// A sync of them failed: the kernel may hold pages that never reached the disk and count them as clean, so that
    /// another sync says nothing. What is recovered from them is written to tables before the store is served.
    doubted,
};

struct RocksdbOptions {
    /// Created if absent. Ignored when in_memory.
    std::filesystem::path data_dir;
    /// Nothing is written to disk and every ticket is 0.
    bool in_memory = false;
    LogSync log_sync = LogSync::sync;
    RecoveredLogs logs = RecoveredLogs::trusted;
    /// Block cache and memtables together stay near this.
    std::size_t memory_budget_bytes = std::size_t{128} << 20;
    /// Row locks; a power of two. Two rows that share one merely wait for each other.
    std::size_t lock_stripes = 4096;
    /// How long a mutation with Wait::allowed waits for each stripe before it fails with lock_timeout.
    std::chrono::milliseconds lock_patience{1000};
    /// How long a mutation with Wait::allowed waits while writes are stalled before it fails with throttling.
    std::chrono::milliseconds patience{10'000};
    /// Writes are refused while the file system has less free space than this; 0: never.
    std::uint64_t free_space_floor_bytes = std::uint64_t{64} << 20;
    /// For tests: all file access of RocksDB goes through this.
    std::shared_ptr<::rocksdb::FileSystem> file_system = nullptr;
    /// For tests: memtables and SST files of this size, so that a few rows make several files; 0: from the budget.
    std::size_t memtable_bytes = 0;
};

/// Opens the store of a directory, creating it if the directory is absent or empty.
///
/// Errors, each one sentence for a person that names the path, the data left as it was: locked (somebody has it open,
/// perhaps this process), unsupported_format (a directory that is not Basalt's, or of another format version),
/// corruption, io_error, invalid_options.
///
/// Beyond the contract of Store:
/// - With Wait::never a scan gives would_block also once it has grown long (see kInlineScanRows and kInlineScanBytes),
///   or at once when rows_hint says that it will.
/// - After the first failed read of a body the whole call fails with that error, whatever the body returns.
/// - Wait::allowed: lock_timeout after `lock_patience`, throttling after `patience`.
/// - A failed write or fsync of the log fails the store for good: every waiter, every later write and every read that
///   saw a value not yet durable gets internal_server_error. Close it and open it again to go on with what is durable.
///   The same after a flush or a manifest failed for another reason than a full disk, except that waiters may still be
///   told success. failed() is true then, on a full disk only when there is room to open the store again.
/// - After a flush or a compaction failed for lack of space, writes fail with internal_server_error until RocksDB has
///   gone on by itself, which it tries every five seconds.
/// - Below the free space floor mutations that wrote something fail with internal_server_error and change nothing.
[[nodiscard]] Result<std::unique_ptr<Store>> open_rocksdb(RocksdbOptions options);

/// The longest scan that runs under Wait::never.
inline constexpr std::uint32_t kInlineScanRows = 256;
inline constexpr std::size_t kInlineScanBytes = std::size_t{256} << 10;

} // namespace basalt::storage

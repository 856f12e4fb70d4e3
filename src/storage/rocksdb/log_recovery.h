// What a power cut may have done to the ends of the logs, and undoing it before RocksDB opens them. RocksDB accepts a
// log that was cut in the middle of a record, and refuses everything else; so what a power cut leaves besides is cut
// off here:
//
// - bytes that are no record at the end of the newest log: blocks that were written in part, or not at all;
// - everything behind a hole: the end of one log is lost, and the next one goes on behind what is missing.
//
// Neither can have been acknowledged. Logs are synced in order and whole, so that what was synced has no hole before it
// and no rubbish in it. Where later commits follow in the same log, or where the MANIFEST says that more of a log was
// synced than would be left, it is damage, and the logs are left as they are. That is refused here and not left to
// RocksDB, which takes some damage for the end of a log: bytes that look like a record of a log that was recycled, or
// like one of no bytes and no type.
#pragma once

#include "basalt/result.h"
#include "storage/rocksdb/log_scan.h"
#include "storage/rocksdb/synced_logs.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

namespace rocksdb {
class FileSystem;
} // namespace rocksdb

namespace basalt::storage {

/// How many bytes of a log count, by its number; only for logs that hold more.
using LogCuts = std::map<std::uint64_t, std::uint64_t>;

struct LogPlan {
    LogCuts cuts;
    /// No cuts then.
    bool is_damaged = false;
    /// The log that certainly is.
    std::optional<std::uint64_t> damaged_log = std::nullopt;
};

/// logs: all of the directory. synced: what is known to be durable of some; it is not cut. oldest_log: logs of smaller
/// numbers are not needed any more.
[[nodiscard]] LogPlan plan_log_cuts(const std::map<std::uint64_t, LogScan> &logs, const SyncedLogs &synced,
                                    std::uint64_t oldest_log);

/// Cuts the logs of a directory that nobody has open, and makes it durable; each cut is told in the log. Errors, with
/// nothing changed: io_error; corruption, if a log is damaged or shorter than it was when the directory was last
/// opened.
[[nodiscard]] Result<void> settle_logs(::rocksdb::FileSystem &files, const std::filesystem::path &directory,
                                       std::size_t memory_budget_bytes);

} // namespace basalt::storage

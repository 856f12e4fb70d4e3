// What a power cut may have done to the ends of the logs, and undoing it before RocksDB opens them. RocksDB accepts a
// log that was cut in the middle of a record, and refuses everything else; so what a power cut leaves besides is cut
// off here:
//
// - bytes that are no record at the end of the newest log: blocks that were written in part, or not at all;
// - everything behind a hole: the end of one log is lost, and the next one goes on behind what is missing.
//
// Neither can have been acknowledged. Logs are synced in order and whole, so that what was synced has no hole before it
// and no rubbish in it. Where sound records follow in the same log, or where the MANIFEST says that more of a log was
// synced than there is, the logs are left as they are, and RocksDB refuses them.
#pragma once

#include "basalt/result.h"
#include "storage/rocksdb/log_scan.h"
#include "storage/rocksdb/synced_logs.h"

#include <cstdint>
#include <filesystem>
#include <map>

namespace rocksdb {
class FileSystem;
} // namespace rocksdb

namespace basalt::storage {

/// How many bytes of a log count, by its number; only for logs that hold more.
using LogCuts = std::map<std::uint64_t, std::uint64_t>;

struct LogPlan {
    LogCuts cuts;
    /// There is a hole: the logs say something only together with what the MANIFEST says of them.
    bool has_hole = false;
    /// Damage that is left for RocksDB to refuse; no cuts then.
    bool is_damaged = false;
};

/// logs: all of the directory. synced: what is known to be durable of some; it is not cut. oldest_log: logs of smaller
/// numbers are not needed any more.
[[nodiscard]] LogPlan plan_log_cuts(const std::map<std::uint64_t, LogScan> &logs, const SyncedLogs &synced,
                                    std::uint64_t oldest_log);

/// Cuts the logs of a directory that nobody has open, and makes it durable; each cut is told in the log. Errors:
/// io_error; corruption, if a log is shorter than it was when the directory was last opened.
[[nodiscard]] Result<void> settle_logs(::rocksdb::FileSystem &files, const std::filesystem::path &directory,
                                       std::size_t memory_budget_bytes);

} // namespace basalt::storage

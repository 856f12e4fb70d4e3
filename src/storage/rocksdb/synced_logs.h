// The file BASALT.logs: how much of each log was durable when the directory was last opened, a line "NUMBER BYTES"
// each. RocksDB notes that of logs it has closed itself, but not of those that it found when it was opened. Without it
// a log that is cut later would look like one whose end a power cut took.
#pragma once

#include "basalt/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace basalt::storage {

inline constexpr std::string_view kSyncedLogsFile = "BASALT.logs";
inline constexpr std::string_view kNewSyncedLogsFile = "BASALT.logs.new";

/// Bytes by the log's number.
using SyncedLogs = std::map<std::uint64_t, std::uint64_t>;

[[nodiscard]] std::string format_synced_logs(const SyncedLogs &logs);
/// Empty if there is no such file. Errors: io_error, corruption.
[[nodiscard]] Result<SyncedLogs> read_synced_logs(const std::filesystem::path &directory);
/// Error: corruption, if one of the logs is there and shorter than it was.
[[nodiscard]] Result<void> check_synced_logs(const std::filesystem::path &directory, const SyncedLogs &logs);

} // namespace basalt::storage

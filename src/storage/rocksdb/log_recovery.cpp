#include "storage/rocksdb/log_recovery.h"

#include "base/log.h"
#include "storage/rocksdb/directory_files.h"
#include "storage/rocksdb/reading_store.h"

#include <rocksdb/db.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace basalt::storage {
namespace {

/// Drops what is in the logs from that one on.
void cut_from(std::map<std::uint64_t, LogScan>::const_iterator log, const std::map<std::uint64_t, LogScan> &logs,
              LogCuts &cuts)
{
    for (; log != logs.end(); ++log) {
        if (log->second.size != 0) {
            cuts[log->first] = 0;
        }
    }
}

::rocksdb::IOStatus cut(::rocksdb::FileSystem &files, const std::string &name, std::uint64_t bytes)
{
    const ::rocksdb::IOOptions options;
    std::unique_ptr<::rocksdb::FSWritableFile> file;
    ::rocksdb::IOStatus status = files.ReopenWritableFile(name, ::rocksdb::FileOptions(), &file, nullptr);
    if (status.ok()) {
        status = file->Truncate(bytes, options, nullptr);
    }
    if (status.ok()) {
        status = file->Fsync(options, nullptr);
    }
    if (status.ok()) {
        status = file->Close(options, nullptr);
    }
    return status;
}

Unexpected damaged(const std::filesystem::path &directory, const std::string &what)
{
    return fail(ErrorCode::corruption,
                "The data in '" + directory.string() + "' is damaged and has been left as it is: " + what + ".");
}

LogPlan damaged_plan(std::optional<std::uint64_t> log)
{
    return {{}, true, log};
}

/// The plan with what the MANIFEST says. Errors: corruption, if it says that the cuts would lose what was synced.
Result<LogPlan> plan_with_manifest(const std::map<std::uint64_t, LogScan> &logs, const SyncedLogs &synced,
                                   const std::filesystem::path &directory, std::size_t memory_budget_bytes)
{
    std::uint64_t oldest_log = 0;
    {
        const auto tables = ReadingStore::open(directory, ShownLogs::none(), memory_budget_bytes);
        if (!tables) {
            return LogPlan(); // RocksDB says it again
        }
        (*tables)->db().GetIntProperty(::rocksdb::DB::Properties::kMinLogNumberToKeep, &oldest_log);
    }
    LogPlan plan = plan_log_cuts(logs, synced, oldest_log);
    if (plan.damaged_log) {
        const LogScan &log = logs.at(*plan.damaged_log);
        return damaged(directory, "the log " + log_name(*plan.damaged_log) + " is no log behind byte " +
                                      std::to_string(log.sound_bytes) + " of " + std::to_string(log.size) +
                                      ", and not because of a power cut");
    }
    if (plan.cuts.empty()) {
        return plan;
    }
    // RocksDB compares the sizes with what it has noted as synced.
    const auto all = ReadingStore::open(directory, ShownLogs::within(plan.cuts), memory_budget_bytes);
    if (!all && all.error().code != ErrorCode::corruption) {
        return fail(all.error());
    }
    return all ? Result<LogPlan>(std::move(plan)) : damaged(directory, all.error().message);
}

} // namespace

LogPlan plan_log_cuts(const std::map<std::uint64_t, LogScan> &logs, const SyncedLogs &synced, std::uint64_t oldest_log)
{
    LogPlan plan;
    const LogScan *before = nullptr; // the last log with commits
    std::optional<std::uint64_t> garbled;
    for (auto log = logs.lower_bound(oldest_log); log != logs.end(); ++log) {
        const auto &[number, scan] = *log;
        if (scan.end == LogEnd::damaged) {
            return damaged_plan(number);
        }
        if (scan.payloads != 0 && before != nullptr) {
            const bool is_hole = scan.first > before->next;
            if (is_hole) {
                cut_from(log, logs, plan.cuts);
                break;
            }
            if (garbled || scan.first < before->next) {
                return damaged_plan(garbled);
            }
        }
        if (scan.end == LogEnd::garbled) {
            garbled = number;
        }
        if (scan.payloads != 0) {
            before = &scan;
        }
    }
    if (garbled) {
        plan.cuts[*garbled] = logs.at(*garbled).sound_bytes;
    }
    for (const auto &[number, bytes] : plan.cuts) {
        if (const auto safe = synced.find(number); safe != synced.end() && bytes < safe->second) {
            return damaged_plan(number);
        }
    }
    return plan;
}

Result<void> settle_logs(::rocksdb::FileSystem &files, const std::filesystem::path &directory,
                         std::size_t memory_budget_bytes)
{
    const Result<SyncedLogs> synced = read_synced_logs(directory);
    if (!synced) {
        return fail(synced.error());
    }
    if (Result<void> whole = check_synced_logs(directory, *synced); !whole) {
        return whole;
    }
    const Result<std::map<std::uint64_t, LogScan>> scanned = scan_logs(directory);
    if (!scanned) {
        return fail(scanned.error());
    }
    const auto &logs = *scanned;
    Result<LogPlan> plan = plan_log_cuts(logs, *synced, 0);
    if (plan->is_damaged || !plan->cuts.empty()) {
        plan = plan_with_manifest(logs, *synced, directory, memory_budget_bytes);
    }
    if (!plan) {
        return fail(std::move(plan).error());
    }
    // The newest first: interrupted, the rest is a plan like this one.
    for (auto step = plan->cuts.rbegin(); step != plan->cuts.rend(); ++step) {
        const std::string name = (directory / log_name(step->first)).string();
        spdlog::warn("'{}' holds {} bytes that a power cut left behind a hole or garbled, none of them acknowledged: "
                     "they are cut off",
                     name, logs.at(step->first).size - step->second);
        if (const ::rocksdb::IOStatus status = cut(files, name, step->second); !status.ok()) {
            return fail(ErrorCode::io_error, "Cannot cut '" + name + "': " + status.ToString() + ".");
        }
    }
    return {};
}

} // namespace basalt::storage

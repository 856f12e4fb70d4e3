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

/// The plan with what the MANIFEST says. Without cuts where it says that they would lose what was synced, or says
/// nothing.
LogPlan plan_with_manifest(const std::map<std::uint64_t, LogScan> &logs, const SyncedLogs &synced,
                           const std::filesystem::path &directory, std::size_t memory_budget_bytes)
{
    const auto tables = ReadingStore::open(directory, ShownLogs::none(), memory_budget_bytes);
    if (!tables) {
        return {};
    }
    std::uint64_t oldest_log = 0;
    (*tables)->db().GetIntProperty(::rocksdb::DB::Properties::kMinLogNumberToKeep, &oldest_log);
    LogPlan plan = plan_log_cuts(logs, synced, oldest_log);
    if (plan.cuts.empty()) {
        return plan;
    }
    // RocksDB compares the logs' sizes, which are shown as they are, with what it has noted as synced.
    const auto all = ReadingStore::open(directory, ShownLogs::within(plan.cuts), memory_budget_bytes);
    return all ? plan : LogPlan{};
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
            return {{}, plan.has_hole, true};
        }
        if (scan.payloads != 0 && before != nullptr) {
            const bool is_hole = scan.first > before->next;
            if (is_hole) {
                plan.has_hole = true;
                cut_from(log, logs, plan.cuts);
                break;
            }
            if (garbled || scan.first < before->next) {
                return {{}, plan.has_hole, true};
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
    const bool cuts_synced = std::any_of(plan.cuts.begin(), plan.cuts.end(), [&](const auto &cut) {
        const auto safe = synced.find(cut.first);
        return safe != synced.end() && cut.second < safe->second;
    });
    return cuts_synced ? LogPlan{{}, plan.has_hole, true} : plan;
}

Result<void> settle_logs(::rocksdb::FileSystem &files, const std::filesystem::path &directory,
                         std::size_t memory_budget_bytes)
{
    const Result<DirectoryFiles> listed = list_files(directory);
    if (!listed) {
        return fail(listed.error());
    }
    const Result<SyncedLogs> synced = read_synced_logs(directory);
    if (!synced) {
        return fail(synced.error());
    }
    if (Result<void> whole = check_synced_logs(directory, *synced); !whole) {
        return whole;
    }
    std::map<std::uint64_t, LogScan> logs;
    for (const auto &[number, bytes] : listed->logs) {
        const Result<LogScan> scan = scan_log(directory / log_name(number));
        if (!scan) {
            return fail(scan.error());
        }
        logs[number] = *scan;
    }
    LogPlan plan = plan_log_cuts(logs, *synced, 0);
    if (plan.has_hole || plan.is_damaged) {
        plan = plan_with_manifest(logs, *synced, directory, memory_budget_bytes);
    }
    // The newest first: interrupted, the rest is a plan like this one.
    for (auto step = plan.cuts.rbegin(); step != plan.cuts.rend(); ++step) {
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

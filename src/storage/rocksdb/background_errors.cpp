// Reporting background errors.
#include "storage/rocksdb/background_errors.h"

#include "base/log.h"
#include "base/metrics.h"

namespace basalt::storage {
namespace {

/// A kind of work of RocksDB's, and how often it failed.
struct Work {
    const char *name;
    Counter failures;

    Work(const char *words, const char *label)
        : name(words),
          failures("basalt_background_errors_total", "Errors of RocksDB outside of any request.", {{"during", label}})
    {}
};

Work flushing("flushing a memtable", "flush");
Work compacting("compacting", "compaction");
Work logging("writing the log", "log");
Work filling("filling a memtable", "memtable");
Work listing("writing the manifest", "manifest");
Work other("working in the background", "other");

Counter recoveries("basalt_background_recoveries_total", "How often RocksDB went on by itself after such an error.");

constexpr const char *kStoreFailures = "basalt_store_failures_total";
constexpr const char *kStoreFailuresHelp = "How often the store refused all further writes until it is opened again.";
Counter write_failures(kStoreFailures, kStoreFailuresHelp, {{"cause", "log_write"}});
Counter sync_failures(kStoreFailures, kStoreFailuresHelp, {{"cause", "log_sync"}});
Counter background_failures(kStoreFailures, kStoreFailuresHelp, {{"cause", "background"}});

Work &work_of(::rocksdb::BackgroundErrorReason reason)
{
    switch (reason) {
    case ::rocksdb::BackgroundErrorReason::kFlush:
    case ::rocksdb::BackgroundErrorReason::kFlushNoWAL:
        return flushing;
    case ::rocksdb::BackgroundErrorReason::kCompaction:
        return compacting;
    case ::rocksdb::BackgroundErrorReason::kWriteCallback:
        return logging;
    case ::rocksdb::BackgroundErrorReason::kMemTable:
        return filling;
    case ::rocksdb::BackgroundErrorReason::kManifestWrite:
    case ::rocksdb::BackgroundErrorReason::kManifestWriteNoWAL:
        return listing;
    }
    return other;
}

} // namespace

void BackgroundErrors::OnBackgroundError(::rocksdb::BackgroundErrorReason reason, ::rocksdb::Status *error)
{
    if (reason == ::rocksdb::BackgroundErrorReason::kWriteCallback ||
        reason == ::rocksdb::BackgroundErrorReason::kMemTable) {
        if (!log_was_hit_.exchange(true)) {
            write_failures.add(); // a new log that could not be created
        }
    }
    if (error->IsNoSpace()) {
        out_of_space_.store(true, std::memory_order_relaxed);
    }
    Work &work = work_of(reason);
    work.failures.add();
    const bool fatal = error->severity() >= ::rocksdb::Status::Severity::kFatalError;
    if (fatal && !fatal_.exchange(true) && !log_was_hit()) {
        background_failures.add();
    }
    spdlog::log(fatal ? spdlog::level::critical : spdlog::level::err, "RocksDB failed {}: {}", work.name,
                error->ToString());
}

void BackgroundErrors::OnErrorRecoveryBegin(::rocksdb::BackgroundErrorReason /*reason*/, ::rocksdb::Status /*error*/,
                                            bool *auto_recovery)
{
    // It would write to the same log again.
    *auto_recovery = *auto_recovery && !log_was_hit();
}

void BackgroundErrors::OnErrorRecoveryCompleted(::rocksdb::Status old_error)
{
    out_of_space_.store(false, std::memory_order_relaxed);
    recoveries.add();
    spdlog::warn("RocksDB has recovered from: {}", old_error.ToString());
}

void BackgroundErrors::log_failed(LogFault fault, const std::string &file, const std::string &why)
{
    if (!log_was_hit_.exchange(true)) {
        (fault == LogFault::sync ? sync_failures : write_failures).add();
    }
    spdlog::critical("{} '{}' failed: {}", fault == LogFault::sync ? "syncing" : "writing to", file, why);
}

} // namespace basalt::storage

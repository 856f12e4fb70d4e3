// Reporting background errors.
#include "storage/rocksdb/background_errors.h"

#include "base/log.h"

namespace basalt::storage {
namespace {

const char *name_of(::rocksdb::BackgroundErrorReason reason)
{
    switch (reason) {
    case ::rocksdb::BackgroundErrorReason::kFlush:
    case ::rocksdb::BackgroundErrorReason::kFlushNoWAL:
        return "flushing a memtable";
    case ::rocksdb::BackgroundErrorReason::kCompaction:
        return "compacting";
    case ::rocksdb::BackgroundErrorReason::kWriteCallback:
        return "writing the log";
    case ::rocksdb::BackgroundErrorReason::kMemTable:
        return "filling a memtable";
    case ::rocksdb::BackgroundErrorReason::kManifestWrite:
    case ::rocksdb::BackgroundErrorReason::kManifestWriteNoWAL:
        return "writing the manifest";
    }
    return "working in the background";
}

} // namespace

void BackgroundErrors::OnBackgroundError(::rocksdb::BackgroundErrorReason reason, ::rocksdb::Status *error)
{
    if (reason == ::rocksdb::BackgroundErrorReason::kWriteCallback ||
        reason == ::rocksdb::BackgroundErrorReason::kMemTable) {
        log_was_hit_.store(true, std::memory_order_release);
    }
    spdlog::error("RocksDB failed {}: {}", name_of(reason), error->ToString());
}

void BackgroundErrors::OnErrorRecoveryCompleted(::rocksdb::Status old_error)
{
    spdlog::warn("RocksDB has recovered from: {}", old_error.ToString());
}

} // namespace basalt::storage

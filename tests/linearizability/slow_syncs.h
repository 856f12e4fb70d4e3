// A file system for RocksDB on which syncing a log takes a given time, and which may tell how far each log is synced.
#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>

namespace basalt::linearizability {

class SlowSyncs final : public ::rocksdb::FileSystemWrapper {
public:
    /// Gives the place for the number of synced bytes of a new log, by its path; it must outlive the log.
    using SyncedBytes = std::function<std::atomic<std::uint64_t> *(const std::string &path)>;

    explicit SlowSyncs(std::chrono::microseconds each, SyncedBytes synced_bytes = {});
    [[nodiscard]] const char *Name() const override { return "SlowSyncs"; }
    /// How many there have been.
    [[nodiscard]] std::uint64_t log_syncs() const { return log_syncs_.load(); }

    ::rocksdb::IOStatus NewWritableFile(const std::string &name, const ::rocksdb::FileOptions &options,
                                        std::unique_ptr<::rocksdb::FSWritableFile> *file,
                                        ::rocksdb::IODebugContext *debug) override;

private:
    friend class SlowLog;

    std::atomic<std::uint64_t> log_syncs_{0};
    const std::chrono::microseconds each_;
    const SyncedBytes synced_bytes_;
};

} // namespace basalt::linearizability

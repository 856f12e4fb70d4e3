// A file system for RocksDB on which syncing a log takes a given time, and which counts these syncs.
#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

namespace basalt::linearizability {

class SlowSyncs final : public ::rocksdb::FileSystemWrapper {
public:
    explicit SlowSyncs(std::chrono::microseconds each,
                       std::shared_ptr<::rocksdb::FileSystem> files = ::rocksdb::FileSystem::Default());
    [[nodiscard]] const char *Name() const override { return "SlowSyncs"; }
    /// How many there have been.
    [[nodiscard]] std::uint64_t log_syncs() const { return log_syncs_.load(); }

    ::rocksdb::IOStatus NewWritableFile(const std::string &name, const ::rocksdb::FileOptions &options,
                                        std::unique_ptr<::rocksdb::FSWritableFile> *file,
                                        ::rocksdb::IODebugContext *debug) override;

private:
    friend class SlowLog;
    void before_sync();

    std::atomic<std::uint64_t> log_syncs_{0};
    const std::chrono::microseconds each_;
};

} // namespace basalt::linearizability

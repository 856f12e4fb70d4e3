// A file system for RocksDB whose logs can be made slow, broken or forgetful by a test.
#pragma once

#include <rocksdb/file_system.h>

#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

namespace basalt::storage {

/// Thread-safe. "Log" is any file that ends in .log, "table" any that ends in .sst.
class FaultFiles final : public ::rocksdb::FileSystemWrapper {
public:
    FaultFiles();
    [[nodiscard]] const char *Name() const override { return "FaultFiles"; }

    /// From now on syncs of logs wait, until let_syncs_go().
    void hold_syncs();
    void let_syncs_go();
    /// Returns when a sync is waiting.
    void wait_for_held_sync();
    /// From now on new tables cannot be begun, which holds up flushes, until let_tables_go().
    void hold_tables();
    void let_tables_go();
    void fail_syncs();
    void fail_log_writes();
    void set_free_bytes(std::uint64_t bytes);

    [[nodiscard]] int log_syncs() const;
    /// Returns when there have been that many syncs of logs.
    void wait_for_log_syncs(int count);
    /// Cuts each log back to what was synced of it. Call it with the store destroyed.
    void lose_what_was_not_synced();

    ::rocksdb::IOStatus NewWritableFile(const std::string &name, const ::rocksdb::FileOptions &options,
                                        std::unique_ptr<::rocksdb::FSWritableFile> *file,
                                        ::rocksdb::IODebugContext *debug) override;
    ::rocksdb::IOStatus GetFreeSpace(const std::string &path, const ::rocksdb::IOOptions &options,
                                     std::uint64_t *free_bytes, ::rocksdb::IODebugContext *debug) override;

private:
    friend class FaultLog;
    [[nodiscard]] ::rocksdb::IOStatus before_log_write() const;
    [[nodiscard]] ::rocksdb::IOStatus before_log_sync();
    void log_synced(const std::string &name, std::uint64_t size);

    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    bool hold_syncs_ = false;
    bool hold_tables_ = false;
    bool fail_syncs_ = false;
    bool fail_log_writes_ = false;
    int held_syncs_ = 0;
    int log_syncs_ = 0;
    std::optional<std::uint64_t> free_bytes_;
    std::map<std::string, std::uint64_t> synced_bytes_;
};

} // namespace basalt::storage

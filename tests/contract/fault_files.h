// A file system for RocksDB whose files can be made slow, broken, short of space or forgetful by a test.
#pragma once

#include <rocksdb/file_system.h>

#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

namespace basalt::storage {

/// "Log" is any file that ends in .log, "table" any that ends in .sst.
enum class Fault : std::uint8_t {
    log_sync,
    log_write,
    torn_log_write, // half of the bytes are written before it fails
    table_write,
    table_space, // ENOSPC for tables
    table_read,
    manifest_write, // torn
    directory_sync,
};

/// Thread-safe.
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

    /// From now on this fails, with EIO as the kernel would give it.
    void fail(Fault fault);
    void fail_syncs() { fail(Fault::log_sync); }
    void fail_log_writes() { fail(Fault::log_write); }
    /// Returns when this has failed at least once since it was to fail.
    void wait_until_struck(Fault fault);
    /// What was to fail works again.
    void repair();

    /// What GetFreeSpace says.
    void set_free_bytes(std::uint64_t bytes);
    /// The files written from the start hold no more than this together: a write that goes beyond writes what fits and
    /// fails with ENOSPC. Also decides what GetFreeSpace says.
    void set_disk_bytes(std::uint64_t bytes);
    [[nodiscard]] std::uint64_t used_bytes() const;

    [[nodiscard]] int log_syncs() const;
    /// Returns when there have been that many syncs of logs.
    void wait_for_log_syncs(int count);
    /// Cuts each log back to what was synced of it. Call it with the store destroyed.
    void lose_what_was_not_synced();

    ::rocksdb::IOStatus NewWritableFile(const std::string &name, const ::rocksdb::FileOptions &options,
                                        std::unique_ptr<::rocksdb::FSWritableFile> *file,
                                        ::rocksdb::IODebugContext *debug) override;
    ::rocksdb::IOStatus NewRandomAccessFile(const std::string &name, const ::rocksdb::FileOptions &options,
                                            std::unique_ptr<::rocksdb::FSRandomAccessFile> *file,
                                            ::rocksdb::IODebugContext *debug) override;
    ::rocksdb::IOStatus NewDirectory(const std::string &name, const ::rocksdb::IOOptions &options,
                                     std::unique_ptr<::rocksdb::FSDirectory> *directory,
                                     ::rocksdb::IODebugContext *debug) override;
    ::rocksdb::IOStatus DeleteFile(const std::string &name, const ::rocksdb::IOOptions &options,
                                   ::rocksdb::IODebugContext *debug) override;
    ::rocksdb::IOStatus RenameFile(const std::string &from, const std::string &to, const ::rocksdb::IOOptions &options,
                                   ::rocksdb::IODebugContext *debug) override;
    ::rocksdb::IOStatus GetFreeSpace(const std::string &path, const ::rocksdb::IOOptions &options,
                                     std::uint64_t *free_bytes, ::rocksdb::IODebugContext *debug) override;

private:
    friend class FaultFile;
    friend class FaultLog;
    friend class FaultTable;
    friend class FaultDirectory;

    [[nodiscard]] bool fails(Fault fault);
    [[nodiscard]] bool strikes(Fault fault); // under the lock
    /// How many of the bytes may be written, and what the write comes to.
    [[nodiscard]] std::pair<std::size_t, ::rocksdb::IOStatus> admit(const std::string &name, std::size_t bytes);
    [[nodiscard]] ::rocksdb::IOStatus before_log_sync();
    void log_synced(const std::string &name, std::uint64_t size);

    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::map<Fault, int> faults_; // how often each has struck
    bool hold_syncs_ = false;
    bool hold_tables_ = false;
    int held_syncs_ = 0;
    int log_syncs_ = 0;
    std::optional<std::uint64_t> free_bytes_;
    std::optional<std::uint64_t> disk_bytes_;
    std::uint64_t used_bytes_ = 0;
    std::map<std::string, std::uint64_t> sizes_;
    std::map<std::string, std::uint64_t> synced_bytes_;
};

} // namespace basalt::storage

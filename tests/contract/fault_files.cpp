// The faulty file system.
#include "contract/fault_files.h"

#include <rocksdb/env.h>

namespace basalt::storage {

using ::rocksdb::IODebugContext;
using ::rocksdb::IOOptions;
using ::rocksdb::IOStatus;
using ::rocksdb::Slice;

class FaultLog final : public ::rocksdb::FSWritableFileOwnerWrapper {
public:
    FaultLog(FaultFiles &files, std::string name, std::unique_ptr<::rocksdb::FSWritableFile> file)
        : FSWritableFileOwnerWrapper(std::move(file)),
          files_(files),
          name_(std::move(name))
    {}

    IOStatus Append(const Slice &data, const IOOptions &options, IODebugContext *debug) override
    {
        const IOStatus status = files_.before_log_write();
        return count(data, status.ok() ? FSWritableFileOwnerWrapper::Append(data, options, debug) : status);
    }
    IOStatus Append(const Slice &data, const IOOptions &options, const ::rocksdb::DataVerificationInfo &verification,
                    IODebugContext *debug) override
    {
        const IOStatus status = files_.before_log_write();
        return count(data,
                     status.ok() ? FSWritableFileOwnerWrapper::Append(data, options, verification, debug) : status);
    }
    IOStatus Sync(const IOOptions &options, IODebugContext *debug) override { return sync(options, debug); }
    IOStatus Fsync(const IOOptions &options, IODebugContext *debug) override { return sync(options, debug); }

private:
    IOStatus count(const Slice &data, IOStatus status)
    {
        if (status.ok()) {
            size_ += data.size();
        }
        return status;
    }
    IOStatus sync(const IOOptions &options, IODebugContext *debug)
    {
        const std::uint64_t covered = size_;
        if (IOStatus status = files_.before_log_sync(); !status.ok()) {
            return status;
        }
        IOStatus status = FSWritableFileOwnerWrapper::Sync(options, debug);
        if (status.ok()) {
            files_.log_synced(name_, covered);
        }
        return status;
    }

    FaultFiles &files_;
    const std::string name_;
    std::atomic<std::uint64_t> size_{0};
};

FaultFiles::FaultFiles()
    : FileSystemWrapper(::rocksdb::FileSystem::Default())
{}

void FaultFiles::hold_syncs()
{
    const std::lock_guard lock(mutex_);
    hold_syncs_ = true;
}

void FaultFiles::let_syncs_go()
{
    const std::lock_guard lock(mutex_);
    hold_syncs_ = false;
    changed_.notify_all();
}

void FaultFiles::wait_for_held_sync()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return held_syncs_ > 0; });
}

void FaultFiles::hold_tables()
{
    const std::lock_guard lock(mutex_);
    hold_tables_ = true;
}

void FaultFiles::let_tables_go()
{
    const std::lock_guard lock(mutex_);
    hold_tables_ = false;
    changed_.notify_all();
}

void FaultFiles::fail_syncs()
{
    const std::lock_guard lock(mutex_);
    fail_syncs_ = true;
}

void FaultFiles::fail_log_writes()
{
    const std::lock_guard lock(mutex_);
    fail_log_writes_ = true;
}

void FaultFiles::set_free_bytes(std::uint64_t bytes)
{
    const std::lock_guard lock(mutex_);
    free_bytes_ = bytes;
}

int FaultFiles::log_syncs() const
{
    const std::lock_guard lock(mutex_);
    return log_syncs_;
}

void FaultFiles::wait_for_log_syncs(int count)
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return log_syncs_ >= count; });
}

void FaultFiles::lose_what_was_not_synced()
{
    const std::lock_guard lock(mutex_);
    for (const auto &[name, bytes] : synced_bytes_) {
        std::error_code gone;
        if (std::filesystem::file_size(name, gone) > bytes && !gone) {
            std::filesystem::resize_file(name, bytes);
        }
    }
}

IOStatus FaultFiles::NewWritableFile(const std::string &name, const ::rocksdb::FileOptions &options,
                                     std::unique_ptr<::rocksdb::FSWritableFile> *file, IODebugContext *debug)
{
    const bool log = name.ends_with(".log");
    if (name.ends_with(".sst")) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !hold_tables_; });
    }
    IOStatus status = target()->NewWritableFile(name, options, file, debug);
    if (status.ok() && log) {
        *file = std::make_unique<FaultLog>(*this, name, std::move(*file));
        log_synced(name, 0);
    }
    return status;
}

IOStatus FaultFiles::GetFreeSpace(const std::string &path, const IOOptions &options, std::uint64_t *free_bytes,
                                  IODebugContext *debug)
{
    {
        const std::lock_guard lock(mutex_);
        if (free_bytes_) {
            *free_bytes = *free_bytes_;
            return IOStatus::OK();
        }
    }
    return target()->GetFreeSpace(path, options, free_bytes, debug);
}

IOStatus FaultFiles::before_log_write() const
{
    const std::lock_guard lock(mutex_);
    return fail_log_writes_ ? IOStatus::IOError("a log write fails, as the test wants") : IOStatus::OK();
}

IOStatus FaultFiles::before_log_sync()
{
    std::unique_lock lock(mutex_);
    ++held_syncs_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !hold_syncs_; });
    --held_syncs_;
    return fail_syncs_ ? IOStatus::IOError("a log sync fails, as the test wants") : IOStatus::OK();
}

void FaultFiles::log_synced(const std::string &name, std::uint64_t size)
{
    const std::lock_guard lock(mutex_);
    if (synced_bytes_.try_emplace(name, 0).second) {
        return; // a new file
    }
    synced_bytes_[name] = size;
    ++log_syncs_;
    changed_.notify_all();
}

} // namespace basalt::storage

// The faulty file system.
#include "contract/fault_files.h"

#include <rocksdb/env.h>

#include <algorithm>

namespace basalt::storage {

using ::rocksdb::IODebugContext;
using ::rocksdb::IOOptions;
using ::rocksdb::IOStatus;
using ::rocksdb::Slice;

namespace {

IOStatus io_error(const std::string &name)
{
    return IOStatus::IOError(name + ", as the test wants", "Input/output error");
}

IOStatus no_space(const std::string &name)
{
    IOStatus status = IOStatus::NoSpace(name, "No space left on device");
    status.SetRetryable(true); // as the real one
    return status;
}

bool is_log(const std::string &name)
{
    return name.ends_with(".log");
}

bool is_table(const std::string &name)
{
    return name.ends_with(".sst");
}

bool is_manifest(const std::string &name)
{
    return name.find("/MANIFEST-") != std::string::npos;
}

} // namespace

/// Any file that is written.
class FaultFile : public ::rocksdb::FSWritableFileOwnerWrapper {
public:
    FaultFile(FaultFiles &files, std::string name, std::unique_ptr<::rocksdb::FSWritableFile> file)
        : FSWritableFileOwnerWrapper(std::move(file)),
          files_(files),
          name_(std::move(name))
    {}
    IOStatus Append(const Slice &data, const IOOptions &options, IODebugContext *debug) override
    {
        auto [admitted, status] = files_.admit(name_, data.size());
        if (admitted > 0) {
            const IOStatus written = FSWritableFileOwnerWrapper::Append(Slice(data.data(), admitted), options, debug);
            status = written.ok() ? status : written;
        }
        size_ += status.ok() ? data.size() : 0;
        return status;
    }
    IOStatus Append(const Slice &data, const IOOptions &options, const ::rocksdb::DataVerificationInfo & /*checksum*/,
                    IODebugContext *debug) override
    {
        return Append(data, options, debug);
    }

protected:
    FaultFiles &files_;
    const std::string name_;
    std::atomic<std::uint64_t> size_{0};
};

class FaultLog final : public FaultFile {
public:
    using FaultFile::FaultFile;
    IOStatus Sync(const IOOptions &options, IODebugContext *debug) override { return sync(options, debug); }
    IOStatus Fsync(const IOOptions &options, IODebugContext *debug) override { return sync(options, debug); }

private:
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
};

class FaultTable final : public ::rocksdb::FSRandomAccessFileOwnerWrapper {
public:
    FaultTable(FaultFiles &files, std::string name, std::unique_ptr<::rocksdb::FSRandomAccessFile> file)
        : FSRandomAccessFileOwnerWrapper(std::move(file)),
          files_(files),
          name_(std::move(name))
    {}
    IOStatus Read(std::uint64_t offset, std::size_t bytes, const IOOptions &options, Slice *result, char *scratch,
                  IODebugContext *debug) const override
    {
        return files_.fails(Fault::table_read)
                   ? io_error(name_)
                   : FSRandomAccessFileOwnerWrapper::Read(offset, bytes, options, result, scratch, debug);
    }
    IOStatus MultiRead(::rocksdb::FSReadRequest *requests, std::size_t count, const IOOptions &options,
                       IODebugContext *debug) override
    {
        return files_.fails(Fault::table_read)
                   ? io_error(name_)
                   : FSRandomAccessFileOwnerWrapper::MultiRead(requests, count, options, debug);
    }

private:
    FaultFiles &files_;
    const std::string name_;
};

class FaultDirectory final : public ::rocksdb::FSDirectoryWrapper {
public:
    FaultDirectory(FaultFiles &files, std::unique_ptr<::rocksdb::FSDirectory> &&directory)
        : FSDirectoryWrapper(std::move(directory)),
          files_(files)
    {}
    IOStatus Fsync(const IOOptions &options, IODebugContext *debug) override
    {
        return files_.fails(Fault::directory_sync) ? io_error("a directory")
                                                   : FSDirectoryWrapper::Fsync(options, debug);
    }
    IOStatus FsyncWithDirOptions(const IOOptions &options, IODebugContext *debug,
                                 const ::rocksdb::DirFsyncOptions &reason) override
    {
        return files_.fails(Fault::directory_sync) ? io_error("a directory")
                                                   : FSDirectoryWrapper::FsyncWithDirOptions(options, debug, reason);
    }

private:
    FaultFiles &files_;
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

void FaultFiles::fail(Fault fault)
{
    const std::lock_guard lock(mutex_);
    faults_[fault] = 0;
}

void FaultFiles::wait_until_struck(Fault fault)
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return faults_.contains(fault) && faults_[fault] > 0; });
}

void FaultFiles::repair()
{
    const std::lock_guard lock(mutex_);
    faults_.clear();
}

bool FaultFiles::fails(Fault fault)
{
    const std::lock_guard lock(mutex_);
    return strikes(fault);
}

bool FaultFiles::strikes(Fault fault)
{
    const auto found = faults_.find(fault);
    if (found == faults_.end()) {
        return false;
    }
    ++found->second;
    changed_.notify_all();
    return true;
}

void FaultFiles::set_free_bytes(std::uint64_t bytes)
{
    const std::lock_guard lock(mutex_);
    free_bytes_ = bytes;
}

void FaultFiles::set_disk_bytes(std::uint64_t bytes)
{
    const std::lock_guard lock(mutex_);
    disk_bytes_ = bytes;
}

std::uint64_t FaultFiles::used_bytes() const
{
    const std::lock_guard lock(mutex_);
    return used_bytes_;
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
    if (is_table(name)) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !hold_tables_; });
    }
    IOStatus status = target()->NewWritableFile(name, options, file, debug);
    if (!status.ok()) {
        return status;
    }
    if (is_log(name)) {
        *file = std::make_unique<FaultLog>(*this, name, std::move(*file));
        log_synced(name, 0);
    } else {
        *file = std::make_unique<FaultFile>(*this, name, std::move(*file));
    }
    return status;
}

IOStatus FaultFiles::NewRandomAccessFile(const std::string &name, const ::rocksdb::FileOptions &options,
                                         std::unique_ptr<::rocksdb::FSRandomAccessFile> *file, IODebugContext *debug)
{
    IOStatus status = target()->NewRandomAccessFile(name, options, file, debug);
    if (status.ok() && is_table(name)) {
        *file = std::make_unique<FaultTable>(*this, name, std::move(*file));
    }
    return status;
}

IOStatus FaultFiles::NewDirectory(const std::string &name, const IOOptions &options,
                                  std::unique_ptr<::rocksdb::FSDirectory> *directory, IODebugContext *debug)
{
    IOStatus status = target()->NewDirectory(name, options, directory, debug);
    if (status.ok()) {
        *directory = std::make_unique<FaultDirectory>(*this, std::move(*directory));
    }
    return status;
}

IOStatus FaultFiles::DeleteFile(const std::string &name, const IOOptions &options, IODebugContext *debug)
{
    IOStatus status = target()->DeleteFile(name, options, debug);
    const std::lock_guard lock(mutex_);
    if (const auto found = sizes_.find(name); status.ok() && found != sizes_.end()) {
        used_bytes_ -= found->second;
        sizes_.erase(found);
    }
    return status;
}

IOStatus FaultFiles::RenameFile(const std::string &from, const std::string &to, const IOOptions &options,
                                IODebugContext *debug)
{
    IOStatus status = target()->RenameFile(from, to, options, debug);
    const std::lock_guard lock(mutex_);
    if (const auto found = sizes_.find(from); status.ok() && found != sizes_.end()) {
        used_bytes_ -= std::exchange(sizes_[to], found->second);
        sizes_.erase(from);
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
        if (disk_bytes_) {
            *free_bytes = *disk_bytes_ - std::min(used_bytes_, *disk_bytes_);
            return IOStatus::OK();
        }
    }
    return target()->GetFreeSpace(path, options, free_bytes, debug);
}

std::pair<std::size_t, IOStatus> FaultFiles::admit(const std::string &name, std::size_t bytes)
{
    const std::lock_guard lock(mutex_);
    std::size_t admitted = bytes;
    IOStatus status;
    if ((is_log(name) && strikes(Fault::log_write)) || (is_table(name) && strikes(Fault::table_write))) {
        admitted = 0;
        status = io_error(name);
    } else if ((is_log(name) && strikes(Fault::torn_log_write)) ||
               (is_manifest(name) && strikes(Fault::manifest_write))) {
        admitted = bytes / 2;
        status = io_error(name);
    } else if (is_table(name) && strikes(Fault::table_space)) {
        admitted = 0;
        status = no_space(name);
    } else if (disk_bytes_ && used_bytes_ + bytes > *disk_bytes_) {
        admitted = *disk_bytes_ - std::min(used_bytes_, *disk_bytes_);
        status = no_space(name);
    }
    used_bytes_ += admitted;
    sizes_[name] += admitted;
    return {admitted, status};
}

IOStatus FaultFiles::before_log_sync()
{
    std::unique_lock lock(mutex_);
    ++held_syncs_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !hold_syncs_; });
    --held_syncs_;
    return strikes(Fault::log_sync) ? io_error("a log") : IOStatus::OK();
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

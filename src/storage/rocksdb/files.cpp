// The wrappers around the file system, the logs and the directory.
#include "storage/rocksdb/files.h"

#include "storage/rocksdb/background_errors.h"

#include <rocksdb/file_system.h>

#include <string>
#include <utility>

namespace basalt::storage {
namespace {

using ::rocksdb::IODebugContext;
using ::rocksdb::IOOptions;
using ::rocksdb::IOStatus;
using ::rocksdb::Slice;

IOStatus frozen(const std::string &name)
{
    return IOStatus::IOError(name, "nothing is written any more, as the log has failed");
}

/// RocksDB is not told of a failure. It would go on to use the same file from other threads, and a build with
/// assertions, as Debian's is, aborts then. What it believes to be in the log, it can put into no other file.
class WatchedLog final : public ::rocksdb::FSWritableFileOwnerWrapper {
public:
    WatchedLog(std::unique_ptr<::rocksdb::FSWritableFile> file, std::string name,
               std::shared_ptr<BackgroundErrors> errors)
        : FSWritableFileOwnerWrapper(std::move(file)),
          name_(std::move(name)),
          errors_(std::move(errors))
    {}
    IOStatus Append(const Slice &data, const IOOptions &options, IODebugContext *debug) override
    {
        return attempt(LogFault::write, [&] { return FSWritableFileOwnerWrapper::Append(data, options, debug); });
    }
    IOStatus Append(const Slice &data, const IOOptions &options, const ::rocksdb::DataVerificationInfo &verification,
                    IODebugContext *debug) override
    {
        return attempt(LogFault::write,
                       [&] { return FSWritableFileOwnerWrapper::Append(data, options, verification, debug); });
    }
    IOStatus Flush(const IOOptions &options, IODebugContext *debug) override
    {
        return attempt(LogFault::write, [&] { return FSWritableFileOwnerWrapper::Flush(options, debug); });
    }
    IOStatus Sync(const IOOptions &options, IODebugContext *debug) override
    {
        return attempt(LogFault::sync, [&] { return FSWritableFileOwnerWrapper::Sync(options, debug); });
    }
    IOStatus Fsync(const IOOptions &options, IODebugContext *debug) override
    {
        return attempt(LogFault::sync, [&] { return FSWritableFileOwnerWrapper::Fsync(options, debug); });
    }

private:
    template <typename Step>
    IOStatus attempt(LogFault fault, Step step)
    {
        if (!errors_->log_was_hit()) { // behind a gap nothing may follow
            if (const IOStatus status = step(); !status.ok()) {
                errors_->log_failed(fault, name_, status.ToString());
            }
        }
        return IOStatus::OK();
    }

    const std::string name_;
    const std::shared_ptr<BackgroundErrors> errors_;
};

/// A manifest names the tables, and how much of each log is synced.
class FreezableManifest final : public ::rocksdb::FSWritableFileOwnerWrapper {
public:
    FreezableManifest(std::unique_ptr<::rocksdb::FSWritableFile> file, std::string name,
                      std::shared_ptr<BackgroundErrors> errors)
        : FSWritableFileOwnerWrapper(std::move(file)),
          name_(std::move(name)),
          errors_(std::move(errors))
    {}
    IOStatus Append(const Slice &data, const IOOptions &options, IODebugContext *debug) override
    {
        return errors_->log_was_hit() ? frozen(name_) : FSWritableFileOwnerWrapper::Append(data, options, debug);
    }
    IOStatus Append(const Slice &data, const IOOptions &options, const ::rocksdb::DataVerificationInfo &verification,
                    IODebugContext *debug) override
    {
        return errors_->log_was_hit() ? frozen(name_)
                                      : FSWritableFileOwnerWrapper::Append(data, options, verification, debug);
    }

private:
    const std::string name_;
    const std::shared_ptr<BackgroundErrors> errors_;
};

class WatchedDirectory final : public ::rocksdb::FSDirectoryWrapper {
public:
    WatchedDirectory(std::unique_ptr<::rocksdb::FSDirectory> &&directory, std::string name,
                     std::shared_ptr<BackgroundErrors> errors)
        : FSDirectoryWrapper(std::move(directory)),
          name_(std::move(name)),
          errors_(std::move(errors))
    {}
    IOStatus Fsync(const IOOptions &options, IODebugContext *debug) override
    {
        return checked(FSDirectoryWrapper::Fsync(options, debug));
    }
    IOStatus FsyncWithDirOptions(const IOOptions &options, IODebugContext *debug,
                                 const ::rocksdb::DirFsyncOptions &reason) override
    {
        return checked(FSDirectoryWrapper::FsyncWithDirOptions(options, debug, reason));
    }

private:
    IOStatus checked(IOStatus status)
    {
        if (!status.ok()) {
            errors_->log_failed(LogFault::sync, name_, status.ToString());
        }
        return status;
    }

    const std::string name_;
    const std::shared_ptr<BackgroundErrors> errors_;
};

class StoreFiles final : public ::rocksdb::FileSystemWrapper {
public:
    StoreFiles(std::shared_ptr<::rocksdb::FileSystem> file_system, std::shared_ptr<BackgroundErrors> errors)
        : FileSystemWrapper(std::move(file_system)),
          errors_(std::move(errors))
    {}
    [[nodiscard]] const char *Name() const override { return "StoreFiles"; }

    IOStatus NewWritableFile(const std::string &name, const ::rocksdb::FileOptions &options,
                             std::unique_ptr<::rocksdb::FSWritableFile> *file, IODebugContext *debug) override
    {
        if (name.find("/OPTIONS-") != std::string::npos) {
            return IOStatus::NotSupported("OPTIONS files are not kept");
        }
        const bool log = name.ends_with(".log");
        if (!log && errors_->log_was_hit()) {
            return frozen(name);
        }
        IOStatus status = target()->NewWritableFile(name, options, file, debug);
        if (status.ok() && log) {
            *file = std::make_unique<WatchedLog>(std::move(*file), name, errors_);
        } else if (status.ok() && name.find("/MANIFEST-") != std::string::npos) {
            *file = std::make_unique<FreezableManifest>(std::move(*file), name, errors_);
        }
        return status;
    }
    IOStatus NewDirectory(const std::string &name, const IOOptions &options,
                          std::unique_ptr<::rocksdb::FSDirectory> *directory, IODebugContext *debug) override
    {
        IOStatus status = target()->NewDirectory(name, options, directory, debug);
        if (status.ok()) {
            *directory = std::make_unique<WatchedDirectory>(std::move(*directory), name, errors_);
        }
        return status;
    }

private:
    const std::shared_ptr<BackgroundErrors> errors_;
};

} // namespace

std::shared_ptr<::rocksdb::FileSystem> store_files(std::shared_ptr<::rocksdb::FileSystem> file_system,
                                                   std::shared_ptr<BackgroundErrors> errors)
{
    return std::make_shared<StoreFiles>(std::move(file_system), std::move(errors));
}

} // namespace basalt::storage

// The wrapper that refuses every change.
#include "storage/rocksdb/read_only_files.h"

#include "storage/rocksdb/directory_files.h"

#include <rocksdb/file_system.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace basalt::storage {
namespace {

using ::rocksdb::FileOptions;
using ::rocksdb::IODebugContext;
using ::rocksdb::IOOptions;
using ::rocksdb::IOStatus;

IOStatus refused(const std::string &name)
{
    return IOStatus::NotSupported("opened for reading only", name);
}

/// The beginning of a file.
class LimitedFile final : public ::rocksdb::FSSequentialFileOwnerWrapper {
public:
    LimitedFile(std::unique_ptr<::rocksdb::FSSequentialFile> file, std::uint64_t bytes)
        : FSSequentialFileOwnerWrapper(std::move(file)),
          left_(bytes)
    {}
    IOStatus Read(std::size_t bytes, const IOOptions &options, ::rocksdb::Slice *result, char *scratch,
                  IODebugContext *debug) override
    {
        IOStatus status =
            FSSequentialFileOwnerWrapper::Read(std::min<std::uint64_t>(bytes, left_), options, result, scratch, debug);
        left_ -= status.ok() ? result->size() : 0;
        return status;
    }
    IOStatus Skip(std::uint64_t bytes) override
    {
        const std::uint64_t skipped = std::min(bytes, left_);
        left_ -= skipped;
        return FSSequentialFileOwnerWrapper::Skip(skipped);
    }

private:
    std::uint64_t left_;
};

class ReadOnlyFiles final : public ::rocksdb::FileSystemWrapper {
public:
    ReadOnlyFiles(std::shared_ptr<::rocksdb::FileSystem> file_system, ShownLogs logs)
        : FileSystemWrapper(std::move(file_system)),
          logs_(std::move(logs))
    {}
    [[nodiscard]] const char *Name() const override { return "ReadOnlyFiles"; }

    IOStatus NewSequentialFile(const std::string &name, const FileOptions &options,
                               std::unique_ptr<::rocksdb::FSSequentialFile> *file, IODebugContext *debug) override
    {
        IOStatus status = target()->NewSequentialFile(name, options, file, debug);
        if (const auto limit = logs_.limit(name); status.ok() && limit) {
            *file = std::make_unique<LimitedFile>(std::move(*file), *limit);
        }
        return status;
    }
    IOStatus GetFileSize(const std::string &name, const IOOptions &options, std::uint64_t *bytes,
                         IODebugContext *debug) override
    {
        IOStatus status = target()->GetFileSize(name, options, bytes, debug);
        const auto limit = logs_.limit(name);
        if (logs_.is_none() && limit) {
            // RocksDB refuses one that is shorter than it was when it was synced; that is looked at with the logs
            // shown.
            *bytes = std::numeric_limits<std::int64_t>::max();
        } else if (limit) {
            *bytes = std::min(*bytes, *limit);
        }
        return status;
    }

    IOStatus NewWritableFile(const std::string &name, const FileOptions & /*options*/,
                             std::unique_ptr<::rocksdb::FSWritableFile> * /*file*/, IODebugContext * /*debug*/) override
    {
        return refused(name);
    }
    IOStatus ReopenWritableFile(const std::string &name, const FileOptions & /*options*/,
                                std::unique_ptr<::rocksdb::FSWritableFile> * /*file*/,
                                IODebugContext * /*debug*/) override
    {
        return refused(name);
    }
    IOStatus ReuseWritableFile(const std::string &name, const std::string & /*old_name*/,
                               const FileOptions & /*options*/, std::unique_ptr<::rocksdb::FSWritableFile> * /*file*/,
                               IODebugContext * /*debug*/) override
    {
        return refused(name);
    }
    IOStatus NewRandomRWFile(const std::string &name, const FileOptions & /*options*/,
                             std::unique_ptr<::rocksdb::FSRandomRWFile> * /*file*/, IODebugContext * /*debug*/) override
    {
        return refused(name);
    }
    IOStatus NewMemoryMappedFileBuffer(const std::string &name,
                                       std::unique_ptr<::rocksdb::MemoryMappedFileBuffer> * /*buffer*/) override
    {
        return refused(name);
    }
    IOStatus DeleteFile(const std::string &name, const IOOptions & /*options*/, IODebugContext * /*debug*/) override
    {
        return refused(name);
    }
    IOStatus Truncate(const std::string &name, std::size_t /*size*/, const IOOptions & /*options*/,
                      IODebugContext * /*debug*/) override
    {
        return refused(name);
    }
    IOStatus CreateDir(const std::string &name, const IOOptions & /*options*/, IODebugContext * /*debug*/) override
    {
        return refused(name);
    }
    IOStatus CreateDirIfMissing(const std::string &name, const IOOptions & /*options*/,
                                IODebugContext * /*debug*/) override
    {
        return refused(name);
    }
    IOStatus DeleteDir(const std::string &name, const IOOptions & /*options*/, IODebugContext * /*debug*/) override
    {
        return refused(name);
    }
    IOStatus RenameFile(const std::string &from, const std::string & /*to*/, const IOOptions & /*options*/,
                        IODebugContext * /*debug*/) override
    {
        return refused(from);
    }
    IOStatus LinkFile(const std::string &from, const std::string & /*to*/, const IOOptions & /*options*/,
                      IODebugContext * /*debug*/) override
    {
        return refused(from);
    }
    IOStatus LockFile(const std::string &name, const IOOptions & /*options*/, ::rocksdb::FileLock ** /*lock*/,
                      IODebugContext * /*debug*/) override
    {
        return refused(name);
    }
    IOStatus NewLogger(const std::string &name, const IOOptions & /*options*/,
                       std::shared_ptr<::rocksdb::Logger> * /*logger*/, IODebugContext * /*debug*/) override
    {
        return refused(name);
    }

private:
    const ShownLogs logs_;
};

} // namespace

std::optional<std::uint64_t> ShownLogs::limit(const std::string &name) const
{
    if (!name.ends_with(".log")) {
        return std::nullopt;
    }
    if (none_) {
        return 0;
    }
    for (const auto &[number, bytes] : bytes_) {
        if (name.ends_with('/' + log_name(number))) {
            return bytes;
        }
    }
    return std::nullopt;
}

std::shared_ptr<::rocksdb::FileSystem> read_only_files(std::shared_ptr<::rocksdb::FileSystem> file_system,
                                                       ShownLogs logs)
{
    return std::make_shared<ReadOnlyFiles>(std::move(file_system), std::move(logs));
}

} // namespace basalt::storage

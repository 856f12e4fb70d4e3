// The wrapper that refuses every change.
#include "storage/rocksdb/read_only_files.h"

#include <rocksdb/file_system.h>

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

class EmptyFile final : public ::rocksdb::FSSequentialFile {
public:
    IOStatus Read(std::size_t /*bytes*/, const IOOptions & /*options*/, ::rocksdb::Slice *result, char * /*scratch*/,
                  IODebugContext * /*debug*/) override
    {
        *result = {};
        return IOStatus::OK();
    }
    IOStatus Skip(std::uint64_t /*bytes*/) override { return IOStatus::OK(); }
};

class ReadOnlyFiles final : public ::rocksdb::FileSystemWrapper {
public:
    ReadOnlyFiles(std::shared_ptr<::rocksdb::FileSystem> file_system, LogsShown logs)
        : FileSystemWrapper(std::move(file_system)),
          logs_(logs)
    {}
    [[nodiscard]] const char *Name() const override { return "ReadOnlyFiles"; }

    IOStatus NewSequentialFile(const std::string &name, const FileOptions &options,
                               std::unique_ptr<::rocksdb::FSSequentialFile> *file, IODebugContext *debug) override
    {
        if (is_hidden(name)) {
            *file = std::make_unique<EmptyFile>();
            return IOStatus::OK();
        }
        return target()->NewSequentialFile(name, options, file, debug);
    }
    IOStatus GetFileSize(const std::string &name, const IOOptions &options, std::uint64_t *bytes,
                         IODebugContext *debug) override
    {
        IOStatus status = target()->GetFileSize(name, options, bytes, debug);
        if (is_hidden(name)) {
            // RocksDB refuses one that is shorter than it was when it was synced; that is looked at with the logs
            // shown.
            *bytes = std::numeric_limits<std::int64_t>::max();
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
    [[nodiscard]] bool is_hidden(const std::string &name) const
    {
        return logs_ == LogsShown::empty && name.ends_with(".log");
    }

    const LogsShown logs_;
};

} // namespace

std::shared_ptr<::rocksdb::FileSystem> read_only_files(std::shared_ptr<::rocksdb::FileSystem> file_system,
                                                       LogsShown logs)
{
    return std::make_shared<ReadOnlyFiles>(std::move(file_system), logs);
}

} // namespace basalt::storage

#include "crash/power_cut_files.h"

#include "base/check.h"

#include <chrono>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace basalt::crash {

using ::rocksdb::FileOptions;
using ::rocksdb::FSDirectory;
using ::rocksdb::FSWritableFile;
using ::rocksdb::IODebugContext;
using ::rocksdb::IOOptions;
using ::rocksdb::IOStatus;
using ::rocksdb::Slice;

/// A disk's time for a sync, in which much is written that is not safe yet.
constexpr std::chrono::milliseconds kLogSyncTakes{2};

/// Notes what its syncs cover. A sync does not reach the disk: the harness decides what was lost.
class JournalledFile final : public ::rocksdb::FSWritableFileOwnerWrapper {
public:
    JournalledFile(std::unique_ptr<FSWritableFile> file, PowerCutFiles &files, std::string name, std::uint64_t length)
        : FSWritableFileOwnerWrapper(std::move(file)),
          files_(files),
          name_(std::move(name)),
          length_(length)
    {}
    IOStatus Append(const Slice &data, const IOOptions &options, IODebugContext *debug) override
    {
        return count(data, FSWritableFileOwnerWrapper::Append(data, options, debug));
    }
    IOStatus Append(const Slice &data, const IOOptions &options, const ::rocksdb::DataVerificationInfo &verification,
                    IODebugContext *debug) override
    {
        return count(data, FSWritableFileOwnerWrapper::Append(data, options, verification, debug));
    }
    IOStatus Truncate(std::uint64_t size, const IOOptions &options, IODebugContext *debug) override
    {
        length_.store(size);
        return FSWritableFileOwnerWrapper::Truncate(size, options, debug);
    }
    IOStatus Sync(const IOOptions &options, IODebugContext *debug) override { return sync(options, debug); }
    IOStatus Fsync(const IOOptions &options, IODebugContext *debug) override { return sync(options, debug); }

private:
    IOStatus count(const Slice &data, IOStatus status)
    {
        if (status.ok()) {
            length_ += data.size();
        }
        return status;
    }
    IOStatus sync(const IOOptions &options, IODebugContext *debug)
    {
        const std::uint64_t covered = length_.load();
        IOStatus status = FSWritableFileOwnerWrapper::Flush(options, debug);
        if (name_.ends_with(".log")) {
            std::this_thread::sleep_for(kLogSyncTakes);
        }
        if (status.ok()) {
            files_.note("sync " + name_ + " " + std::to_string(covered));
        }
        return status;
    }

    PowerCutFiles &files_;
    const std::string name_;
    std::atomic<std::uint64_t> length_;
};

class JournalledDirectory final : public ::rocksdb::FSDirectoryWrapper {
public:
    JournalledDirectory(std::unique_ptr<FSDirectory> directory, PowerCutFiles &files)
        : FSDirectoryWrapper(std::move(directory)),
          files_(files)
    {}
    IOStatus Fsync(const IOOptions & /*options*/, IODebugContext * /*debug*/) override { return note(); }
    IOStatus FsyncWithDirOptions(const IOOptions & /*options*/, IODebugContext * /*debug*/,
                                 const ::rocksdb::DirFsyncOptions & /*directory*/) override
    {
        return note();
    }

private:
    IOStatus note()
    {
        const std::lock_guard lock(files_.names_mutex_);
        files_.note("directory");
        return IOStatus::OK();
    }

    PowerCutFiles &files_;
};

PowerCutFiles::PowerCutFiles(std::filesystem::path directory, const std::filesystem::path &journal)
    : FileSystemWrapper(::rocksdb::FileSystem::Default()),
      directory_(std::move(directory)),
      saved_(journal.string() + ".saved"),
      journal_(::open(journal.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644))
{
    BASALT_CHECK(journal_ >= 0);
    std::filesystem::create_directories(saved_);
}

PowerCutFiles::~PowerCutFiles()
{
    ::close(journal_);
}

void PowerCutFiles::note(const std::string &line)
{
    const std::string text = line + "\n";
    BASALT_CHECK(::write(journal_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

std::string PowerCutFiles::relative(const std::string &name) const
{
    return std::filesystem::path(name).lexically_relative(directory_).string();
}

std::string PowerCutFiles::save(const std::string &name)
{
    if (::access(name.c_str(), F_OK) != 0) {
        return "-";
    }
    const std::string link = std::to_string(::getpid()) + "-" + std::to_string(saves_++);
    BASALT_CHECK(::link(name.c_str(), (saved_ / link).c_str()) == 0);
    return link;
}

IOStatus PowerCutFiles::NewWritableFile(const std::string &name, const FileOptions &options,
                                        std::unique_ptr<FSWritableFile> *file, IODebugContext *debug)
{
    const std::lock_guard lock(names_mutex_);
    const std::string saved = save(name);
    if (saved != "-") {
        ::unlink(name.c_str()); // truncating it would empty what was saved too
    }
    note("create " + relative(name) + " " + saved);
    IOStatus status = FileSystemWrapper::NewWritableFile(name, options, file, debug);
    if (status.ok()) {
        *file = std::make_unique<JournalledFile>(std::move(*file), *this, relative(name), 0);
    }
    return status;
}

IOStatus PowerCutFiles::ReopenWritableFile(const std::string &name, const FileOptions &options,
                                           std::unique_ptr<FSWritableFile> *file, IODebugContext *debug)
{
    struct stat status_before {};
    const bool existed = ::stat(name.c_str(), &status_before) == 0;
    if (!existed) {
        return NewWritableFile(name, options, file, debug);
    }
    IOStatus status = FileSystemWrapper::ReopenWritableFile(name, options, file, debug);
    if (status.ok()) {
        *file = std::make_unique<JournalledFile>(std::move(*file), *this, relative(name),
                                                 static_cast<std::uint64_t>(status_before.st_size));
    }
    return status;
}

IOStatus PowerCutFiles::ReuseWritableFile(const std::string & /*name*/, const std::string & /*old_name*/,
                                          const FileOptions & /*options*/, std::unique_ptr<FSWritableFile> * /*file*/,
                                          IODebugContext * /*debug*/)
{
    return IOStatus::NotSupported("files are not used again"); // the program sets recycle_log_file_num to 0
}

IOStatus PowerCutFiles::NewDirectory(const std::string &name, const IOOptions &options,
                                     std::unique_ptr<FSDirectory> *directory, IODebugContext *debug)
{
    IOStatus status = FileSystemWrapper::NewDirectory(name, options, directory, debug);
    if (status.ok()) {
        *directory = std::make_unique<JournalledDirectory>(std::move(*directory), *this);
    }
    return status;
}

IOStatus PowerCutFiles::RenameFile(const std::string &from, const std::string &to, const IOOptions &options,
                                   IODebugContext *debug)
{
    const std::lock_guard lock(names_mutex_);
    note("rename " + relative(from) + " " + relative(to) + " " + save(to));
    return FileSystemWrapper::RenameFile(from, to, options, debug);
}

IOStatus PowerCutFiles::LinkFile(const std::string &from, const std::string &to, const IOOptions &options,
                                 IODebugContext *debug)
{
    const std::lock_guard lock(names_mutex_);
    note("link " + relative(from) + " " + relative(to));
    return FileSystemWrapper::LinkFile(from, to, options, debug);
}

IOStatus PowerCutFiles::DeleteFile(const std::string &name, const IOOptions &options, IODebugContext *debug)
{
    const std::lock_guard lock(names_mutex_);
    const std::string saved = save(name);
    if (saved != "-") {
        note("delete " + relative(name) + " " + saved);
    }
    return FileSystemWrapper::DeleteFile(name, options, debug);
}

} // namespace basalt::crash

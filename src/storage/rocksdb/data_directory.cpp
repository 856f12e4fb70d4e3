// Claiming a data directory.
#include "storage/rocksdb/data_directory.h"

#include "basalt/version.h"
#include "storage/rocksdb/synced_logs.h"

#include <rocksdb/file_system.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace basalt::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormatFile = "BASALT";
constexpr std::string_view kNewFormatFile = "BASALT.new";
constexpr std::string_view kLockFile = "BASALT.lock";
constexpr std::string_view kFormatLine = "basalt format ";

class Descriptor {
public:
    explicit Descriptor(int number)
        : number_(number)
    {}
    ~Descriptor()
    {
        if (number_ >= 0) {
            ::close(number_);
        }
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool open() const { return number_ >= 0; }
    int release() { return std::exchange(number_, -1); }

private:
    int number_;
};

std::string quoted(const fs::path &path)
{
    std::string out(1, '\'');
    out += path.string();
    out += '\'';
    return out;
}

Unexpected io_failure(const std::string &what, const fs::path &path, int error)
{
    return fail(ErrorCode::io_error, what + " " + quoted(path) + ": " + std::generic_category().message(error) + ".");
}

Result<void> sync_path(const fs::path &path, int flags)
{
    const Descriptor descriptor(::open(path.c_str(), flags | O_CLOEXEC));
    if (!descriptor.open() || ::fsync(descriptor.number()) != 0) {
        return io_failure("Cannot sync", path, errno);
    }
    return {};
}

fs::path parent_of(const fs::path &path)
{
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Creates the directory and its missing parents, and makes their names durable.
Result<void> create_if_absent(const fs::path &given)
{
    const fs::path path = given.has_filename() ? given : given.parent_path(); // "data/" is "data"
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) {
        return {};
    }
    if (fs::exists(status)) {
        return fail(ErrorCode::io_error, "The data directory " + quoted(path) + " is not a directory.");
    }
    std::vector<fs::path> to_sync = {parent_of(path)};
    while (!fs::exists(to_sync.back(), error) && to_sync.back() != parent_of(to_sync.back())) {
        to_sync.push_back(parent_of(to_sync.back()));
    }
    error.clear();
    fs::create_directories(path, error);
    if (error) {
        return io_failure("Cannot create the data directory", path, error.value());
    }
    for (const fs::path &parent : to_sync) {
        if (Result<void> synced = sync_path(parent, O_RDONLY | O_DIRECTORY); !synced) {
            return synced;
        }
    }
    return {};
}

/// Nothing but what an interrupted first start or mkfs leaves.
Result<bool> counts_as_empty(const fs::path &path)
{
    std::error_code error;
    fs::directory_iterator entries(path, error);
    for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
        const fs::path name = entries->path().filename();
        if (name != kLockFile && name != kNewFormatFile && name != "lost+found") {
            return false;
        }
    }
    if (error) {
        return io_failure("Cannot list the data directory", path, error.value());
    }
    return true;
}

Result<void> take_lock(const fs::path &path, const Descriptor &descriptor)
{
    if (!descriptor.open()) {
        return io_failure("Cannot write to the data directory", path, errno);
    }
    if (::flock(descriptor.number(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) {
            return fail(ErrorCode::locked,
                        "The data directory " + quoted(path) + " is open already, here or in another process.");
        }
        return io_failure("Cannot lock the data directory", path, errno);
    }
    return {};
}

/// The text of the format file; nothing: there is none.
Result<std::optional<std::string>> read_format(const fs::path &path)
{
    const fs::path file = path / kFormatFile;
    const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!descriptor.open()) {
        if (errno == ENOENT) {
            return std::optional<std::string>();
        }
        return io_failure("Cannot read", file, errno);
    }
    std::array<char, 256> text{};
    const ssize_t size = ::read(descriptor.number(), text.data(), text.size());
    if (size < 0) {
        return io_failure("Cannot read", file, errno);
    }
    return std::optional<std::string>(std::in_place, text.data(), static_cast<std::size_t>(size));
}

Result<void> check_format(const fs::path &path, std::string_view text)
{
    std::uint32_t version = 0;
    bool understood = false;
    if (text.substr(0, kFormatLine.size()) == kFormatLine) {
        const char *end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data() + kFormatLine.size(), end, version);
        understood = error == std::errc() && std::string_view(rest, end) == "\n";
    }
    if (!understood) {
        return fail(ErrorCode::unsupported_format,
                    "The file " + quoted(path / kFormatFile) + " is not one that this version of Basalt understands.");
    }
    if (version != kFormatVersion) {
        return fail(ErrorCode::unsupported_format,
                    "The data directory " + quoted(path) + " has format " + std::to_string(version) +
                        ", this version of Basalt reads and writes format " + std::to_string(kFormatVersion) + ".");
    }
    return {};
}

/// Puts a file in the place of one that may be there, or leaves that one.
Result<void> replace_file(const fs::path &directory, std::string_view name, std::string_view new_name,
                          const std::string &text)
{
    const fs::path file = directory / new_name;
    {
        const Descriptor descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
        if (!descriptor.open() ||
            ::write(descriptor.number(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
            ::fsync(descriptor.number()) != 0) {
            return io_failure("Cannot write", file, errno);
        }
    }
    if (::rename(file.c_str(), (directory / name).c_str()) != 0) {
        return io_failure("Cannot rename", file, errno);
    }
    return sync_path(directory, O_RDONLY | O_DIRECTORY);
}

Result<void> write_format(const fs::path &path)
{
    return replace_file(path, kFormatFile, kNewFormatFile,
                        std::string(kFormatLine) + std::to_string(kFormatVersion) + "\n");
}

Unexpected not_ours(const fs::path &path)
{
    return fail(ErrorCode::unsupported_format, "The directory " + quoted(path) +
                                                   " has other files in it and no file BASALT: it is not a data "
                                                   "directory of Basalt.");
}

/// RocksDB would start an empty database over the remains.
Result<void> check_current(const fs::path &path)
{
    std::error_code error;
    if (fs::exists(path / "CURRENT", error)) {
        return {};
    }
    fs::directory_iterator entries(path, error);
    for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
        const fs::path extension = entries->path().extension();
        if (extension == ".sst" || extension == ".log") {
            return fail(ErrorCode::corruption,
                        "The data in " + quoted(path) + " cannot be read: its file CURRENT is missing.");
        }
    }
    if (error) {
        return io_failure("Cannot list the data directory", path, error.value());
    }
    return {};
}

::rocksdb::IOStatus sync_file(::rocksdb::FileSystem &files, const std::string &name)
{
    std::unique_ptr<::rocksdb::FSWritableFile> file;
    ::rocksdb::IOStatus status = files.ReopenWritableFile(name, ::rocksdb::FileOptions(), &file, nullptr);
    if (status.ok()) {
        status = file->Fsync(::rocksdb::IOOptions(), nullptr);
    }
    if (status.ok()) {
        status = file->Close(::rocksdb::IOOptions(), nullptr);
    }
    return status;
}

::rocksdb::IOStatus sync_names(::rocksdb::FileSystem &files, const std::string &path)
{
    std::unique_ptr<::rocksdb::FSDirectory> directory;
    ::rocksdb::IOStatus status = files.NewDirectory(path, ::rocksdb::IOOptions(), &directory, nullptr);
    return status.ok() ? directory->Fsync(::rocksdb::IOOptions(), nullptr) : status;
}

/// Under the lock: marks an empty directory, checks any other.
Result<void> settle_format(const fs::path &path)
{
    Result<std::optional<std::string>> format = read_format(path);
    if (!format) {
        return fail(std::move(format.error()));
    }
    if (*format) {
        if (Result<void> readable = check_format(path, **format); !readable) {
            return readable;
        }
        return check_current(path);
    }
    Result<bool> empty = counts_as_empty(path);
    if (!empty) {
        return fail(std::move(empty.error()));
    }
    return *empty ? write_format(path) : not_ours(path);
}

/// Before anything is written: refuses what is certainly not ours to touch.
Result<void> look_first(const fs::path &path)
{
    Result<std::optional<std::string>> format = read_format(path);
    if (!format) {
        return fail(std::move(format.error()));
    }
    if (*format) {
        return check_format(path, **format);
    }
    Result<bool> empty = counts_as_empty(path);
    if (!empty) {
        return fail(std::move(empty.error()));
    }
    return *empty ? Result<void>() : not_ours(path);
}

} // namespace

DataDirectory::DataDirectory(fs::path path, int lock_descriptor)
    : path_(std::move(path)),
      lock_descriptor_(lock_descriptor)
{}

DataDirectory::DataDirectory(DataDirectory &&other) noexcept
    : path_(std::move(other.path_)),
      lock_descriptor_(std::exchange(other.lock_descriptor_, -1))
{}

DataDirectory::~DataDirectory()
{
    if (lock_descriptor_ >= 0) {
        ::close(lock_descriptor_);
    }
}

Result<DataDirectory> DataDirectory::claim(const fs::path &path)
{
    if (path.empty()) {
        return fail(ErrorCode::invalid_options, "No data directory is given.");
    }
    if (Result<void> created = create_if_absent(path); !created) {
        return fail(std::move(created.error()));
    }
    if (Result<void> ours = look_first(path); !ours) {
        return fail(std::move(ours.error()));
    }
    Descriptor descriptor(::open((path / kLockFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (Result<void> locked = take_lock(path, descriptor); !locked) {
        return fail(std::move(locked.error()));
    }
    if (Result<void> settled = settle_format(path); !settled) {
        return fail(std::move(settled.error()));
    }
    return DataDirectory(path, descriptor.release());
}

Result<DataDirectory> DataDirectory::claim_to_read(const fs::path &path)
{
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        return fail(ErrorCode::io_error, "There is no data directory " + quoted(path) + ".");
    }
    Result<std::optional<std::string>> format = read_format(path);
    if (!format) {
        return fail(std::move(format.error()));
    }
    if (!*format) {
        return fail(ErrorCode::unsupported_format,
                    "The directory " + quoted(path) + " has no file BASALT: it is not a data directory of Basalt.");
    }
    if (Result<void> readable = check_format(path, **format); !readable) {
        return fail(std::move(readable.error()));
    }
    // Every server makes the file before anything else: without it there is none.
    Descriptor descriptor(::open((path / kLockFile).c_str(), O_RDONLY | O_CLOEXEC));
    if (descriptor.open() || errno != ENOENT) {
        if (Result<void> locked = take_lock(path, descriptor); !locked) {
            return fail(std::move(locked.error()));
        }
    }
    return DataDirectory(path, descriptor.release());
}

Result<SyncedLogs> DataDirectory::sync_logs(::rocksdb::FileSystem &files) const
{
    SyncedLogs logs;
    std::error_code error;
    fs::directory_iterator entries(path_, error);
    for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
        if (entries->path().extension() != ".log") {
            continue;
        }
        if (const ::rocksdb::Status synced = sync_file(files, entries->path().string()); !synced.ok()) {
            return fail(ErrorCode::io_error, "Cannot sync " + quoted(entries->path()) + ": " + synced.ToString() + ".");
        }
        // Nobody writes to it any more.
        logs[std::strtoull(entries->path().stem().c_str(), nullptr, 10)] = entries->file_size();
    }
    if (error) {
        return io_failure("Cannot list the data directory", path_, error.value());
    }
    if (const ::rocksdb::Status synced = sync_names(files, path_.string()); !synced.ok()) {
        return fail(ErrorCode::io_error, "Cannot sync " + quoted(path_) + ": " + synced.ToString() + ".");
    }
    return logs;
}

Result<void> DataDirectory::note_synced_logs(const SyncedLogs &logs) const
{
    return logs.empty() ? Result<void>()
                        : replace_file(path_, kSyncedLogsFile, kNewSyncedLogsFile, format_synced_logs(logs));
}

} // namespace basalt::storage

// A file system that changes nothing: what a look at somebody's only copy goes through.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace rocksdb {
class FileSystem;
} // namespace rocksdb

namespace basalt::storage {

/// What RocksDB sees of the logs.
class ShownLogs {
public:
    [[nodiscard]] static ShownLogs all() { return {}; }
    /// They have their names and nothing in them, so that RocksDB opens what its tables hold.
    [[nodiscard]] static ShownLogs none()
    {
        ShownLogs shown;
        shown.none_ = true;
        return shown;
    }
    /// Of some, by number, only so many bytes, as if they were cut.
    [[nodiscard]] static ShownLogs within(std::map<std::uint64_t, std::uint64_t> bytes)
    {
        ShownLogs shown;
        shown.bytes_ = std::move(bytes);
        return shown;
    }

    /// No log is shown.
    [[nodiscard]] bool is_none() const { return none_; }
    /// Of a file, by its path; nothing: all of it.
    [[nodiscard]] std::optional<std::uint64_t> limit(const std::string &name) const;

private:
    bool none_ = false;
    std::map<std::uint64_t, std::uint64_t> bytes_;
};

/// Refuses to create, write, lock, rename and delete.
[[nodiscard]] std::shared_ptr<::rocksdb::FileSystem> read_only_files(std::shared_ptr<::rocksdb::FileSystem> file_system,
                                                                     ShownLogs logs);

} // namespace basalt::storage

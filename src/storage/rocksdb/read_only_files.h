// A file system that changes nothing: what a look at somebody's only copy goes through.
#pragma once

#include <cstdint>
#include <memory>

namespace rocksdb {
class FileSystem;
} // namespace rocksdb

namespace basalt::storage {

enum class LogsShown : std::uint8_t {
    yes,
    empty, // they have their names and nothing in them, so that RocksDB opens what its tables hold
};

/// Refuses to create, write, lock, rename and delete.
[[nodiscard]] std::shared_ptr<::rocksdb::FileSystem> read_only_files(std::shared_ptr<::rocksdb::FileSystem> file_system,
                                                                     LogsShown logs);

} // namespace basalt::storage

// The file system that RocksDB works on: the given one, without OPTIONS files.
#pragma once

#include <memory>

namespace rocksdb {
class FileSystem;
} // namespace rocksdb

namespace basalt::storage {

/// Refuses to create OPTIONS files. RocksDB goes on without; every setting stands in settings.cpp. Writing one, and
/// reading it back to check it, took most of the time that opening takes, once for each column family.
[[nodiscard]] std::shared_ptr<::rocksdb::FileSystem>
without_options_files(std::shared_ptr<::rocksdb::FileSystem> file_system);

} // namespace basalt::storage

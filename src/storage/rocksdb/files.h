// The file system that RocksDB works on: the given one, without OPTIONS files, and with an eye on the logs.
#pragma once

#include <memory>

namespace rocksdb {
class FileSystem;
} // namespace rocksdb

namespace basalt::storage {

class BackgroundErrors;

/// Refuses to create OPTIONS files. RocksDB goes on without; every setting stands in settings.cpp. Writing one, and
/// reading it back to check it, took most of the time that opening takes, once for each column family.
///
/// Tells `errors` of each write or sync of a log that failed, and of each failed sync of a directory. Then all files
/// stay as they are: no log grows, no table or manifest is begun or continued, so that what is on the disk is what a
/// crash at this moment would leave. RocksDB by itself tests its luck with the same file again, which may succeed
/// although what was in it is lost.
[[nodiscard]] std::shared_ptr<::rocksdb::FileSystem> store_files(std::shared_ptr<::rocksdb::FileSystem> file_system,
                                                                 std::shared_ptr<BackgroundErrors> errors);

} // namespace basalt::storage

// RocksDB's own log, sent to ours: RocksDB's default logger aborts the process when the disk is full.
#pragma once

#include <memory>

namespace rocksdb {
class Logger;
} // namespace rocksdb

namespace basalt::storage {

/// Warnings and errors only.
[[nodiscard]] std::shared_ptr<::rocksdb::Logger> make_info_log();

} // namespace basalt::storage

// Watches the free space of the data directory's file system, so that writes are refused before RocksDB meets a full
// disk.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace rocksdb {
class FileSystem;
} // namespace rocksdb

namespace basalt::storage {

/// Thread-safe.
class FreeSpace {
public:
    /// floor_bytes 0: there is always enough.
    FreeSpace(std::shared_ptr<::rocksdb::FileSystem> file_system, std::string directory, std::uint64_t floor_bytes);
    /// Asks the file system at most every few milliseconds. true also when it gives no answer.
    [[nodiscard]] bool enough();
    /// Asks the file system. true also when it gives no answer.
    [[nodiscard]] bool room_for(std::uint64_t bytes) const;

private:
    void look();

    std::shared_ptr<::rocksdb::FileSystem> file_system_;
    std::string directory_;
    std::uint64_t floor_bytes_;
    std::atomic<std::int64_t> next_look_us_{0};
    std::atomic<bool> enough_{true};
};

} // namespace basalt::storage

// A file system for RocksDB on which syncing a log takes a given time.
#pragma once

#include <rocksdb/file_system.h>

#include <chrono>

namespace basalt::linearizability {

class SlowSyncs final : public ::rocksdb::FileSystemWrapper {
public:
    explicit SlowSyncs(std::chrono::milliseconds each);
    [[nodiscard]] const char *Name() const override { return "SlowSyncs"; }

    ::rocksdb::IOStatus NewWritableFile(const std::string &name, const ::rocksdb::FileOptions &options,
                                        std::unique_ptr<::rocksdb::FSWritableFile> *file,
                                        ::rocksdb::IODebugContext *debug) override;

private:
    const std::chrono::milliseconds each_;
};

} // namespace basalt::linearizability

#include "linearizability/slow_syncs.h"

#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace basalt::linearizability {

using ::rocksdb::IODebugContext;
using ::rocksdb::IOOptions;
using ::rocksdb::IOStatus;
using ::rocksdb::Slice;

class SlowLog final : public ::rocksdb::FSWritableFileOwnerWrapper {
public:
    SlowLog(std::unique_ptr<::rocksdb::FSWritableFile> file, SlowSyncs &files, std::atomic<std::uint64_t> *synced_bytes)
        : FSWritableFileOwnerWrapper(std::move(file)),
          files_(files),
          synced_bytes_(synced_bytes)
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
    IOStatus Sync(const IOOptions &options, IODebugContext *debug) override
    {
        const std::uint64_t covered = size_.load();
        std::this_thread::sleep_for(files_.each_);
        return synced(covered, FSWritableFileOwnerWrapper::Sync(options, debug));
    }
    IOStatus Fsync(const IOOptions &options, IODebugContext *debug) override
    {
        const std::uint64_t covered = size_.load();
        std::this_thread::sleep_for(files_.each_);
        return synced(covered, FSWritableFileOwnerWrapper::Fsync(options, debug));
    }

private:
    IOStatus count(const Slice &data, IOStatus status)
    {
        if (status.ok()) {
            size_ += data.size();
        }
        return status;
    }
    IOStatus synced(std::uint64_t covered, IOStatus status)
    {
        ++files_.log_syncs_;
        if (status.ok() && synced_bytes_ != nullptr) {
            synced_bytes_->store(covered);
        }
        return status;
    }

    SlowSyncs &files_;
    std::atomic<std::uint64_t> *const synced_bytes_;
    std::atomic<std::uint64_t> size_{0};
};

SlowSyncs::SlowSyncs(std::chrono::microseconds each, SyncedBytes synced_bytes)
    : FileSystemWrapper(::rocksdb::FileSystem::Default()),
      each_(each),
      synced_bytes_(std::move(synced_bytes))
{}

::rocksdb::IOStatus SlowSyncs::NewWritableFile(const std::string &name, const ::rocksdb::FileOptions &options,
                                               std::unique_ptr<::rocksdb::FSWritableFile> *file,
                                               ::rocksdb::IODebugContext *debug)
{
    auto status = FileSystemWrapper::NewWritableFile(name, options, file, debug);
    if (status.ok() && name.ends_with(".log")) {
        *file = std::make_unique<SlowLog>(std::move(*file), *this, synced_bytes_ ? synced_bytes_(name) : nullptr);
    }
    return status;
}

} // namespace basalt::linearizability

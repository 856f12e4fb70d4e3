#include "linearizability/slow_syncs.h"

#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace basalt::linearizability {
namespace {

class SlowLog final : public ::rocksdb::FSWritableFileOwnerWrapper {
public:
    SlowLog(std::unique_ptr<::rocksdb::FSWritableFile> file, std::chrono::milliseconds each)
        : FSWritableFileOwnerWrapper(std::move(file)),
          each_(each)
    {}
    ::rocksdb::IOStatus Sync(const ::rocksdb::IOOptions &options, ::rocksdb::IODebugContext *debug) override
    {
        std::this_thread::sleep_for(each_);
        return FSWritableFileOwnerWrapper::Sync(options, debug);
    }
    ::rocksdb::IOStatus Fsync(const ::rocksdb::IOOptions &options, ::rocksdb::IODebugContext *debug) override
    {
        std::this_thread::sleep_for(each_);
        return FSWritableFileOwnerWrapper::Fsync(options, debug);
    }

private:
    const std::chrono::milliseconds each_;
};

} // namespace

SlowSyncs::SlowSyncs(std::chrono::milliseconds each)
    : FileSystemWrapper(::rocksdb::FileSystem::Default()),
      each_(each)
{}

::rocksdb::IOStatus SlowSyncs::NewWritableFile(const std::string &name, const ::rocksdb::FileOptions &options,
                                               std::unique_ptr<::rocksdb::FSWritableFile> *file,
                                               ::rocksdb::IODebugContext *debug)
{
    auto status = FileSystemWrapper::NewWritableFile(name, options, file, debug);
    if (status.ok() && name.ends_with(".log")) {
        *file = std::make_unique<SlowLog>(std::move(*file), each_);
    }
    return status;
}

} // namespace basalt::linearizability

#include "linearizability/slow_syncs.h"

#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace basalt::linearizability {

using ::rocksdb::IODebugContext;
using ::rocksdb::IOOptions;
using ::rocksdb::IOStatus;

class SlowLog final : public ::rocksdb::FSWritableFileOwnerWrapper {
public:
    SlowLog(std::unique_ptr<::rocksdb::FSWritableFile> file, SlowSyncs &files)
        : FSWritableFileOwnerWrapper(std::move(file)),
          files_(files)
    {}
    IOStatus Sync(const IOOptions &options, IODebugContext *debug) override
    {
        files_.before_sync();
        return FSWritableFileOwnerWrapper::Sync(options, debug);
    }
    IOStatus Fsync(const IOOptions &options, IODebugContext *debug) override
    {
        files_.before_sync();
        return FSWritableFileOwnerWrapper::Fsync(options, debug);
    }

private:
    SlowSyncs &files_;
};

SlowSyncs::SlowSyncs(std::chrono::microseconds each, std::shared_ptr<::rocksdb::FileSystem> files)
    : FileSystemWrapper(std::move(files)),
      each_(each)
{}

void SlowSyncs::before_sync()
{
    ++log_syncs_;
    std::this_thread::sleep_for(each_);
}

::rocksdb::IOStatus SlowSyncs::NewWritableFile(const std::string &name, const ::rocksdb::FileOptions &options,
                                               std::unique_ptr<::rocksdb::FSWritableFile> *file,
                                               ::rocksdb::IODebugContext *debug)
{
    auto status = FileSystemWrapper::NewWritableFile(name, options, file, debug);
    if (status.ok() && name.ends_with(".log")) {
        *file = std::make_unique<SlowLog>(std::move(*file), *this);
    }
    return status;
}

} // namespace basalt::linearizability

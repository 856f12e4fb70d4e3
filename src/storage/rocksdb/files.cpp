// The wrapper that leaves OPTIONS files out.
#include "storage/rocksdb/files.h"

#include <rocksdb/file_system.h>

#include <string>
#include <utility>

namespace basalt::storage {
namespace {

class WithoutOptionsFiles final : public ::rocksdb::FileSystemWrapper {
public:
    using FileSystemWrapper::FileSystemWrapper;
    [[nodiscard]] const char *Name() const override { return "WithoutOptionsFiles"; }

    ::rocksdb::IOStatus NewWritableFile(const std::string &name, const ::rocksdb::FileOptions &options,
                                        std::unique_ptr<::rocksdb::FSWritableFile> *file,
                                        ::rocksdb::IODebugContext *debug) override
    {
        if (name.find("/OPTIONS-") != std::string::npos) {
            return ::rocksdb::IOStatus::NotSupported("OPTIONS files are not kept");
        }
        return target()->NewWritableFile(name, options, file, debug);
    }
};

} // namespace

std::shared_ptr<::rocksdb::FileSystem> without_options_files(std::shared_ptr<::rocksdb::FileSystem> file_system)
{
    return std::make_shared<WithoutOptionsFiles>(std::move(file_system));
}

} // namespace basalt::storage

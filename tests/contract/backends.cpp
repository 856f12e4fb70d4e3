// Backends and fixture.
#include "contract/backends.h"

#include "contract/toy_store.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <cstdlib>

namespace basalt::storage {
namespace {

std::unique_ptr<Store> opened(const RocksdbOptions &options)
{
    Result<std::unique_ptr<Store>> store = open_rocksdb(options);
    if (!store) {
        ADD_FAILURE() << store.error().message;
        return nullptr;
    }
    return std::move(*store);
}

} // namespace

std::vector<Backend> all_backends()
{
    using Path = std::filesystem::path;
    return {
        {"rocksdb_sync",
         [](const Path &path) {
             RocksdbOptions options;
             options.data_dir = path;
             return opened(options);
         },
         true},
        {"rocksdb_async_small_memtables",
         [](const Path &path) {
             RocksdbOptions options;
             options.data_dir = path;
             options.log_sync = LogSync::async;
             options.memtable_bytes = 64 << 10;
             return opened(options);
         },
         true},
        {"rocksdb_in_memory",
         [](const Path & /*path*/) {
             RocksdbOptions options;
             options.in_memory = true;
             return opened(options);
         },
         false},
        {"toy", [](const Path & /*path*/) { return make_toy_store(); }, false},
    };
}

std::string backend_name(const testing::TestParamInfo<Backend> &info)
{
    return info.param.name;
}

TemporaryDirectory::TemporaryDirectory()
{
    std::string name = (std::filesystem::temp_directory_path() / "basalt-storage-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        std::abort();
    }
    parent_ = name;
}

TemporaryDirectory::~TemporaryDirectory()
{
    std::error_code ignored;
    std::filesystem::remove_all(parent_, ignored);
}

void StoreContract::reopen()
{
    store_.reset();
    store_ = GetParam().open(directory_.path());
    ASSERT_NE(store_, nullptr);
}

} // namespace basalt::storage

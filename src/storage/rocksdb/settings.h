// How RocksDB is set up; the reason for each setting stands beside it in settings.cpp.
#pragma once

#include "storage/rocksdb/rocksdb_store.h"

#include <rocksdb/db.h>

#include <vector>

namespace basalt::storage {

struct DatabaseSettings {
    ::rocksdb::DBOptions database;
    /// In the order of Family.
    std::vector<::rocksdb::ColumnFamilyDescriptor> families;
};

/// Not held back by the number of files that wait for compaction: where compactions have no space to run, that would be
/// for ever.
[[nodiscard]] inline ::rocksdb::FlushOptions flush_at_once(bool wait)
{
    ::rocksdb::FlushOptions options;
    options.wait = wait;
    options.allow_write_stall = true;
    return options;
}

/// env: what all file access goes through; outlives the database.
[[nodiscard]] DatabaseSettings database_settings(const RocksdbOptions &options, ::rocksdb::Env *env);

} // namespace basalt::storage

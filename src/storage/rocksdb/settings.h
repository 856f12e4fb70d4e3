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

/// env: what all file access goes through; outlives the database.
[[nodiscard]] DatabaseSettings database_settings(const RocksdbOptions &options, ::rocksdb::Env *env);

} // namespace basalt::storage

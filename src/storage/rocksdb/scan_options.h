// What every iterator over rows has to be opened with.
#pragma once

#include <rocksdb/options.h>

namespace basalt::storage {

/// Without this, RocksDB 7.8 takes a file of a level whose first block cannot be read (not in the cache, EIO, a wrong
/// checksum) for the level's end, and the iterator's status stays OK: it stops at each end of a file to look at range
/// tombstones, and forgets how going on ended. Range tombstones are only written over keyspaces that were dropped, so
/// nobody misses them.
inline void read_every_file(::rocksdb::ReadOptions &options)
{
    options.ignore_range_deletions = true;
}

} // namespace basalt::storage

// Translates RocksDB's statuses into our errors, here and nowhere else.
#pragma once

#include "basalt/result.h"

#include <rocksdb/status.h>

namespace basalt::storage {

/// For a status that is neither OK nor NotFound. Incomplete (no block in the cache, a write that would stall, too many
/// deleted rows on the way) is would_block.
[[nodiscard]] Error to_error(const ::rocksdb::Status &status);

[[nodiscard]] Error would_block_error();
/// What callers get from a store that is closed or has failed.
[[nodiscard]] Error unavailable_error();

} // namespace basalt::storage

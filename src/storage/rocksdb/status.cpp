// RocksDB status to Error.
#include "storage/rocksdb/status.h"

#include "base/check.h"

namespace basalt::storage {

Error to_error(const ::rocksdb::Status &status)
{
    BASALT_CHECK(!status.ok() && !status.IsNotFound());
    if (status.IsIncomplete()) {
        return would_block_error();
    }
    if (status.IsCorruption()) {
        return {ErrorCode::corruption, status.ToString()};
    }
    if (status.IsIOError() || status.IsNoSpace()) {
        return {ErrorCode::io_error, status.ToString()};
    }
    return {ErrorCode::internal_server_error, status.ToString()};
}

Error would_block_error()
{
    return {ErrorCode::would_block, {}};
}

Error unavailable_error()
{
    return {ErrorCode::internal_server_error, "Internal server error"};
}

} // namespace basalt::storage

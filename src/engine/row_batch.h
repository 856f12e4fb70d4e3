// Point reads of several rows, which may stand in several keyspaces.
#pragma once

#include "basalt/result.h"
#include "base/bytes.h"
#include "storage/store.h"

#include <optional>
#include <span>

namespace basalt::engine {

struct RowRequest {
    storage::KeyspaceId keyspace{};
    storage::Key key;
    /// What read_rows found; lives until the body returns.
    std::optional<Bytes> value = {};
};

/// Sets the value of each request, with one multi_get for each keyspace. Errors: the store's.
[[nodiscard]] Result<void> read_rows(storage::Reader &reader, std::span<RowRequest> rows);

} // namespace basalt::engine

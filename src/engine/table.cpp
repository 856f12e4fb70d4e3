#include "engine/table.h"

namespace basalt::engine {

TableStorage::TableStorage(storage::Store &store, std::vector<storage::KeyspaceId> keyspaces)
    : store_(store),
      keyspaces_(std::move(keyspaces))
{}

TableStorage::~TableStorage()
{
    if (!dropped_.load()) {
        return;
    }
    for (const auto keyspace : keyspaces_) {
        store_.reclaim(keyspace);
    }
}

TableStatus status_at(const model::TableDescription &table, std::int64_t now_ms)
{
    if (table.gone_from_ms != 0) {
        return now_ms < table.gone_from_ms ? TableStatus::deleting : TableStatus::gone;
    }
    // Without a delay a table is active whatever the clock says, which may have been set back since.
    const bool delayed = table.active_from_ms > table.created_ms;
    return delayed && now_ms < table.active_from_ms ? TableStatus::creating : TableStatus::active;
}

} // namespace basalt::engine

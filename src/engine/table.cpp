#include "engine/table.h"

#include <algorithm>

namespace basalt::engine {

OwnedKeyspaces::OwnedKeyspaces(storage::Store &store, std::vector<storage::KeyspaceId> keyspaces)
    : store_(store),
      keyspaces_(std::move(keyspaces))
{}

OwnedKeyspaces::~OwnedKeyspaces()
{
    if (!dropped_.load()) {
        return;
    }
    for (const auto keyspace : keyspaces_) {
        store_.reclaim(keyspace);
    }
}

void TableVersions::add(const std::shared_ptr<const Table> &version)
{
    const std::lock_guard lock(mutex_);
    std::erase_if(held_, [](const auto &held) { return held.expired(); });
    held_.push_back(version);
}

bool TableVersions::all_have(storage::KeyspaceId global_index) const
{
    std::vector<std::shared_ptr<const Table>> versions; // let go without the lock
    const std::lock_guard lock(mutex_);
    return std::all_of(held_.begin(), held_.end(), [&](const auto &held) {
        const auto version = versions.emplace_back(held.lock());
        return !version || std::any_of(version->description.global_indexes.begin(),
                                       version->description.global_indexes.end(), [&](const auto &index) {
                                           return static_cast<storage::KeyspaceId>(index.keyspace) == global_index;
                                       });
    });
}

bool Table::is_building() const
{
    return std::any_of(description.global_indexes.begin(), description.global_indexes.end(),
                       [](const model::IndexDescription &index) { return index.building; });
}

TableStatus status_at(const model::TableDescription &table, std::int64_t now_ms)
{
    if (table.gone_from_ms != 0) {
        return now_ms < table.gone_from_ms ? TableStatus::deleting : TableStatus::gone;
    }
    // Without a delay a table is active whatever the clock says, which may have been set back since.
    const bool delayed = table.active_from_ms > table.created_ms;
    if (delayed && now_ms < table.active_from_ms) {
        return TableStatus::creating;
    }
    return now_ms < table.updated_from_ms ? TableStatus::updating : TableStatus::active;
}

} // namespace basalt::engine

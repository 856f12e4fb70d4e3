// One version of a table as operations see it: an immutable description and the keyspaces that hold its rows.
#pragma once

#include "engine/change_feed.h"
#include "model/table_description.h"
#include "storage/store.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace basalt::engine {

/// The keyspaces of a table. All versions of the table share it; when the last one that anybody holds is gone and the
/// table was dropped, nobody can write there any more and the rows are given to the store for reclaiming.
class TableStorage {
public:
    TableStorage(storage::Store &store, std::vector<storage::KeyspaceId> keyspaces);
    TableStorage(const TableStorage &) = delete;
    TableStorage &operator=(const TableStorage &) = delete;
    ~TableStorage();

    void mark_dropped() { dropped_.store(true); }
    [[nodiscard]] const std::vector<storage::KeyspaceId> &keyspaces() const { return keyspaces_; }
    [[nodiscard]] ChangeFeed &feed() { return feed_; }

private:
    storage::Store &store_;
    std::vector<storage::KeyspaceId> keyspaces_;
    std::atomic<bool> dropped_ = false;
    ChangeFeed feed_;
};

struct Table {
    model::TableDescription description;
    std::shared_ptr<TableStorage> storage;

    [[nodiscard]] storage::KeyspaceId keyspace() const
    {
        return static_cast<storage::KeyspaceId>(description.keyspace);
    }
    /// Only of a table with local indexes.
    [[nodiscard]] storage::KeyspaceId collections_keyspace() const
    {
        return static_cast<storage::KeyspaceId>(description.collections_keyspace);
    }
};

using TablePtr = std::shared_ptr<const Table>;

enum class TableStatus : std::uint8_t { creating, active, deleting, gone };

/// Status follows from the times in the description, so that a transition needs no write of its own.
[[nodiscard]] TableStatus status_at(const model::TableDescription &table, std::int64_t now_ms);

} // namespace basalt::engine

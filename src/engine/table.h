// One version of a table as operations see it: an immutable description and the keyspaces that hold its rows.
#pragma once

#include "engine/change_feed.h"
#include "engine/change_recorder.h"
#include "model/table_description.h"
#include "storage/store.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace basalt::engine {

/// Keyspaces that come and go together: those of a table, of one of its global indexes, or of its change log. All
/// versions of the table that have them share this; when the last one that anybody holds is gone and they were dropped,
/// nobody can write there any more and the rows are given to the store for reclaiming.
class OwnedKeyspaces {
public:
    OwnedKeyspaces(storage::Store &store, std::vector<storage::KeyspaceId> keyspaces);
    OwnedKeyspaces(const OwnedKeyspaces &) = delete;
    OwnedKeyspaces &operator=(const OwnedKeyspaces &) = delete;
    ~OwnedKeyspaces();

    void mark_dropped() { dropped_.store(true); }
    [[nodiscard]] const std::vector<storage::KeyspaceId> &keyspaces() const { return keyspaces_; }

private:
    storage::Store &store_;
    std::vector<storage::KeyspaceId> keyspaces_;
    std::atomic<bool> dropped_ = false;
};

/// A table's change log.
struct TableLog {
    OwnedKeyspaces keyspace;
    std::shared_ptr<ChangeFeed> feed; // outlives the store where somebody waits for it
};

struct Table;

/// The versions of one table that somebody may still hold. Thread-safe.
class TableVersions {
public:
    void add(const std::shared_ptr<const Table> &version);
    /// Whether every version that is still held has the global index, so that every write that is to come tells the
    /// change log what the index needs. Once true it stays true.
    [[nodiscard]] bool all_have(storage::KeyspaceId global_index) const;

private:
    mutable std::mutex mutex_;
    std::vector<std::weak_ptr<const Table>> held_;
};

struct Table {
    model::TableDescription description;
    /// Items, local indexes and the sizes of item collections.
    std::shared_ptr<OwnedKeyspaces> storage;
    /// Of the global indexes, in the description's order.
    std::vector<std::shared_ptr<OwnedKeyspaces>> index_storages;
    /// Null: nothing needs one.
    std::shared_ptr<TableLog> log;
    std::shared_ptr<TableVersions> versions;
    /// Points into the description; null without a log.
    std::unique_ptr<const ChangeRecorder> recorder;

    [[nodiscard]] storage::KeyspaceId keyspace() const
    {
        return static_cast<storage::KeyspaceId>(description.keyspace);
    }
    /// Only of a table with local indexes.
    [[nodiscard]] storage::KeyspaceId collections_keyspace() const
    {
        return static_cast<storage::KeyspaceId>(description.collections_keyspace);
    }
    /// Only of a table with a log.
    [[nodiscard]] storage::KeyspaceId log_keyspace() const
    {
        return static_cast<storage::KeyspaceId>(description.log_keyspace);
    }
    [[nodiscard]] bool is_building() const;
};

using TablePtr = std::shared_ptr<const Table>;

/// Data can be read and written while a table is active or updating.
enum class TableStatus : std::uint8_t { creating, active, updating, deleting, gone };

/// Status follows from the times in the description, so that a transition needs no write of its own.
[[nodiscard]] TableStatus status_at(const model::TableDescription &table, std::int64_t now_ms);

} // namespace basalt::engine

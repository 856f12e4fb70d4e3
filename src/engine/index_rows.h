// Writes the rows of global indexes: what a change of an item, or an item that an index has not seen yet, comes to.
#pragma once

#include "engine/index_entries.h"
#include "engine/record_batch.h"
#include "engine/table.h"
#include "model/item_view.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace basalt::engine {

/// A row of some index: keyspace, hash, partition, sort, tail.
using IndexRowId = std::tuple<storage::KeyspaceId, std::uint64_t, std::string, std::string, std::string>;

/// The rows that were put for items of one table lately. An item is put as it is, so when several of its changes wait,
/// the row of a later one is there before the record that removes the row of an earlier one: the next record of the
/// item removes it by this. Bounded in number; what is forgotten is removed by its own record, a little later.
class RecentRows {
public:
    using Item = std::pair<std::string, std::string>; // partition, sort
    using Rows = std::set<IndexRowId>;

    [[nodiscard]] const Rows *find(const Item &item) const;
    void remember(std::vector<std::pair<Item, Rows>> put);
    /// Everything that was recorded is applied.
    void forget() { rows_.clear(); }

private:
    static constexpr std::size_t kMostItems = 4096;
    std::map<Item, Rows> rows_;
};

/// For one version of a table, which must outlive it. Used by one thread.
class IndexRows {
public:
    /// left_out: an index that is not touched.
    IndexRows(const Table &table, std::optional<storage::KeyspaceId> left_out);
    IndexRows(const IndexRows &) = delete;
    IndexRows &operator=(const IndexRows &) = delete;

    /// Brings the entries of one item up to what it is now; nothing: it is not there. recent: rows that it may have
    /// besides, or null. Returns the rows put.
    RecentRows::Rows renew(storage::Mutation &mutation, const ItemChanges &changes, std::optional<model::ItemView> item,
                           const RecentRows::Rows *recent);
    /// Puts the item's entry into that one index.
    void put(storage::Mutation &mutation, storage::KeyspaceId index, model::ItemView item);

private:
    const model::TableDescription &description_;
    std::optional<storage::KeyspaceId> left_out_;
    IndexNames names_;
    std::string buffer_;
};

} // namespace basalt::engine

// Writes the rows of global indexes: what a change of an item, or an item that an index has not seen yet, comes to.
#pragma once

#include "engine/index_entries.h"
#include "engine/record_batch.h"
#include "engine/table.h"
#include "model/item_view.h"
#include "storage/store.h"

#include <optional>
#include <string>
#include <vector>

namespace basalt::engine {

/// For one version of a table, which must outlive it. Used by one thread.
class IndexRows {
public:
    /// left_out: an index that is not touched.
    IndexRows(const Table &table, std::optional<storage::KeyspaceId> left_out);
    IndexRows(const IndexRows &) = delete;
    IndexRows &operator=(const IndexRows &) = delete;

    /// Brings the entries of one item up to what it is now; nothing: it is not there.
    void renew(storage::Mutation &mutation, const ItemChanges &changes, std::optional<model::ItemView> item);
    /// Puts the item's entry into that one index.
    void put(storage::Mutation &mutation, storage::KeyspaceId index, model::ItemView item);

private:
    const model::TableDescription &description_;
    std::optional<storage::KeyspaceId> left_out_;
    IndexNames names_;
    std::string buffer_;
};

} // namespace basalt::engine

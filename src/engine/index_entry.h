// What secondary indexes hold of an item: whether it has an entry there, under which key, with which attributes, and
// what changing it costs.
#pragma once

#include "engine/primary_key.h"
#include "model/item_view.h"
#include "model/table_description.h"
#include "storage/store.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::engine {

/// The order-preserving key of one entry. Of a local index: partition and hash as in the table, the index's sort
/// attribute, and the table's sort key behind it. Of a global one: partition and sort from the index's keys, and the
/// table's whole key behind it.
struct IndexRowKey {
    std::uint64_t hash = 0;
    std::string partition;
    std::string sort;
    std::string tail;

    /// Valid while this object stays where it is, unchanged.
    [[nodiscard]] storage::Key view() const { return storage::Key{hash, partition, sort, tail}; }
};

/// Whether the item has every key attribute of the index with its type and a legal value. Writes refuse the illegal
/// values of the indexes that are there, but an item may be older than an index.
[[nodiscard]] bool has_entry(const model::IndexDescription &index, model::MapView item);

/// The row of an item that has an entry. attributes: an item, an entry, or an ExclusiveStartKey; the keys of table and
/// index must be there.
[[nodiscard]] IndexRowKey local_index_key(const model::TableDescription &table, const model::IndexDescription &index,
                                          model::MapView attributes);

/// The same for a global index.
[[nodiscard]] IndexRowKey global_index_key(const model::TableDescription &table, const model::IndexDescription &index,
                                           model::MapView attributes);

/// Appends the sort part of a local index's row.
void append_local_sort(const model::IndexDescription &index, model::MapView attributes, std::string &out);

/// Whether entries hold the attribute: keys of table and index, projected ones, or all. For a single name; IndexEntries
/// is for whole items.
[[nodiscard]] bool is_projected(const model::TableDescription &table, const model::IndexDescription &index,
                                std::string_view attribute);

/// The entries of all local indexes together, by DynamoDB's size rule.
[[nodiscard]] std::uint64_t local_entries_size_bytes(const model::TableDescription &table, model::ItemView item);

/// Write units that a change costs on each of several indexes of the table, in their order, with one walk over each
/// item: a new entry or a removed one its size, a moved one both, one whose projected attributes changed the larger, an
/// untouched one nothing; each rounded up to whole units of 1 KB.
[[nodiscard]] std::vector<std::uint64_t> index_write_units(const model::TableDescription &table,
                                                           std::span<const model::IndexDescription> indexes,
                                                           std::optional<model::ItemView> old_item,
                                                           std::optional<model::ItemView> new_item);

} // namespace basalt::engine

#include "engine/index_rows.h"

#include "engine/index_entry.h"

#include <cstdint>
#include <set>
#include <tuple>
#include <utility>

namespace basalt::engine {
namespace {

using RowId = std::tuple<std::uint64_t, std::string, std::string, std::string>;

RowId row_id(IndexRowKey key)
{
    return {key.hash, std::move(key.partition), std::move(key.sort), std::move(key.tail)};
}

storage::Key row_key(const RowId &id)
{
    return {std::get<0>(id), std::get<1>(id), std::get<2>(id), std::get<3>(id)};
}

} // namespace

IndexRows::IndexRows(const Table &table, std::optional<storage::KeyspaceId> left_out)
    : description_(table.description),
      left_out_(left_out),
      names_(table.description, table.description.global_indexes)
{}

void IndexRows::renew(storage::Mutation &mutation, const ItemChanges &changes, std::optional<model::ItemView> item)
{
    std::optional<IndexEntries> entries;
    if (item) {
        entries.emplace(names_, *item);
    }
    for (std::size_t i = 0; i < description_.global_indexes.size(); ++i) {
        const auto &index = description_.global_indexes[i];
        const auto keyspace = static_cast<storage::KeyspaceId>(index.keyspace);
        if (keyspace == left_out_) {
            continue;
        }
        std::set<RowId> old_rows;
        for (const auto &image : changes.old_images) {
            if (has_entry(index, image.attributes())) {
                old_rows.insert(row_id(global_index_key(description_, index, image.attributes())));
            }
        }
        if (entries && entries->has(i)) {
            const auto row = row_id(global_index_key(description_, index, item->attributes()));
            old_rows.erase(row);
            mutation.put(keyspace, row_key(row), entries->bytes(i, buffer_));
        }
        for (const auto &row : old_rows) {
            mutation.remove(keyspace, row_key(row));
        }
    }
}

void IndexRows::put(storage::Mutation &mutation, storage::KeyspaceId index, model::ItemView item)
{
    const IndexEntries entries(names_, item);
    for (std::size_t i = 0; i < description_.global_indexes.size(); ++i) {
        const auto &wanted = description_.global_indexes[i];
        if (static_cast<storage::KeyspaceId>(wanted.keyspace) == index && entries.has(i)) {
            const auto key = global_index_key(description_, wanted, item.attributes());
            mutation.put(index, key.view(), entries.bytes(i, buffer_));
        }
    }
}

} // namespace basalt::engine

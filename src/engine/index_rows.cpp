#include "engine/index_rows.h"

#include "engine/index_entry.h"

#include <utility>

namespace basalt::engine {
namespace {

IndexRowId row_id(storage::KeyspaceId index, IndexRowKey key)
{
    return {index, key.hash, std::move(key.partition), std::move(key.sort), std::move(key.tail)};
}

storage::Key row_key(const IndexRowId &id)
{
    return {std::get<1>(id), std::get<2>(id), std::get<3>(id), std::get<4>(id)};
}

} // namespace

const RecentRows::Rows *RecentRows::find(const Item &item) const
{
    const auto found = rows_.find(item);
    return found == rows_.end() ? nullptr : &found->second;
}

void RecentRows::remember(std::vector<std::pair<Item, Rows>> put)
{
    for (auto &[item, rows] : put) {
        if (rows_.size() < kMostItems || rows_.contains(item)) {
            rows_.insert_or_assign(std::move(item), std::move(rows));
        }
    }
}

IndexRows::IndexRows(const Table &table, std::optional<storage::KeyspaceId> left_out)
    : description_(table.description),
      left_out_(left_out),
      names_(table.description, table.description.global_indexes)
{}

RecentRows::Rows IndexRows::renew(storage::Mutation &mutation, const ItemChanges &changes,
                                  std::optional<model::ItemView> item, const RecentRows::Rows *recent)
{
    RecentRows::Rows gone = recent != nullptr ? *recent : RecentRows::Rows();
    RecentRows::Rows put;
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
        for (const auto &image : changes.old_images) {
            if (has_entry(index, image.attributes())) {
                gone.insert(row_id(keyspace, global_index_key(description_, index, image.attributes())));
            }
        }
        if (entries && entries->has(i)) {
            const auto row =
                put.insert(row_id(keyspace, global_index_key(description_, index, item->attributes()))).first;
            mutation.put(keyspace, row_key(*row), entries->bytes(i, buffer_));
        }
    }
    for (const auto &row : gone) {
        if (!put.contains(row)) {
            mutation.remove(std::get<0>(row), row_key(row));
        }
    }
    return put;
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

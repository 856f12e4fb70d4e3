#include "engine/index_entry.h"

#include "codec/key_encoding.h"
#include "engine/index_entries.h"
#include "model/limits.h"

#include <algorithm>

namespace basalt::engine {
namespace {

using model::IndexDescription;
using model::TableDescription;

/// The bytes of the key values; nothing if one is missing or cannot be in a key.
std::optional<std::size_t> bytes_of_keys(std::span<const model::KeyElement> elements, model::MapView item, bool is_hash)
{
    std::size_t bytes = 0;
    for (const auto &element : elements) {
        const auto value = item.find(element.name);
        if (!value || !is_key_value(element.type, *value, is_hash)) {
            return std::nullopt;
        }
        bytes += key_bytes(*value);
    }
    return bytes;
}

bool names(std::span<const model::KeyElement> elements, std::string_view attribute)
{
    return std::any_of(elements.begin(), elements.end(),
                       [&](const model::KeyElement &element) { return element.name == attribute; });
}

void append_parts(std::span<const model::KeyElement> elements, model::MapView attributes, std::string &out)
{
    if (elements.size() == 1) {
        codec::append_key_part(attributes.find(elements.front().name).value(), out);
        return;
    }
    std::string part;
    for (const auto &element : elements) {
        part.clear();
        codec::append_key_part(attributes.find(element.name).value(), part);
        codec::append_ended(part, out);
    }
}

constexpr std::uint64_t write_units(std::uint64_t bytes)
{
    return (bytes + model::kWriteUnitBytes - 1) / model::kWriteUnitBytes;
}

} // namespace

bool has_entry(const IndexDescription &index, model::MapView item)
{
    if (!bytes_of_keys(index.keys.hash, item, true)) {
        return false;
    }
    const auto range_bytes = bytes_of_keys(index.keys.range, item, false);
    return range_bytes && *range_bytes <= model::kMaxSortKeyBytes;
}

IndexRowKey local_index_key(const TableDescription &table, const IndexDescription &index, model::MapView attributes)
{
    auto base = key_from_stored(table.keys, attributes);
    IndexRowKey key;
    key.hash = base.hash;
    key.partition = std::move(base.partition);
    append_local_sort(index, attributes, key.sort);
    key.tail = std::move(base.sort);
    return key;
}

IndexRowKey global_index_key(const TableDescription &table, const IndexDescription &index, model::MapView attributes)
{
    const auto base = key_from_stored(table.keys, attributes);
    IndexRowKey key;
    append_parts(index.keys.hash, attributes, key.partition);
    append_parts(index.keys.range, attributes, key.sort);
    key.hash = codec::partition_hash(key.partition);
    codec::append_ended(base.partition, key.tail);
    codec::append_ended(base.sort, key.tail);
    return key;
}

void append_local_sort(const IndexDescription &index, model::MapView attributes, std::string &out)
{
    if (!index.keys.range.empty()) {
        codec::append_key_part(attributes.find(index.keys.range.front().name).value(), out);
    }
}

bool is_projected(const TableDescription &table, const IndexDescription &index, std::string_view attribute)
{
    if (index.projection == model::ProjectionType::all || names(table.keys.hash, attribute) ||
        names(table.keys.range, attribute) || names(index.keys.hash, attribute) || names(index.keys.range, attribute)) {
        return true;
    }
    return index.projection == model::ProjectionType::include &&
           std::binary_search(index.non_key_attributes.begin(), index.non_key_attributes.end(), attribute);
}

std::uint64_t local_entries_size_bytes(const TableDescription &table, model::ItemView item)
{
    if (table.local_indexes.empty()) {
        return 0;
    }
    return IndexEntries(IndexNames(table, table.local_indexes), item).size_bytes();
}

std::vector<std::uint64_t> index_write_units(const TableDescription &table, std::span<const IndexDescription> indexes,
                                             std::optional<model::ItemView> old_item,
                                             std::optional<model::ItemView> new_item)
{
    std::vector<std::uint64_t> units(indexes.size());
    if (indexes.empty()) {
        return units;
    }
    const IndexNames names(table, indexes);
    const auto entries_of = [&](const std::optional<model::ItemView> &item) {
        return item ? std::optional<IndexEntries>(std::in_place, names, *item) : std::nullopt;
    };
    const auto before = entries_of(old_item);
    const auto after = entries_of(new_item);
    std::optional<bool> same_items; // for the indexes that hold whole items
    const auto is_untouched = [&](std::size_t index) {
        if (indexes[index].projection != model::ProjectionType::all) {
            return before->same_attributes(index, *after);
        }
        if (!same_items) {
            same_items = before->same_attributes(index, *after);
        }
        return *same_items;
    };
    for (std::size_t i = 0; i < indexes.size(); ++i) {
        const auto old_bytes = before ? before->size_bytes(i) : 0;
        const auto new_bytes = after ? after->size_bytes(i) : 0;
        if (!before || !after || !before->has(i) || !after->has(i)) {
            units[i] = write_units(old_bytes + new_bytes);
        } else if (!before->same_keys(i, *after)) {
            units[i] = write_units(old_bytes) + write_units(new_bytes);
        } else {
            units[i] = is_untouched(i) ? 0 : write_units(std::max(old_bytes, new_bytes));
        }
    }
    return units;
}

} // namespace basalt::engine

#include "engine/change_recorder.h"

#include "codec/change_record.h"

#include <algorithm>

namespace basalt::engine {
namespace {

model::IndexDescription table_keys(const model::TableDescription &table)
{
    model::IndexDescription index;
    index.keys = table.keys;
    index.projection = model::ProjectionType::keys_only;
    return index;
}

model::IndexDescription all_keys(const model::TableDescription &table)
{
    auto index = table_keys(table);
    index.projection = model::ProjectionType::include;
    for (const auto &global : table.global_indexes) {
        for (const auto *elements : {&global.keys.hash, &global.keys.range}) {
            for (const auto &element : *elements) {
                index.non_key_attributes.push_back(element.name);
            }
        }
    }
    std::sort(index.non_key_attributes.begin(), index.non_key_attributes.end());
    index.non_key_attributes.erase(std::unique(index.non_key_attributes.begin(), index.non_key_attributes.end()),
                                   index.non_key_attributes.end());
    return index;
}

} // namespace

ChangeRecorder::ChangeRecorder(const model::TableDescription &table)
    : table_(table),
      indexes_(table, table.global_indexes),
      keys_(table_keys(table)),
      all_keys_(all_keys(table)),
      keys_names_(table, {&keys_, 1}),
      all_keys_names_(table, {&all_keys_, 1})
{}

bool ChangeRecorder::touches_an_index(std::optional<model::ItemView> old_item,
                                      std::optional<model::ItemView> new_item) const
{
    const auto entries_of = [&](const std::optional<model::ItemView> &item) {
        return item ? std::optional<IndexEntries>(std::in_place, indexes_, *item) : std::nullopt;
    };
    const auto before = entries_of(old_item);
    const auto after = entries_of(new_item);
    for (std::size_t i = 0; i < table_.global_indexes.size(); ++i) {
        const bool was = before && before->has(i);
        const bool is = after && after->has(i);
        if (was != is || (was && !before->same_bytes(i, *after))) {
            return true;
        }
    }
    return false;
}

bool ChangeRecorder::record(std::optional<model::ItemView> old_item, std::optional<model::ItemView> new_item,
                            std::string &out) const
{
    if (!touches_an_index(old_item, new_item)) {
        return false;
    }
    const IndexEntries image(old_item ? all_keys_names_ : keys_names_, old_item ? *old_item : *new_item);
    std::string buffer;
    out.clear();
    codec::append_change_record(old_item.has_value(), image.bytes(0, buffer), out);
    return true;
}

} // namespace basalt::engine

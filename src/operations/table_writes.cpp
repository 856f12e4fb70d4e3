#include "operations/table_writes.h"

#include "operations/single_write.h"

#include <algorithm>

namespace basalt::operations {

TableWrites::TableWrites(std::string_view request_name, engine::TablePtr of, CapacityKind kind)
    : name(request_name),
      table(std::move(of)),
      capacity(table->description, kind),
      kind_(kind)
{}

void TableWrites::restart()
{
    capacity = CapacityUse(table->description, kind_);
    collections.clear();
}

void TableWrites::add_collection(model::MapView key, std::uint64_t bytes)
{
    const auto &hash = table->description.keys.hash.front().name;
    const auto value = key.find(hash).value().bytes();
    const auto found = std::ranges::find_if(
        collections, [&](const auto &collection) { return collection.first.find(hash).value().bytes() == value; });
    if (found != collections.end()) {
        found->second = bytes;
    } else {
        collections.emplace_back(key, bytes);
    }
}

void write_consumed_capacity(protocol::JsonWriter &out, CapacityReport report, const std::deque<TableWrites> &tables)
{
    if (report == CapacityReport::none) {
        return;
    }
    out.key("ConsumedCapacity");
    out.begin_array();
    for (const auto &table : tables) {
        table.capacity.write(out, report);
    }
    out.end_array();
}

void write_collection_metrics(protocol::JsonWriter &out, const protocol::Node &return_item_collection_metrics,
                              const std::deque<TableWrites> &tables)
{
    bool any = false;
    for (const auto &table : tables) {
        if (!wants_collection_metrics(table.table->description, return_item_collection_metrics) ||
            table.collections.empty()) {
            continue;
        }
        if (!std::exchange(any, true)) {
            out.key("ItemCollectionMetrics");
            out.begin_object();
        }
        out.key(table.name);
        out.begin_array();
        for (const auto &[key, bytes] : table.collections) {
            write_collection_metrics(out, table.table->description, key, bytes);
        }
        out.end_array();
    }
    if (any) {
        out.end_object();
    }
}

} // namespace basalt::operations

// What the writes of a batch or a transaction come to, table by table: consumed capacity and item collections.
#pragma once

#include "operations/consumed_capacity.h"
#include "operations/operation.h"
#include "protocol/document.h"
#include "protocol/json_writer.h"

#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>
#include <vector>

namespace basalt::operations {

/// One table of a request. Its writes point to it.
struct TableWrites {
    TableWrites(std::string_view request_name, engine::TablePtr of, CapacityKind kind);

    /// Forgets what an earlier run of the writes came to.
    void restart();
    /// A write that is about to be committed. key: attributes with the partition key among them.
    void add_collection(model::MapView key, std::uint64_t bytes);

    std::string_view name; // as the request names it
    engine::TablePtr table;
    CapacityUse capacity;
    /// Item collections by their keys, with their sizes.
    std::vector<std::pair<model::MapView, std::uint64_t>> collections;

private:
    CapacityKind kind_;
};

/// Writes the member ConsumedCapacity, a list, if one was asked for.
void write_consumed_capacity(protocol::JsonWriter &out, CapacityReport report, const std::deque<TableWrites> &tables);
/// Writes the member ItemCollectionMetrics, a map from table to list, if it was asked for and there is any.
void write_collection_metrics(protocol::JsonWriter &out, const protocol::Node &return_item_collection_metrics,
                              const std::deque<TableWrites> &tables);

} // namespace basalt::operations

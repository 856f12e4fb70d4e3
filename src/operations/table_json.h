// TableDescription as responses show it.
#pragma once

#include "engine/table.h"
#include "operations/operation.h"
#include "protocol/json_writer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::operations {

/// Which fields a response carries; they differ by operation as on the service.
enum class TableView : std::uint8_t { created, described, deleted };

/// What there is to say of a table beyond its description.
struct TableMoment {
    engine::TableStatus status = engine::TableStatus::active;
    std::int64_t now_ms = 0;
    /// Names of the global indexes whose warm throughput is being raised; an empty one stands for the table.
    std::vector<std::string> warming = {};
    bool encrypting = false; // the key is being changed
};

/// Writes the value of TableDescription / Table.
void write_table(protocol::JsonWriter &out, const Context &context, const model::TableDescription &table,
                 const TableMoment &moment, TableView view);

/// arn:aws:dynamodb:<region>:<account>:table/<name>
[[nodiscard]] std::string table_arn(const Context &context, std::string_view name);

} // namespace basalt::operations

// TableDescription as responses show it.
#pragma once

#include "engine/table.h"
#include "operations/operation.h"
#include "protocol/json_writer.h"

namespace basalt::operations {

/// Which fields a response carries; they differ by operation as on the service.
enum class TableView : std::uint8_t { created, described, deleted };

/// Writes the value of TableDescription / Table.
void write_table(protocol::JsonWriter &out, const Context &context, const model::TableDescription &table,
                 engine::TableStatus status, TableView view);

/// arn:aws:dynamodb:<region>:<account>:table/<name>
[[nodiscard]] std::string table_arn(const Context &context, std::string_view name);

} // namespace basalt::operations

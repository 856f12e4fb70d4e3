// Key schemas and secondary indexes as CreateTable and UpdateTable give them.
#pragma once

#include "basalt/result.h"
#include "model/table_description.h"
#include "protocol/document.h"

#include <string>
#include <string_view>
#include <vector>

namespace basalt::operations {

/// The text that opens most errors of CreateTable and UpdateTable.
inline constexpr std::string_view kInvalidParameters = "One or more parameter values were invalid: ";

/// The table's own KeySchema against AttributeDefinitions. Errors (validation).
[[nodiscard]] Result<model::KeySchema> table_key_schema(const protocol::Node &key_schema,
                                                        const std::vector<model::AttributeDefinition> &attributes);

/// Fills the indexes of a description whose attributes, keys and billing mode are set. Errors (validation).
[[nodiscard]] Result<void> add_local_indexes(const protocol::Node &indexes, model::TableDescription &table);
[[nodiscard]] Result<void> add_global_indexes(const protocol::Node &indexes, model::TableDescription &table);

/// Names unique over both kinds, at most 100 projected attributes in all. Errors (validation).
[[nodiscard]] Result<void> check_indexes_together(const model::TableDescription &table);

/// Names as the service prints them in a list: "[a, b]".
[[nodiscard]] std::string name_list(const std::vector<std::string> &names);
[[nodiscard]] std::vector<std::string> attribute_names(const std::vector<model::AttributeDefinition> &attributes);

/// AttributeDefinitions as given. Error (validation): a name twice.
[[nodiscard]] Result<std::vector<model::AttributeDefinition>> read_attributes(const protocol::Node &definitions);

/// One global index, its throughput as given and unchecked. given: a GlobalSecondaryIndex or a
/// CreateGlobalSecondaryIndexAction. Errors (validation).
[[nodiscard]] Result<model::IndexDescription>
read_global_index(const protocol::Node &given, const std::vector<model::AttributeDefinition> &attributes);

} // namespace basalt::operations

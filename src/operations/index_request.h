// Key schemas and secondary indexes as CreateTable gives them.
#pragma once

#include "basalt/result.h"
#include "model/table_description.h"
#include "protocol/document.h"

#include <string>
#include <string_view>
#include <vector>

namespace basalt::operations {

/// The text that opens most of CreateTable's errors.
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

/// A structure of two optional unit counts; -1 for one that is missing.
[[nodiscard]] model::Units units_of(const protocol::Node &read, const protocol::Node &write);

} // namespace basalt::operations

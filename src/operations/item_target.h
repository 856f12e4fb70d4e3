// The table that an item operation names.
#pragma once

#include "operations/operation.h"

#include <string_view>

namespace basalt::operations {

/// The active table that a TableName member names, by name or ARN. Errors: validation (bad ARN), resource_not_found.
[[nodiscard]] Result<engine::TablePtr> item_table(const Context &context, const protocol::Node &table_name);

} // namespace basalt::operations

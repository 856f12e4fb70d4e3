// The table that a request names, by name or ARN.
#pragma once

#include "operations/operation.h"

#include <string_view>

namespace basalt::operations {

/// The name in a TableName; it points into the request. An ARN must be of this region and account, so that a request
/// meant for somebody else's table never reaches the one of the same name here. Errors: validation (no ARN, or another
/// region), access_denied (another account).
[[nodiscard]] Result<std::string_view> local_table_name(const Context &context, std::string_view table_name);

/// The active table that a TableName of an item operation names. Errors: as above, resource_not_found.
[[nodiscard]] Result<engine::TablePtr> item_table(const Context &context, std::string_view table_name);
[[nodiscard]] Result<engine::TablePtr> item_table(const Context &context, const protocol::Node &table_name);

} // namespace basalt::operations

// What UpdateTable does to the list of global indexes.
#pragma once

#include "basalt/result.h"
#include "operations/update_table_request.h"
#include "operations/update_table_throughput.h"

namespace basalt::operations {

/// Creates or deletes the index that the request names, if any, and gives the table the attributes that its keys need
/// then. Errors: validation, limit_exceeded, resource_not_found.
[[nodiscard]] Result<void> apply_index_change(const UpdateTableRequest &request, const UpdateTimes &times,
                                              model::TableDescription &table);

} // namespace basalt::operations

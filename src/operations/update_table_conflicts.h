// Whether a table is free for an update while earlier ones may still be going on.
#pragma once

#include "basalt/result.h"
#include "operations/update_table_request.h"

#include <cstdint>

namespace basalt::operations {

/// Errors: resource_in_use, and limit_exceeded for a second index that would be created or deleted at the same time.
/// Settings that an update in progress does not touch are free.
[[nodiscard]] Result<void> check_free(const UpdateTableRequest &request, const model::TableDescription &table,
                                      std::int64_t now_ms);

} // namespace basalt::operations

// What UpdateTable does to billing mode, units, maxima and warm throughput.
#pragma once

#include "basalt/result.h"
#include "operations/update_table_request.h"

#include <cstdint>
#include <string_view>

namespace basalt::operations {

/// When an update begins and when its effect is complete.
struct UpdateTimes {
    std::int64_t now_ms = 0;
    std::int64_t until_ms = 0;
};

/// The global index of that name. what: "update" or "delete". Errors: validation (a local index), resource_not_found.
[[nodiscard]] Result<model::IndexDescription *> find_global_index(model::TableDescription &table, std::string_view name,
                                                                  std::string_view what);

/// Changes table; it is left half changed after an error. Errors: validation, limit_exceeded, resource_not_found.
[[nodiscard]] Result<void> apply_throughput(const UpdateTableRequest &request, const UpdateTimes &times,
                                            std::string_view region, model::TableDescription &table);

} // namespace basalt::operations

// Read and write units as requests give them, and the service's rules for them.
#pragma once

#include "basalt/result.h"
#include "model/table_description.h"
#include "protocol/document.h"

#include <optional>
#include <string_view>

namespace basalt::operations {

/// Structures of two optional unit counts; -1 for one that is missing.
[[nodiscard]] model::Units provisioned_units(const protocol::Node &given);
[[nodiscard]] model::Units on_demand_units(const protocol::Node &given);
[[nodiscard]] model::Units warm_units(const protocol::Node &given);

/// Counts that are too large to be compared with anything.
[[nodiscard]] bool are_out_of_bounds(const model::Units &provisioned);
/// The same as an error (validation) in the words for a table.
[[nodiscard]] Result<void> check_written_units(const model::Units &provisioned);

/// What an account may provision for one table. Error: limit_exceeded.
[[nodiscard]] Result<void> check_account_limits(const model::Units &provisioned, std::string_view region);

/// On-demand maxima and warm throughput of a new table, or of a new index if one is named. Errors (validation).
[[nodiscard]] Result<void> check_new_throughput(const std::optional<model::Units> &on_demand,
                                                const std::optional<model::Units> &warm,
                                                const model::Units &provisioned, bool on_demand_mode,
                                                std::string_view index);

/// A maximum is 1 or more. name: of the member. Error (validation).
[[nodiscard]] Result<void> check_maximum(std::string_view name, std::int64_t value, std::string_view index);

/// What a table or an index is warm for: what was asked for, where it was, else what the service gives by itself.
[[nodiscard]] model::Units effective_warm(const std::optional<model::Units> &asked, const model::Units &provisioned,
                                          model::BillingMode mode);

} // namespace basalt::operations

// UpdateTable's input, with the checks that need no table.
#pragma once

#include "basalt/result.h"
#include "model/table_description.h"
#include "operations/operation.h"
#include "operations/table_settings.h"
#include "protocol/document.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::operations {

/// Maxima to be set, or taken away (-1); those that are not given stay.
struct MaximaChange {
    std::optional<std::int64_t> read;
    std::optional<std::int64_t> write;
};

/// What is new for one global index.
struct IndexUpdate {
    std::string_view name;
    std::optional<model::Units> provisioned;
    std::optional<MaximaChange> on_demand;
    std::optional<model::Units> warm;
};

struct UpdateTableRequest {
    std::optional<model::BillingMode> billing_mode;
    std::optional<model::Units> provisioned;
    std::optional<MaximaChange> on_demand;
    std::optional<model::Units> warm;
    std::vector<IndexUpdate> updates;
    /// Indexes to be created or deleted; if there is one, it is in `created` or `deleted`.
    std::size_t online_changes = 0;
    std::optional<model::IndexDescription> created;
    bool created_has_units = false;
    std::string_view deleted; // a name; empty: none
    std::optional<bool> deletion_protection;
    std::optional<std::string> table_class;
    std::optional<Encryption> encryption;
    bool encryption_names_key = false;
    std::optional<bool> stream; // to be enabled, or disabled
};

/// The views in the result point into input. Errors (validation): the service's texts, in its order.
[[nodiscard]] Result<UpdateTableRequest> read_update_table(const Context &context, const protocol::Node &input);

} // namespace basalt::operations

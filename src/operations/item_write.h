// What PutItem and DeleteItem share: the response with the old item and the consumed capacity.
#pragma once

#include "operations/consumed_capacity.h"
#include "operations/operation.h"

#include <optional>
#include <string>

namespace basalt::operations {

/// How the response of one write is to look.
struct WriteResponse {
    const model::TableDescription &table;
    bool old_item = false; // ReturnValues=ALL_OLD
    CapacityReport report = CapacityReport::none;
    std::uint64_t new_bytes = 0;

    /// Whether the write has to read what it replaces.
    [[nodiscard]] bool needs_old_item() const { return old_item || report != CapacityReport::none; }
    /// Replaces body by the response.
    void write(std::optional<model::ItemView> old, std::string &body) const;
};

/// Members that both requests have.
struct WriteParameters {
    const protocol::Node &condition_expression;
    const protocol::Node &expected;
    const protocol::Node &conditional_operator;
    const protocol::Node &names;
    const protocol::Node &values;
    const protocol::Node &attributes; // Item or Key
};
/// Conditions, which are not built yet, then placeholders without one, then faults inside the attribute values.
/// Error (validation).
[[nodiscard]] Result<void> check_write_parameters(const WriteParameters &parameters);

/// ReturnItemCollectionMetrics=SIZE on a table with local indexes is not built yet and refused; elsewhere it has no
/// effect. Error (validation).
[[nodiscard]] Result<void> refuse_collection_metrics(const model::TableDescription &table,
                                                     const protocol::Node &return_item_collection_metrics);

} // namespace basalt::operations

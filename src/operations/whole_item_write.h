// PutItem and DeleteItem, which differ in little: one puts an item in the place of what was there, the other nothing.
#pragma once

#include "operations/single_write.h"

#include <optional>
#include <string>

namespace basalt::operations {

/// The members that both requests have.
struct WholeItemRequest {
    const protocol::Node &attributes; // Item or Key
    const protocol::Node &return_values;
    const protocol::Node &expected;
    const protocol::Node &conditional_operator;
    const protocol::Node &condition_expression;
    const protocol::Node &names;
    const protocol::Node &values;
    const protocol::Node &return_values_on_failure;
    const protocol::Node &return_consumed_capacity;
    const protocol::Node &return_item_collection_metrics;
};

/// What a request asks for besides the item.
struct WholeItemOptions {
    WriteCondition condition;
    bool returns_old_item = false;
};

/// Everything that needs no table, in the service's order. limit_bytes: what an item may come to. parameters
/// must outlive the result. Errors (validation).
[[nodiscard]] Result<WholeItemOptions> check_whole_item_request(const WholeItemRequest &request,
                                                                std::optional<std::size_t> limit_bytes,
                                                                ExpressionParameters &parameters);

/// Runs the write once the key is known. item: nothing to delete.
[[nodiscard]] storage::Outcome write_whole_item(const Context &context, storage::Wait wait, const engine::Table &table,
                                                const engine::PrimaryKey &key, std::optional<model::ItemView> item,
                                                const WholeItemRequest &request, const WholeItemOptions &options,
                                                std::string &body);

} // namespace basalt::operations

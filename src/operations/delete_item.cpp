// DeleteItem: removes one item; deleting what is not there succeeds.
#include "operations/item_target.h"
#include "operations/operation.h"
#include "operations/whole_item_write.h"
#include "protocol/service_members.h"

#include <algorithm>

namespace basalt::operations {

namespace members = protocol::delete_item_input;

storage::Outcome delete_item(const Context &context, storage::Wait wait, const protocol::Node &input, std::string &body)
{
    const WholeItemRequest request{input[members::key],
                                   input[members::return_values],
                                   input[members::expected],
                                   input[members::conditional_operator],
                                   input[members::condition_expression],
                                   input[members::expression_attribute_names],
                                   input[members::expression_attribute_values],
                                   input[members::return_values_on_condition_check_failure],
                                   input[members::return_consumed_capacity],
                                   input[members::return_item_collection_metrics]};
    ExpressionParameters parameters(context);
    auto options = check_whole_item_request(request, std::nullopt, parameters);
    if (!options) {
        return reject(std::move(options).error());
    }
    auto table = item_table(context, input[members::table_name]);
    const auto seen = context.engine.catalog().ticket();
    if (!table) {
        return reject(std::move(table).error(), seen);
    }
    const auto &description = (*table)->description;
    auto key = engine::key_from_parameter(description.keys, input[members::key].item().attributes());
    if (!key) {
        return reject(std::move(key).error(), seen);
    }
    if (auto checked = options->condition.check_paths(description); !checked) {
        return reject(std::move(checked).error(), seen);
    }
    auto outcome = write_whole_item(context, wait, **table, *key, std::nullopt, request, *options, body);
    outcome.ticket = std::max(outcome.ticket, seen);
    return outcome;
}

} // namespace basalt::operations

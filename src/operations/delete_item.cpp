// DeleteItem: removes one item; deleting what is not there succeeds.
#include "operations/item_target.h"
#include "operations/item_write.h"
#include "operations/operation.h"
#include "operations/request_checks.h"
#include "protocol/service_members.h"

namespace basalt::operations {

namespace members = protocol::delete_item_input;

namespace {

/// Everything that needs no table. Returns whether the old item is wanted.
Result<bool> check_request(const protocol::Node &input)
{
    if (auto checked =
            check_write_parameters({input[members::condition_expression], input[members::expected],
                                    input[members::conditional_operator], input[members::expression_attribute_names],
                                    input[members::expression_attribute_values], input[members::key]});
        !checked) {
        return fail(std::move(checked).error());
    }
    return wants_old_item(input[members::return_values]);
}

} // namespace

storage::Outcome delete_item(const Context &context, storage::Wait wait, const protocol::Node &input, std::string &body)
{
    auto wants_old = check_request(input);
    if (!wants_old) {
        return reject(std::move(wants_old).error());
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
    if (auto checked = refuse_collection_metrics(description, input[members::return_item_collection_metrics]);
        !checked) {
        return reject(std::move(checked).error(), seen);
    }
    const WriteResponse response{description, *wants_old, capacity_report(input[members::return_consumed_capacity]), 0};
    const auto encode = [&](std::optional<model::ItemView> old) { response.write(old, body); };
    const engine::ItemConsumer consumer(encode);
    if (!response.needs_old_item()) {
        encode(std::nullopt);
    }
    auto outcome = context.engine.delete_item(wait, **table, *key, response.needs_old_item() ? &consumer : nullptr);
    outcome.ticket = std::max(outcome.ticket, seen);
    return outcome;
}

} // namespace basalt::operations

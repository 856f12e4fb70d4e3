// PutItem: replaces one whole item.
#include "model/limits.h"
#include "operations/item_target.h"
#include "operations/item_write.h"
#include "operations/operation.h"
#include "operations/request_checks.h"
#include "protocol/service_members.h"

namespace basalt::operations {

namespace members = protocol::put_item_input;

namespace {

/// Everything that needs no table. Returns whether the old item is wanted.
Result<bool> check_request(const protocol::Node &input)
{
    if (auto checked =
            check_write_parameters({input[members::condition_expression], input[members::expected],
                                    input[members::conditional_operator], input[members::expression_attribute_names],
                                    input[members::expression_attribute_values], input[members::item]});
        !checked) {
        return fail(std::move(checked).error());
    }
    auto wants_old = wants_old_item(input[members::return_values]);
    if (wants_old && input[members::item].item().size_bytes() > model::kMaxItemBytes) {
        return fail(ErrorCode::validation, "Item size has exceeded the maximum allowed size");
    }
    return wants_old;
}

} // namespace

storage::Outcome put_item(const Context &context, storage::Wait wait, const protocol::Node &input, std::string &body)
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
    const auto item = input[members::item].item();
    auto key = engine::key_from_item(description.keys, item.attributes());
    if (!key) {
        return reject(std::move(key).error(), seen);
    }
    if (auto checked = engine::check_index_keys(description, item.attributes()); !checked) {
        return reject(std::move(checked).error(), seen);
    }
    if (auto checked = refuse_collection_metrics(description, input[members::return_item_collection_metrics]);
        !checked) {
        return reject(std::move(checked).error(), seen);
    }
    const WriteResponse response{description, *wants_old, capacity_report(input[members::return_consumed_capacity]),
                                 item.size_bytes()};
    const auto encode = [&](std::optional<model::ItemView> old) { response.write(old, body); };
    const engine::ItemConsumer consumer(encode);
    if (!response.needs_old_item()) {
        encode(std::nullopt);
    }
    auto outcome = context.engine.put_item(wait, **table, *key, item, response.needs_old_item() ? &consumer : nullptr);
    outcome.ticket = std::max(outcome.ticket, seen);
    return outcome;
}

} // namespace basalt::operations

// GetItem: one item by its key.
#include "operations/consumed_capacity.h"
#include "operations/item_target.h"
#include "operations/operation.h"
#include "operations/request_checks.h"
#include "protocol/json_writer.h"
#include "protocol/service_members.h"

namespace basalt::operations {

namespace members = protocol::get_item_input;

storage::Outcome get_item(const Context &context, storage::Wait wait, const protocol::Node &input, std::string &body)
{
    if (auto checked = refuse_unbuilt({{input[members::attributes_to_get], "AttributesToGet"},
                                       {input[members::projection_expression], "ProjectionExpression"}});
        !checked) {
        return reject(std::move(checked).error());
    }
    if (input[members::expression_attribute_names].present()) {
        return reject(ErrorCode::validation, "ExpressionAttributeNames can only be specified when using expressions");
    }
    if (auto checked = check_values(input[members::key]); !checked) {
        return reject(std::move(checked).error());
    }
    auto table = item_table(context, input[members::table_name]);
    if (!table) {
        return reject(std::move(table).error(), context.engine.catalog().ticket());
    }
    const auto &description = (*table)->description;
    auto key = engine::key_from_parameter(description.keys, input[members::key].item().attributes());
    if (!key) {
        return reject(std::move(key).error(), context.engine.catalog().ticket());
    }
    const bool consistent = input[members::consistent_read].boolean_or(false);
    const auto report = capacity_report(input[members::return_consumed_capacity]);
    auto outcome = context.engine.get_item(
        wait, **table, *key, consistent ? storage::Consistency::strong : storage::Consistency::eventual,
        [&](std::optional<model::ItemView> item) {
            body.clear();
            protocol::JsonWriter out(body);
            out.begin_object();
            if (item) {
                out.key("Item");
                out.attributes(item->attributes());
            }
            write_consumed_capacity(out, report, description.name,
                                    read_units(item ? item->size_bytes() : 0, consistent));
            out.end_object();
        });
    outcome.ticket = std::max(outcome.ticket, context.engine.catalog().ticket());
    return outcome;
}

} // namespace basalt::operations

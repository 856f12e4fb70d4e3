// GetItem: one item by its key.
#include "operations/consumed_capacity.h"
#include "operations/expression_parameters.h"
#include "operations/item_projection.h"
#include "operations/item_target.h"
#include "operations/operation.h"
#include "operations/request_checks.h"
#include "protocol/json_writer.h"
#include "protocol/service_members.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace basalt::operations {

namespace members = protocol::get_item_input;

namespace {

ProjectionMembers projection_members(const protocol::Node &input)
{
    return {input[members::attributes_to_get], input[members::projection_expression],
            input[members::expression_attribute_names]};
}

/// Everything that needs no table, in the service's order. The projection points into expressions.
Result<std::optional<expression::Projection>> check_request(const protocol::Node &input,
                                                            ExpressionParameters &expressions)
{
    const auto projection = projection_members(input);
    if (auto checked = check_projection_styles(projection); !checked) {
        return fail(std::move(checked).error());
    }
    if (auto checked = check_values(input[members::key]); !checked) {
        return fail(std::move(checked).error());
    }
    return read_projection(projection, expressions);
}

} // namespace

storage::Outcome get_item(const Context &context, storage::Wait wait, const protocol::Node &input, std::string &body)
{
    ExpressionParameters expressions(context);
    auto projection = check_request(input, expressions);
    if (!projection) {
        return reject(std::move(projection).error());
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
    if (*projection) {
        if (auto checked = check_key_paths(description, **projection); !checked) {
            return reject(std::move(checked).error(), seen);
        }
    }
    const bool consistent = input[members::consistent_read].boolean_or(false);
    const auto report = capacity_report(input[members::return_consumed_capacity]);
    std::string projected;
    auto outcome = context.engine.get_item(wait, **table, *key,
                                           consistent ? storage::Consistency::strong : storage::Consistency::eventual,
                                           [&](std::optional<model::ItemView> item) {
                                               body.clear();
                                               protocol::JsonWriter out(body);
                                               out.begin_object();
                                               if (item) {
                                                   out.key("Item");
                                                   write_projected(out, item->attributes(), *projection, projected);
                                               }
                                               CapacityUse use(description);
                                               use.add_table(read_units(item ? item->size_bytes() : 0, consistent));
                                               write_consumed_capacity(out, report, use);
                                               out.end_object();
                                           });
    outcome.ticket = std::max(outcome.ticket, seen);
    return outcome;
}

} // namespace basalt::operations

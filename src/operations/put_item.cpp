// PutItem: replaces one whole item.
#include "model/limits.h"
#include "operations/item_target.h"
#include "operations/operation.h"
#include "operations/whole_item_write.h"
#include "protocol/service_members.h"

#include <algorithm>

namespace basalt::operations {

namespace members = protocol::put_item_input;

namespace {

/// The key, after everything that the schema demands.
Result<engine::PrimaryKey> check_against_table(const model::TableDescription &table, model::ItemView item,
                                               const WriteCondition &condition)
{
    auto key = engine::key_from_item(table.keys, item.attributes());
    if (!key) {
        return key;
    }
    auto checked = engine::check_index_keys(table, item.attributes());
    if (checked) {
        checked = condition.check_paths(table);
    }
    if (checked) {
        checked = check_fits(table, item, "Item size has exceeded the maximum allowed size");
    }
    if (!checked) {
        return fail(std::move(checked).error());
    }
    return key;
}

} // namespace

storage::Outcome put_item(const Context &context, storage::Wait wait, const protocol::Node &input, std::string &body)
{
    const WholeItemRequest request{input[members::item],
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
    auto options = check_whole_item_request(request, model::kMaxItemBytes, parameters);
    if (!options) {
        return reject(std::move(options).error());
    }
    auto table = item_table(context, input[members::table_name]);
    const auto seen = context.engine.catalog().ticket();
    if (!table) {
        return reject(std::move(table).error(), seen);
    }
    const auto item = input[members::item].item();
    auto key = check_against_table((*table)->description, item, options->condition);
    if (!key) {
        return reject(std::move(key).error(), seen);
    }
    auto outcome = write_whole_item(context, wait, **table, *key, item, request, *options, body);
    outcome.ticket = std::max(outcome.ticket, seen);
    return outcome;
}

} // namespace basalt::operations

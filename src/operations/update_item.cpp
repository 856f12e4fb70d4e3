// UpdateItem: changes parts of one item, or creates it.
#include "operations/item_target.h"
#include "operations/item_update.h"
#include "operations/legacy_parameters.h"
#include "operations/operation.h"
#include "operations/request_checks.h"
#include "operations/single_write.h"
#include "protocol/service_members.h"

#include <algorithm>
#include <array>
#include <utility>

namespace basalt::operations {

namespace members = protocol::update_item_input;

namespace {

Result<void> check_styles(const protocol::Node &input)
{
    const std::array legacy{NamedParameter{input[members::attribute_updates], "AttributeUpdates"},
                            NamedParameter{input[members::expected], "Expected"},
                            NamedParameter{input[members::conditional_operator], "ConditionalOperator"}};
    const std::array expressions{NamedParameter{input[members::update_expression], "UpdateExpression"},
                                 NamedParameter{input[members::condition_expression], "ConditionExpression"}};
    return check_parameter_styles(legacy, expressions, input[members::expression_attribute_names],
                                  input[members::expression_attribute_values]);
}

/// What to do and when.
struct ConditionalUpdate {
    std::optional<expression::Update> update;
    std::optional<expression::Condition> condition;
};

Result<ConditionalUpdate> legacy_parts(const protocol::Node &input)
{
    auto update = legacy_update(input[members::attribute_updates]);
    if (!update) {
        return fail(std::move(update).error());
    }
    auto condition = legacy_condition(input[members::expected], input[members::conditional_operator],
                                      expression::LegacyParameter::expected);
    if (!condition) {
        return fail(std::move(condition).error());
    }
    return ConditionalUpdate{*std::move(update), *std::move(condition)};
}

Result<ConditionalUpdate> expression_parts(const protocol::Node &input, ExpressionParameters &parameters)
{
    if (auto opened =
            parameters.open(input[members::expression_attribute_names], input[members::expression_attribute_values]);
        !opened) {
        return fail(std::move(opened).error());
    }
    auto update = parameters.update(input[members::update_expression]);
    if (!update) {
        return fail(std::move(update).error());
    }
    auto condition = parameters.condition(input[members::condition_expression], expression::ExpressionKind::condition);
    if (!condition) {
        return fail(std::move(condition).error());
    }
    if (auto used = parameters.check_all_used(); !used) {
        return fail(std::move(used).error());
    }
    return ConditionalUpdate{*std::move(update), *std::move(condition)};
}

/// Everything that needs no table, in the service's order.
Result<ConditionalUpdate> check_request(const protocol::Node &input, ExpressionParameters &parameters)
{
    auto checked = check_styles(input);
    if (checked) {
        checked = check_values(input[members::key]);
    }
    if (!checked) {
        return fail(std::move(checked).error());
    }
    auto legacy = legacy_parts(input);
    if (!legacy) {
        return legacy;
    }
    auto parsed = expression_parts(input, parameters);
    if (!parsed) {
        return parsed;
    }
    return ConditionalUpdate{parsed->update ? std::move(parsed->update) : std::move(legacy->update),
                             parsed->condition ? std::move(parsed->condition) : std::move(legacy->condition)};
}

} // namespace

storage::Outcome update_item(const Context &context, storage::Wait wait, const protocol::Node &input, std::string &body)
{
    ExpressionParameters parameters(context);
    auto request = check_request(input, parameters);
    if (!request) {
        return reject(std::move(request).error());
    }
    auto table = item_table(context, input[members::table_name]);
    const auto seen = context.engine.catalog().ticket();
    if (!table) {
        return reject(std::move(table).error(), seen);
    }
    const auto &description = (*table)->description;
    const auto key_item = input[members::key].item();
    auto key = engine::key_from_parameter(description.keys, key_item.attributes());
    if (!key) {
        return reject(std::move(key).error(), seen);
    }
    const auto condition =
        make_write_condition(std::move(request->condition), input[members::return_values_on_condition_check_failure]);
    auto checked = request->update ? check_update(description, *request->update) : Result<void>();
    if (checked) {
        checked = condition.check_paths(description);
    }
    if (!checked) {
        return reject(std::move(checked).error(), seen);
    }
    const auto response = write_response(description, input[members::return_consumed_capacity],
                                         input[members::return_item_collection_metrics]);
    UpdateEvaluation evaluation(description, key_item, request->update ? &*request->update : nullptr, condition);
    ItemUpdate update(evaluation, wanted_attributes(input[members::return_values]), response, body);
    const std::array targets{engine::ItemWriteTarget{**table, *key, update}};
    auto outcome = context.engine.write_items(wait, targets);
    outcome.ticket = std::max(outcome.ticket, seen);
    return outcome;
}

} // namespace basalt::operations

// Query: the items of one partition of a table or index.
#include "expression/key_condition.h"
#include "expression/legacy.h"
#include "operations/legacy_parameters.h"
#include "operations/operation.h"
#include "operations/page_request.h"
#include "operations/page_response.h"
#include "operations/query_range.h"
#include "protocol/service_members.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace basalt::operations {

namespace members = protocol::query_input;
using expression::KeyClause;

namespace {

constexpr std::size_t kMaxTableKeys = 2;

PageMembers page_members(const protocol::Node &input)
{
    return {.table_name = input[members::table_name],
            .index_name = input[members::index_name],
            .select = input[members::select],
            .attributes_to_get = input[members::attributes_to_get],
            .legacy_filter = input[members::query_filter],
            .conditional_operator = input[members::conditional_operator],
            .exclusive_start_key = input[members::exclusive_start_key],
            .limit = input[members::limit],
            .consistent_read = input[members::consistent_read],
            .return_consumed_capacity = input[members::return_consumed_capacity],
            .filter_expression = input[members::filter_expression],
            .projection_expression = input[members::projection_expression],
            .names = input[members::expression_attribute_names],
            .values = input[members::expression_attribute_values]};
}

Result<void> check_styles(const protocol::Node &input)
{
    const NamedParameter expressions[] = {{input[members::projection_expression], "ProjectionExpression"},
                                          {input[members::filter_expression], "FilterExpression"},
                                          {input[members::key_condition_expression], "KeyConditionExpression"}};
    const NamedParameter legacy[] = {{input[members::attributes_to_get], "AttributesToGet"},
                                     {input[members::query_filter], "QueryFilter"},
                                     {input[members::conditional_operator], "ConditionalOperator"},
                                     {input[members::key_conditions], "KeyConditions"}};
    // KeyConditions may stand beside the other expressions.
    const bool mixable = !input[members::key_condition_expression].present();
    return check_parameter_styles(std::span(legacy).first(mixable ? 3 : 4), expressions,
                                  input[members::expression_attribute_names],
                                  input[members::expression_attribute_values]);
}

Result<std::vector<KeyClause>> legacy_clauses(const protocol::Node &key_conditions)
{
    auto conditions = legacy_conditions(key_conditions, expression::LegacyParameter::key_conditions);
    if (!conditions) {
        return fail(std::move(conditions).error());
    }
    return expression::key_clauses_of_legacy(*conditions);
}

/// Everything that needs no table, in the service's order. Returns the clauses of the key condition.
Result<std::vector<KeyClause>> check_request(const protocol::Node &input, PageRequest &request)
{
    for (const auto step : {&PageRequest::read_legacy_filter, &PageRequest::read_attributes_to_get}) {
        if (auto checked = (request.*step)(); !checked) {
            return fail(std::move(checked).error());
        }
    }
    if (auto checked = request.check_start_key_values(); !checked) {
        return fail(std::move(checked).error());
    }
    const auto &key_conditions = input[members::key_conditions];
    const auto &key_expression = input[members::key_condition_expression];
    if (!key_conditions.present() && !key_expression.present()) {
        return fail(ErrorCode::validation, "Either the KeyConditions or KeyConditionExpression parameter must be "
                                           "specified in the request.");
    }
    auto clauses = request.read_expressions(key_expression);
    if (clauses && !key_expression.present()) {
        clauses = legacy_clauses(key_conditions);
    }
    if (!clauses) {
        return clauses;
    }
    // A global index may have more key attributes.
    if (!request.has_index()) {
        if (auto checked = expression::check_clause_count(clauses->size(), kMaxTableKeys); !checked) {
            return fail(std::move(checked).error());
        }
    }
    if (auto checked = request.check_select("1 validation error detected: "); !checked) {
        return fail(std::move(checked).error());
    }
    return clauses;
}

/// Everything that needs the table, in the service's order.
Result<KeyCondition> check_with_table(const PageRequest &request, const PageTarget &target,
                                      const std::vector<KeyClause> &clauses)
{
    const auto &keys = target.keys();
    if (auto checked = expression::check_clause_count(clauses.size(), keys.hash.size() + keys.range.size()); !checked) {
        return fail(std::move(checked).error());
    }
    const auto start = request.start_key();
    auto condition = bind_key_condition(clauses, start, target);
    if (!condition) {
        return condition;
    }
    if (start) {
        auto checked = request.check_table_start_key(target);
        if (checked) {
            checked = check_start_position(*start, *condition, target);
        }
        if (!checked) {
            return fail(std::move(checked).error());
        }
    }
    for (const auto step :
         {&PageRequest::check_projection_paths, &PageRequest::check_filter_attributes,
          &PageRequest::check_global_select, &PageRequest::check_filter_paths, &PageRequest::check_global_attributes}) {
        if (auto checked = (request.*step)(target); !checked) {
            return fail(std::move(checked).error());
        }
    }
    return condition;
}

} // namespace

storage::Outcome query(const Context &context, storage::Wait wait, const protocol::Node &input, std::string &body)
{
    if (auto checked = check_styles(input); !checked) {
        return reject(std::move(checked).error());
    }
    PageRequest request(context, page_members(input));
    auto clauses = check_request(input, request);
    if (!clauses) {
        return reject(std::move(clauses).error());
    }
    auto target = request.find_target(context);
    const auto seen = context.engine.catalog().ticket();
    if (!target) {
        return reject(std::move(target).error(), seen);
    }
    auto condition = check_with_table(request, *target, *clauses);
    if (!condition) {
        return reject(std::move(condition).error(), seen);
    }
    QueryRange rows(*condition, target->keys());
    rows.range().backward = !input[members::scan_index_forward].boolean_or(true);
    return respond_with_page(context, wait, request, *target, rows.range(), body);
}

} // namespace basalt::operations

// Query: the items of one partition, by KeyConditionExpression.
#include "codec/key_encoding.h"
#include "expression/key_condition.h"
#include "model/limits.h"
#include "operations/item_target.h"
#include "operations/operation.h"
#include "operations/page_response.h"
#include "operations/request_checks.h"
#include "protocol/service_members.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace basalt::operations {

namespace members = protocol::query_input;
using expression::KeyClause;
using expression::KeyOperator;

namespace {

constexpr std::size_t kMaxTableKeys = 2;

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}

/// What the key condition means for a table: one partition and perhaps a condition on the sort key.
struct KeyCondition {
    const KeyClause *partition = nullptr;
    const KeyClause *sort = nullptr;
};

const KeyClause *clause_of(const std::vector<KeyClause> &clauses, const model::KeyElement &element)
{
    const auto found = std::find_if(clauses.begin(), clauses.end(),
                                    [&](const KeyClause &clause) { return clause.attribute == element.name; });
    return found == clauses.end() ? nullptr : &*found;
}

Result<void> check_clause(const KeyClause &clause, const model::KeyElement &element, bool is_hash)
{
    if (clause.value.type() != element.type || (clause.upper && clause.upper->type() != element.type)) {
        return invalid(
            "One or more parameter values were invalid: Condition parameter type does not match schema type");
    }
    if (is_hash && clause.op != KeyOperator::equal) {
        return invalid("Query key condition not supported");
    }
    if (auto checked = engine::check_key_value(element, clause.value, is_hash); !checked) {
        return checked;
    }
    return clause.upper ? engine::check_key_value(element, *clause.upper, is_hash) : Result<void>();
}

/// start: the attributes of ExclusiveStartKey, if there is one.
Result<void> check_start_part(const std::optional<model::MapView> &start, const model::KeyElement &element,
                              bool is_hash)
{
    if (!start) {
        return {};
    }
    const auto value = start->find(element.name);
    if (!value) {
        return invalid("The provided starting key is invalid");
    }
    if (value->type() != element.type) {
        return invalid("The provided key element does not match the schema");
    }
    return engine::check_key_value(element, *value, is_hash);
}

/// Start key and key condition against the schema, attribute by attribute as the service does: a fault of the start
/// key's hash part comes before one of the condition, and that before one of the start key's range part.
Result<KeyCondition> bind(const std::vector<KeyClause> &clauses, const std::optional<model::MapView> &start,
                          const model::KeySchema &schema)
{
    if (start && start->count() != 1 + schema.range.size()) {
        return invalid("The provided starting key is invalid");
    }
    KeyCondition condition;
    const auto &hash = schema.hash.front();
    if (auto checked = check_start_part(start, hash, true); !checked) {
        return fail(std::move(checked).error());
    }
    if (schema.range.empty() && clauses.size() > 1) {
        return invalid("Query key condition not supported");
    }
    condition.partition = clause_of(clauses, hash);
    if (condition.partition == nullptr) {
        return invalid("Query condition missed key schema element: " + hash.name);
    }
    if (auto checked = check_clause(*condition.partition, hash, true); !checked) {
        return fail(std::move(checked).error());
    }
    if (schema.range.empty()) {
        return condition;
    }
    const auto &range = schema.range.front();
    if (auto checked = check_start_part(start, range, false); !checked) {
        return fail(std::move(checked).error());
    }
    condition.sort = clause_of(clauses, range);
    if (condition.sort == nullptr) {
        if (clauses.size() > 1) {
            return invalid("Query condition missed key schema element: " + range.name);
        }
        return condition;
    }
    if (auto checked = check_clause(*condition.sort, range, false); !checked) {
        return fail(std::move(checked).error());
    }
    return condition;
}

/// The scan range of a key condition, with the bytes that it points to.
struct QueryRange {
    std::string partition;
    std::string lower;
    std::string upper;
    storage::Range range;
};

void set_sort(const KeyClause &clause, QueryRange &out)
{
    codec::append_key_part(clause.value, out.lower);
    if (clause.upper) {
        codec::append_key_part(*clause.upper, out.upper);
    }
    auto &range = out.range;
    switch (clause.op) {
    case KeyOperator::equal:
        range.lower = range.upper = storage::SortBound{out.lower, true};
        break;
    case KeyOperator::less:
        range.upper = storage::SortBound{out.lower, false};
        break;
    case KeyOperator::less_or_equal:
        range.upper = storage::SortBound{out.lower, true};
        break;
    case KeyOperator::greater:
        range.lower = storage::SortBound{out.lower, false};
        break;
    case KeyOperator::greater_or_equal:
        range.lower = storage::SortBound{out.lower, true};
        break;
    case KeyOperator::between:
        range.lower = storage::SortBound{out.lower, true};
        range.upper = storage::SortBound{out.upper, true};
        break;
    case KeyOperator::begins_with:
        range.sort_prefix = out.lower;
        break;
    }
}

void set_range(const KeyCondition &condition, bool backward, std::uint64_t limit, QueryRange &out)
{
    codec::append_key_part(condition.partition->value, out.partition);
    out.range.first_hash = out.range.last_hash = codec::partition_hash(out.partition);
    out.range.partition = out.partition;
    out.range.backward = backward;
    out.range.rows_hint = static_cast<std::uint32_t>(limit);
    if (condition.sort != nullptr) {
        set_sort(*condition.sort, out);
    }
}

bool in_sort_range(Bytes sort, const storage::Range &range)
{
    if (range.sort_prefix) {
        return sort.substr(0, range.sort_prefix->size()) == *range.sort_prefix;
    }
    if (range.lower && (range.lower->inclusive ? sort < range.lower->sort : sort <= range.lower->sort)) {
        return false;
    }
    return !range.upper || (range.upper->inclusive ? sort <= range.upper->sort : sort < range.upper->sort);
}

/// A starting key must lie where the query would look.
Result<void> check_start_key(const engine::PrimaryKey &start, const KeyCondition &condition, const QueryRange &query)
{
    const bool same_partition = start.partition == query.partition;
    if (condition.sort == nullptr) {
        if (!same_partition) {
            return invalid("The provided starting key is outside query boundaries based on provided conditions");
        }
        return {};
    }
    if (!in_sort_range(start.sort, query.range)) {
        return invalid("The provided starting key does not match the range key predicate");
    }
    if (!same_partition || condition.sort->op == KeyOperator::equal) {
        return invalid("The query can return at most one row and cannot be restarted");
    }
    return {};
}

/// Everything that needs no table, in the service's order. Returns the clauses of the key condition.
Result<std::vector<KeyClause>> check_request(const protocol::Node &input)
{
    if (auto checked = refuse_unbuilt({{input[members::key_conditions], "KeyConditions"},
                                       {input[members::query_filter], "QueryFilter"},
                                       {input[members::conditional_operator], "ConditionalOperator"},
                                       {input[members::attributes_to_get], "AttributesToGet"},
                                       {input[members::filter_expression], "FilterExpression"},
                                       {input[members::projection_expression], "ProjectionExpression"}});
        !checked) {
        return fail(std::move(checked).error());
    }
    const auto &condition = input[members::key_condition_expression];
    const auto &names = input[members::expression_attribute_names];
    const auto &values = input[members::expression_attribute_values];
    if (!condition.present()) {
        if (auto checked = refuse_placeholders(names, values, "FilterExpression and KeyConditionExpression are null");
            !checked) {
            return fail(std::move(checked).error());
        }
    }
    if (auto checked = check_start_key_values(input[members::exclusive_start_key]); !checked) {
        return fail(std::move(checked).error());
    }
    if (!condition.present()) {
        return invalid(
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
    }
    auto substitutions = check_placeholders(names, values);
    if (!substitutions) {
        return fail(std::move(substitutions).error());
    }
    expression::Placeholders placeholders(*substitutions,
                                          values.present() ? values.item().attributes() : model::MapView());
    auto clauses = expression::parse_key_condition(condition.text(), placeholders);
    if (!clauses) {
        return clauses;
    }
    if (auto checked = expression::check_clause_count(clauses->size(), kMaxTableKeys); !checked) {
        return fail(std::move(checked).error());
    }
    if (auto checked = placeholders.check_all_used(); !checked) {
        return fail(std::move(checked).error());
    }
    return clauses;
}

} // namespace

storage::Outcome query(const Context &context, storage::Wait wait, const protocol::Node &input, std::string &body)
{
    auto clauses = check_request(input);
    if (!clauses) {
        return reject(std::move(clauses).error());
    }
    auto count_only = selects_count_only(input[members::select], input[members::index_name].present(),
                                         "1 validation error detected: ");
    if (!count_only) {
        return reject(std::move(count_only).error());
    }
    auto table = item_table(context, input[members::table_name]);
    const auto seen = context.engine.catalog().ticket();
    if (!table) {
        return reject(std::move(table).error(), seen);
    }
    const auto &description = (*table)->description;
    const bool consistent = input[members::consistent_read].boolean_or(false);
    if (auto checked = refuse_index_read(description, input[members::index_name], consistent); !checked) {
        return reject(std::move(checked).error(), seen);
    }
    std::optional<model::MapView> start_attributes;
    if (const auto &given = input[members::exclusive_start_key]; given.present()) {
        start_attributes = given.item().attributes();
    }
    auto condition = bind(*clauses, start_attributes, description.keys);
    if (!condition) {
        return reject(std::move(condition).error(), seen);
    }
    const auto limit =
        input[members::limit].present() ? static_cast<std::uint64_t>(input[members::limit].integer()) : 0;
    QueryRange range;
    set_range(*condition, !input[members::scan_index_forward].boolean_or(true), limit, range);
    std::optional<engine::PrimaryKey> start;
    if (start_attributes) {
        start = engine::key_from_stored(description.keys, *start_attributes);
        if (auto checked = check_start_key(*start, *condition, range); !checked) {
            return reject(std::move(checked).error(), seen);
        }
        range.range.after = start->view();
    }
    PageResponse response(description,
                          {*count_only, consistent, capacity_report(input[members::return_consumed_capacity])}, body);
    engine::Page page;
    auto outcome = context.engine.read_page(wait, **table, range.range, {limit, model::kMaxPageBytes},
                                            consistent ? storage::Consistency::strong : storage::Consistency::eventual,
                                            response, page);
    if (outcome.result) {
        response.finish(page);
    }
    outcome.ticket = std::max(outcome.ticket, seen);
    return outcome;
}

} // namespace basalt::operations

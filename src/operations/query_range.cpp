#include "operations/query_range.h"

#include "codec/key_encoding.h"
#include "engine/primary_key.h"
#include "expression/value_order.h"

#include <algorithm>
#include <compare>
#include <utility>

namespace basalt::operations {

using expression::KeyClause;
using expression::KeyOperator;

namespace {

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}

Unexpected not_supported()
{
    return invalid("Query key condition not supported");
}

const KeyClause *clause_of(const std::vector<KeyClause> &clauses, const model::KeyElement &element)
{
    const auto found = std::ranges::find(clauses, element.name, &KeyClause::attribute);
    return found == clauses.end() ? nullptr : &*found;
}

Result<void> check_clause(const KeyClause &clause, const model::KeyElement &element, bool is_hash)
{
    if (clause.op == KeyOperator::not_indexable) {
        return invalid(std::string(expression::kNotIndexable));
    }
    if (clause.value.type() != element.type || (clause.upper && clause.upper->type() != element.type)) {
        return invalid(
            "One or more parameter values were invalid: Condition parameter type does not match schema type");
    }
    if (is_hash && clause.op != KeyOperator::equal) {
        return not_supported();
    }
    if (auto checked = engine::check_key_value(element, clause.value, is_hash); !checked) {
        return checked;
    }
    return clause.upper ? engine::check_key_value(element, *clause.upper, is_hash) : Result<void>();
}

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

/// Goes through a key schema from its first attribute to its last.
class Binder {
public:
    Binder(const std::vector<KeyClause> &clauses, const std::optional<model::MapView> &start)
        : clauses_(clauses),
          start_(start)
    {}

    Result<void> bind_partition(const model::KeyElement &element)
    {
        if (auto checked = check_start_part(start_, element, true); !checked) {
            return checked;
        }
        const auto *clause = clause_of(clauses_, element);
        if (clause == nullptr) {
            return missed(element);
        }
        condition_.partition.push_back(clause);
        return check_clause(*clause, element, true);
    }

    Result<void> bind_sort(const model::KeyElement &element)
    {
        if (auto checked = check_start_part(start_, element, false); !checked) {
            return checked;
        }
        const auto *clause = clause_of(clauses_, element);
        if (clause == nullptr) {
            return condition_.partition.size() + condition_.sort.size() < clauses_.size() ? missed(element)
                                                                                          : Result<void>();
        }
        if (!condition_.sort.empty() && condition_.sort.back()->op != KeyOperator::equal) {
            return not_supported();
        }
        condition_.sort.push_back(clause);
        return check_clause(*clause, element, false);
    }

    KeyCondition take() { return std::move(condition_); }

private:
    static Result<void> missed(const model::KeyElement &element)
    {
        return invalid("Query condition missed key schema element: " + element.name);
    }

    const std::vector<KeyClause> &clauses_;
    const std::optional<model::MapView> &start_;
    KeyCondition condition_;
};

/// Both of the attribute's type.
bool satisfies(const KeyClause &clause, model::ValueView value)
{
    const auto order = expression::compare_values(value, clause.value);
    switch (clause.op) {
    case KeyOperator::equal:
        return std::is_eq(order);
    case KeyOperator::less:
        return std::is_lt(order);
    case KeyOperator::less_or_equal:
        return std::is_lteq(order);
    case KeyOperator::greater:
        return std::is_gt(order);
    case KeyOperator::greater_or_equal:
        return std::is_gteq(order);
    case KeyOperator::between:
        return std::is_gteq(order) && std::is_lteq(expression::compare_values(value, *clause.upper));
    case KeyOperator::begins_with:
        return value.text().starts_with(clause.value.text());
    case KeyOperator::not_indexable:
        break;
    }
    return false;
}

} // namespace

Result<KeyCondition> bind_key_condition(const std::vector<KeyClause> &clauses,
                                        const std::optional<model::MapView> &start, const PageTarget &target)
{
    if (start && start->count() != target.start_key_elements().size()) {
        return invalid("The provided starting key is invalid");
    }
    const auto &keys = target.keys();
    // A surplus clause is told after the start key's first part.
    if (keys.range.empty() && clauses.size() > keys.hash.size()) {
        auto checked = check_start_part(start, keys.hash.front(), true);
        return checked ? not_supported() : fail(std::move(checked).error());
    }
    Binder binder(clauses, start);
    for (const auto &element : keys.hash) {
        if (auto bound = binder.bind_partition(element); !bound) {
            return fail(std::move(bound).error());
        }
    }
    for (const auto &element : keys.range) {
        if (auto bound = binder.bind_sort(element); !bound) {
            return fail(std::move(bound).error());
        }
    }
    return binder.take();
}

Result<void> check_start_position(model::MapView start, const KeyCondition &condition, const PageTarget &target)
{
    const auto met = [&](const KeyClause *clause) { return satisfies(*clause, start.find(clause->attribute).value()); };
    const bool same_partition = std::ranges::all_of(condition.partition, met);
    if (condition.sort.empty()) {
        if (!same_partition) {
            return invalid("The provided starting key is outside query boundaries based on provided conditions");
        }
        return {};
    }
    if (!std::ranges::all_of(condition.sort, met)) {
        return invalid("The provided starting key does not match the range key predicate");
    }
    // An index may hold several items of one key.
    const bool one_row = target.index == nullptr && condition.sort.back()->op == KeyOperator::equal;
    if (!same_partition || one_row) {
        return invalid("The query can return at most one row and cannot be restarted");
    }
    return {};
}

QueryRange::QueryRange(const KeyCondition &condition)
{
    codec::append_key_part(condition.partition.front()->value, partition_);
    range_.first_hash = range_.last_hash = codec::partition_hash(partition_);
    range_.partition = partition_;
    if (!condition.sort.empty()) {
        set_sort(*condition.sort.front());
    }
}

void QueryRange::set_sort(const KeyClause &clause)
{
    codec::append_key_part(clause.value, lower_);
    if (clause.upper) {
        codec::append_key_part(*clause.upper, upper_);
    }
    switch (clause.op) {
    case KeyOperator::equal:
        range_.lower = range_.upper = storage::SortBound{lower_, true};
        break;
    case KeyOperator::less:
        range_.upper = storage::SortBound{lower_, false};
        break;
    case KeyOperator::less_or_equal:
        range_.upper = storage::SortBound{lower_, true};
        break;
    case KeyOperator::greater:
        range_.lower = storage::SortBound{lower_, false};
        break;
    case KeyOperator::greater_or_equal:
        range_.lower = storage::SortBound{lower_, true};
        break;
    case KeyOperator::between:
        range_.lower = storage::SortBound{lower_, true};
        range_.upper = storage::SortBound{upper_, true};
        break;
    case KeyOperator::begins_with:
        range_.sort_prefix = lower_;
        break;
    case KeyOperator::not_indexable: // refused while binding
        break;
    }
}

} // namespace basalt::operations

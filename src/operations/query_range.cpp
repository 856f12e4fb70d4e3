#include "operations/query_range.h"

#include "codec/key_encoding.h"
#include "engine/primary_key.h"
#include "expression/value_order.h"

#include <algorithm>
#include <compare>
#include <span>
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

    /// position: of the element in the schema.
    Result<void> bind_sort(std::span<const model::KeyElement> schema, std::size_t position)
    {
        const auto &element = schema[position];
        if (auto checked = check_start_part(start_, element, false); !checked) {
            return checked;
        }
        const auto *clause = clause_of(clauses_, element);
        if (clause != nullptr && clause->op == KeyOperator::not_indexable) {
            return check_clause(*clause, element, false);
        }
        if (auto checked = check_no_gap(schema, position); !checked) {
            return checked;
        }
        if (clause == nullptr) {
            return condition_.partition.size() + condition_.sort.size() < clauses_.size() ? missed(element)
                                                                                          : Result<void>();
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

    /// Sort attributes from `position` on, up to the last one with a condition, need equalities before that one.
    Result<void> check_no_gap(std::span<const model::KeyElement> schema, std::size_t position) const
    {
        std::size_t last = schema.size() - 1;
        while (last > position && clause_of(clauses_, schema[last]) == nullptr) {
            --last;
        }
        std::string names;
        for (std::size_t i = position; i < last; ++i) {
            const auto *clause = clause_of(clauses_, schema[i]);
            if (clause == nullptr || clause->op != KeyOperator::equal) {
                names.append(names.empty() ? "" : ", ").append(schema[i].name);
            }
        }
        if (names.empty()) {
            return {};
        }
        return invalid("RANGE key attributes " + names +
                       " must have equality conditions specified in the query because a condition is present on key "
                       "attribute " +
                       schema[last].name);
    }

    const std::vector<KeyClause> &clauses_;
    const std::optional<model::MapView> &start_;
    KeyCondition condition_;
};

std::string part_of(model::ValueView value)
{
    std::string part;
    codec::append_key_part(value, part);
    return part;
}

/// In place of the last byte of an ended part: behind everything that begins with that part.
constexpr char kBehindEnd = '\2';

/// Appends what is greater than every sort key with that part here, and less than every one with a greater part.
void append_behind(Bytes part, std::string &out)
{
    codec::append_ended(part, out);
    out.back() = kBehindEnd;
}

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
    for (std::size_t i = 0; i < keys.range.size(); ++i) {
        if (auto bound = binder.bind_sort(keys.range, i); !bound) {
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

QueryRange::QueryRange(const KeyCondition &condition, const model::KeySchema &keys)
{
    if (condition.partition.size() == 1) {
        codec::append_key_part(condition.partition.front()->value, partition_);
    } else {
        for (const auto *clause : condition.partition) {
            codec::append_ended(part_of(clause->value), partition_);
        }
    }
    range_.first_hash = range_.last_hash = codec::partition_hash(partition_);
    range_.partition = partition_;
    if (condition.sort.empty()) {
        return;
    }
    if (keys.range.size() == 1) {
        set_sort(*condition.sort.front());
    } else {
        set_sorts(condition.sort);
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

void QueryRange::set_sorts(std::span<const KeyClause *const> clauses)
{
    for (const auto *clause : clauses.first(clauses.size() - 1)) {
        codec::append_ended(part_of(clause->value), lower_);
    }
    upper_ = lower_;
    const auto &last = *clauses.back();
    const auto part = part_of(last.value);
    bool bounded_below = true;
    bool bounded_above = true;
    switch (last.op) {
    case KeyOperator::equal:
        codec::append_ended(part, lower_);
        range_.sort_prefix = lower_;
        return;
    case KeyOperator::begins_with:
        codec::append_escaped(part, lower_);
        range_.sort_prefix = lower_;
        return;
    case KeyOperator::less:
        bounded_below = !lower_.empty();
        codec::append_ended(part, upper_);
        break;
    case KeyOperator::less_or_equal:
        bounded_below = !lower_.empty();
        append_behind(part, upper_);
        break;
    case KeyOperator::greater:
    case KeyOperator::greater_or_equal:
        bounded_above = !upper_.empty();
        if (bounded_above) {
            upper_.back() = kBehindEnd;
        }
        last.op == KeyOperator::greater ? append_behind(part, lower_) : codec::append_ended(part, lower_);
        break;
    case KeyOperator::between:
        codec::append_ended(part, lower_);
        append_behind(part_of(*last.upper), upper_);
        break;
    case KeyOperator::not_indexable: // refused while binding
        return;
    }
    if (bounded_below) {
        range_.lower = storage::SortBound{lower_, true};
    }
    if (bounded_above) {
        range_.upper = storage::SortBound{upper_, false};
    }
}

} // namespace basalt::operations

#include "operations/page_request.h"

#include "operations/item_target.h"
#include "operations/legacy_parameters.h"
#include "operations/request_checks.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

namespace basalt::operations {
namespace {

constexpr std::string_view kInvalidParameter = "One or more parameter values were invalid: ";

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}

const model::IndexDescription *find_index(const std::vector<model::IndexDescription> &indexes, std::string_view name)
{
    const auto found = std::ranges::find(indexes, name, &model::IndexDescription::name);
    return found == indexes.end() ? nullptr : &*found;
}

std::string list_text(const std::vector<std::string_view> &names)
{
    std::string text = "[";
    for (const auto name : names) {
        text.append(text.size() == 1 ? "" : ", ").append(name);
    }
    return text.append("]");
}

} // namespace

std::vector<const model::KeyElement *> PageTarget::start_key_elements() const
{
    std::vector<const model::KeyElement *> found;
    const auto add = [&](const model::KeyElement &element) {
        if (std::ranges::find(found, element.name, &model::KeyElement::name) == found.end()) {
            found.push_back(&element);
        }
    };
    for (const auto *schema : {&description().keys, &keys()}) {
        std::ranges::for_each(schema->hash, add);
        std::ranges::for_each(schema->range, add);
    }
    return found;
}

Result<void> PageRequest::read_legacy_filter()
{
    auto filter =
        legacy_condition(members_.legacy_filter, members_.conditional_operator, expression::LegacyParameter::filter);
    if (!filter) {
        return fail(std::move(filter).error());
    }
    filter_ = *std::move(filter);
    return {};
}

Result<void> PageRequest::read_attributes_to_get()
{
    auto projection = legacy_projection(members_.attributes_to_get);
    if (!projection) {
        return fail(std::move(projection).error());
    }
    projection_ = *std::move(projection);
    return {};
}

Result<void> PageRequest::check_start_key_values() const
{
    const auto *fault = members_.exclusive_start_key.fault();
    if (fault == nullptr) {
        return {};
    }
    const bool prefixed = fault->kind == protocol::ValueFault::Kind::other;
    return invalid((prefixed ? "The provided starting key is invalid: " : "") + std::string(fault->message));
}

Result<std::vector<expression::KeyClause>> PageRequest::read_expressions(const protocol::Node &key_condition)
{
    if (auto opened = expressions_.open(members_.names, members_.values); !opened) {
        return fail(std::move(opened).error());
    }
    auto keys = expressions_.condition(key_condition, expression::ExpressionKind::key_condition);
    if (!keys) {
        return fail(std::move(keys).error());
    }
    auto filter = expressions_.condition(members_.filter_expression, expression::ExpressionKind::filter);
    if (!filter) {
        return fail(std::move(filter).error());
    }
    if (*filter) {
        filter_ = *std::move(filter);
    }
    auto projection = expressions_.projection(members_.projection_expression);
    if (!projection) {
        return fail(std::move(projection).error());
    }
    if (*projection) {
        projection_ = *std::move(projection);
    }
    auto clauses = *keys ? expression::key_clauses_of(**keys)
                         : Result<std::vector<expression::KeyClause>>(std::vector<expression::KeyClause>());
    if (!clauses) {
        return clauses;
    }
    if (auto checked = expressions_.check_all_used(); !checked) {
        return fail(std::move(checked).error());
    }
    return clauses;
}

Result<void> PageRequest::check_select(std::string_view prefix) const
{
    const auto refuse = [prefix](std::string_view text) { return invalid(std::string(prefix).append(text)); };
    const auto text = select();
    if (text == "SPECIFIC_ATTRIBUTES" && !projection_) {
        return refuse("Must specify the AttributesToGet or ProjectionExpression when choosing to get "
                      "SPECIFIC_ATTRIBUTES");
    }
    if (projection_ && !text.empty() && text != "SPECIFIC_ATTRIBUTES") {
        return refuse(std::string("Cannot specify the ") +
                      (members_.attributes_to_get.present() ? "AttributesToGet" : "ProjectionExpression") +
                      " when choosing to get " + (count_only() ? "only the Count" : std::string(text)));
    }
    if (text == "ALL_PROJECTED_ATTRIBUTES" && !has_index()) {
        return refuse("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
    }
    return {};
}

Result<PageTarget> PageRequest::find_target(const Context &context) const
{
    auto table = item_table(context, members_.table_name);
    if (!table) {
        return fail(std::move(table).error());
    }
    PageTarget target{*std::move(table)};
    if (!has_index()) {
        return target;
    }
    const auto name = members_.index_name.text();
    target.index = find_index(target.description().global_indexes, name);
    target.global = target.index != nullptr;
    if (!target.global) {
        target.index = find_index(target.description().local_indexes, name);
    }
    if (target.index == nullptr) {
        return invalid("The table does not have the specified index: " + std::string(name));
    }
    if (target.global && consistent()) {
        return invalid("Consistent reads are not supported on global secondary indexes");
    }
    if (target.index->building) {
        return invalid("Cannot read from backfilling global secondary index: " + target.index->name);
    }
    return target;
}

Result<void> PageRequest::check_table_start_key(const PageTarget &target) const
{
    const auto start = start_key();
    if (!start) {
        return {};
    }
    const auto refuse = [](std::string_view text) {
        return invalid(std::string("The provided starting key is invalid: ").append(text));
    };
    const auto &keys = target.description().keys;
    for (const auto *elements : {&keys.hash, &keys.range}) {
        for (const auto &element : *elements) {
            const auto value = start->find(element.name);
            if (!value || value->type() != element.type) {
                return refuse("The provided key element does not match the schema");
            }
        }
    }
    for (const auto *elements : {&keys.hash, &keys.range}) {
        for (const auto &element : *elements) {
            const auto value = start->find(element.name).value();
            if (const auto checked = engine::check_key_value(element, value, elements == &keys.hash); !checked) {
                return refuse(checked.error().message);
            }
        }
    }
    return {};
}

Result<void> PageRequest::check_filter_attributes(const PageTarget &target) const
{
    if (!filter_) {
        return {};
    }
    for (const auto *elements : {&target.keys().hash, &target.keys().range}) {
        for (const auto &element : *elements) {
            bool named = false;
            filter_->for_each_attribute([&](std::string_view attribute) { named |= attribute == element.name; });
            if (named) {
                return invalid((members_.filter_expression.present() ? "Filter Expression" : "QueryFilter") +
                               std::string(" can only contain non-primary key attributes: Primary key attribute: ") +
                               element.name);
            }
        }
    }
    return {};
}

Result<void> PageRequest::check_projection_paths(const PageTarget &target) const
{
    return projection_ ? check_key_paths(target.description(), *projection_) : Result<void>();
}

Result<void> PageRequest::check_filter_paths(const PageTarget &target) const
{
    return filter_ ? check_key_paths(target.description(), *filter_) : Result<void>();
}

Result<void> PageRequest::check_global_select(const PageTarget &target) const
{
    if (target.global && all_attributes() && target.index->projection != model::ProjectionType::all) {
        return invalid(std::string(kInvalidParameter) +
                       "Select type ALL_ATTRIBUTES is not supported for global secondary index " + target.index->name +
                       " because its projection type is not ALL");
    }
    return {};
}

Result<void> PageRequest::check_global_attributes(const PageTarget &target) const
{
    if (!target.global) {
        return {};
    }
    if (const auto missing = unprojected_attributes(target); !missing.empty()) {
        return invalid(std::string(kInvalidParameter) + "Global secondary index " + target.index->name +
                       " does not project " + list_text(missing));
    }
    return {};
}

bool PageRequest::fetches_items(const PageTarget &target) const
{
    if (target.index == nullptr || target.global || target.index->projection == model::ProjectionType::all) {
        return false;
    }
    return all_attributes() || !unprojected_attributes(target).empty();
}

std::uint64_t PageRequest::limit() const
{
    return members_.limit.present() ? static_cast<std::uint64_t>(members_.limit.integer()) : 0;
}

std::optional<model::MapView> PageRequest::start_key() const
{
    const auto &given = members_.exclusive_start_key;
    return given.present() ? std::optional(given.item().attributes()) : std::nullopt;
}

std::vector<std::string_view> PageRequest::unprojected_attributes(const PageTarget &target) const
{
    std::vector<std::string_view> missing;
    std::unordered_set<std::string_view> seen;
    const auto add = [&](std::string_view attribute) {
        if (!engine::is_projected(target.description(), *target.index, attribute) && seen.insert(attribute).second) {
            missing.push_back(attribute);
        }
    };
    if (projection_) {
        std::ranges::for_each(projection_->attributes(), add);
    }
    if (filter_) {
        filter_->for_each_attribute(add);
    }
    return missing;
}

engine::IndexRowKey start_row(const PageTarget &target, model::MapView start)
{
    const auto &table = target.description();
    if (target.index != nullptr) {
        const auto row_key = target.global ? engine::global_index_key : engine::local_index_key;
        return row_key(table, *target.index, start);
    }
    auto key = engine::key_from_stored(table.keys, start);
    return {key.hash, std::move(key.partition), std::move(key.sort), {}};
}

} // namespace basalt::operations

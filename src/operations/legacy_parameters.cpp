#include "operations/legacy_parameters.h"

#include "operations/request_checks.h"
#include "protocol/service_members.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace basalt::operations {
namespace {

using expression::AttributeUpdate;
using expression::LegacyCondition;
using expression::LegacyParameter;

// Basalt's own bound, on memory; no program is known to come near it.
constexpr std::size_t kMaxAttributeUpdates = 50'000;

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}

std::optional<std::vector<model::ValueView>> value_list(const protocol::Node &list)
{
    if (!list.present()) {
        return std::nullopt;
    }
    std::vector<model::ValueView> values;
    values.reserve(list.elements().size());
    for (const auto &value : list.elements()) {
        values.push_back(value.value());
    }
    return values;
}

std::optional<model::ValueView> value_of(const protocol::Node &value)
{
    return value.present() ? std::optional(value.value()) : std::nullopt;
}

std::optional<std::string_view> operator_of(const protocol::Node &comparison_operator)
{
    return comparison_operator.present() ? std::optional(comparison_operator.text()) : std::nullopt;
}

LegacyCondition expected_condition(std::string_view attribute, const protocol::Node &given)
{
    namespace members = protocol::expected_attribute_value;
    LegacyCondition condition;
    condition.attribute = attribute;
    condition.value = value_of(given[members::value]);
    if (given[members::exists].present()) {
        condition.exists = given[members::exists].boolean_or(true);
    }
    condition.comparison_operator = operator_of(given[members::comparison_operator]);
    condition.values = value_list(given[members::attribute_value_list]);
    return condition;
}

LegacyCondition filter_condition(std::string_view attribute, const protocol::Node &given)
{
    namespace members = protocol::condition;
    LegacyCondition condition;
    condition.attribute = attribute;
    condition.comparison_operator = operator_of(given[members::comparison_operator]);
    condition.values = value_list(given[members::attribute_value_list]);
    return condition;
}

Result<void> check_list_values(const protocol::Node &list)
{
    for (const auto &value : list.elements()) {
        if (auto checked = check_values(value); !checked) {
            return checked;
        }
    }
    return {};
}

/// Faults inside a list come before the entry's own rules, those of the single Value of Expected after them.
Result<void> check_entry(const LegacyCondition &condition, const protocol::Node &given, LegacyParameter parameter)
{
    const bool expected = parameter == LegacyParameter::expected;
    const auto &list = expected ? given[protocol::expected_attribute_value::attribute_value_list]
                                : given[protocol::condition::attribute_value_list];
    auto checked = check_list_values(list);
    if (checked) {
        checked = expression::check_legacy_conditions({&condition, 1}, parameter);
    }
    return checked && expected ? check_values(given[protocol::expected_attribute_value::value]) : checked;
}

AttributeUpdate::Action action_of(const protocol::Node &action)
{
    const auto text = action.text_or("PUT");
    if (text == "ADD") {
        return AttributeUpdate::Action::add;
    }
    return text == "DELETE" ? AttributeUpdate::Action::remove : AttributeUpdate::Action::put;
}

} // namespace

Result<std::vector<LegacyCondition>> legacy_conditions(const protocol::Node &conditions, LegacyParameter parameter)
{
    std::vector<LegacyCondition> decoded;
    decoded.reserve(conditions.entries().size());
    for (const auto &entry : conditions.entries()) {
        decoded.push_back(parameter == LegacyParameter::expected ? expected_condition(entry.key, entry.value)
                                                                 : filter_condition(entry.key, entry.value));
        if (auto checked = check_entry(decoded.back(), entry.value, parameter); !checked) {
            return fail(std::move(checked).error());
        }
    }
    // What is demanded of all of them together.
    if (auto checked = expression::check_legacy_conditions(decoded, parameter); !checked) {
        return fail(std::move(checked).error());
    }
    return decoded;
}

Result<std::optional<expression::Condition>> legacy_condition(const protocol::Node &conditions,
                                                              const protocol::Node &conditional_operator,
                                                              LegacyParameter parameter)
{
    auto decoded = legacy_conditions(conditions, parameter);
    if (!decoded) {
        return fail(std::move(decoded).error());
    }
    if (conditional_operator.present() && decoded->empty()) {
        return invalid("ConditionalOperator cannot be used without Filter or Expected");
    }
    if (conditional_operator.present() && decoded->size() < 2) {
        return invalid("ConditionalOperator can only be used when Filter or Expected has two or more elements");
    }
    if (decoded->empty()) {
        return std::optional<expression::Condition>();
    }
    return std::optional(expression::condition_of_legacy(*decoded, conditional_operator.text_or("AND") == "OR"));
}

Result<std::optional<expression::Update>> legacy_update(const protocol::Node &attribute_updates)
{
    if (!attribute_updates.present()) {
        return std::optional<expression::Update>();
    }
    namespace members = protocol::attribute_value_update;
    if (attribute_updates.entries().size() > kMaxAttributeUpdates) {
        return invalid("The expression contains too many operators; operator count: " +
                       std::to_string(attribute_updates.entries().size()));
    }
    std::vector<AttributeUpdate> updates;
    updates.reserve(attribute_updates.entries().size());
    for (const auto &entry : attribute_updates.entries()) {
        if (entry.key.empty()) {
            return invalid("Empty attribute name");
        }
        if (auto checked = check_values(entry.value[members::value]); !checked) {
            return fail(std::move(checked).error());
        }
        updates.push_back({entry.key, action_of(entry.value[members::action]), value_of(entry.value[members::value])});
        if (auto checked = expression::check_attribute_updates({&updates.back(), 1}); !checked) {
            return fail(std::move(checked).error());
        }
    }
    return std::optional(expression::Update::of_attribute_updates(updates));
}

Result<std::optional<expression::Projection>> legacy_projection(const protocol::Node &attributes_to_get)
{
    if (!attributes_to_get.present()) {
        return std::optional<expression::Projection>();
    }
    std::vector<std::string_view> names;
    names.reserve(attributes_to_get.elements().size());
    for (const auto &name : attributes_to_get.elements()) {
        names.push_back(name.text());
    }
    auto sorted = names;
    std::ranges::sort(sorted);
    if (const auto repeated = std::ranges::adjacent_find(sorted); repeated != sorted.end()) {
        return invalid("One or more parameter values were invalid: Duplicate value in attribute name: " +
                       std::string(*repeated));
    }
    std::erase(names, std::string_view()); // no attribute has an empty name
    return std::optional(expression::Projection::of_attributes(names));
}

} // namespace basalt::operations

// The parameters that DynamoDB had before expressions, translated into the same trees: Expected, QueryFilter,
// ScanFilter, KeyConditions and AttributeUpdates. Attribute names are literal top-level names.
#pragma once

#include "basalt/result.h"
#include "expression/condition.h"
#include "expression/key_condition.h"
#include "expression/update.h"
#include "model/item_view.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace basalt::expression {

/// One entry of Expected, QueryFilter, ScanFilter or KeyConditions, as it was sent.
struct LegacyCondition {
    std::string_view attribute;
    std::optional<model::ValueView> value = {};               // Expected only
    std::optional<bool> exists = {};                          // Expected only
    std::optional<std::string_view> comparison_operator = {}; // a member of the model's enum
    std::optional<std::vector<model::ValueView>> values = {}; // AttributeValueList
};

enum class LegacyParameter : std::uint8_t { expected, filter, key_conditions };

/// Each entry by itself, in the order given: which members may stand together, number and types of arguments; then
/// that there are at most model::kMaxExpressionOperators entries and, over all entries, 50,000 arguments. Both
/// bounds are Basalt's own; the service is known to take 27,500 arguments of IN. Errors (validation): the service's
/// texts.
[[nodiscard]] Result<void> check_legacy_conditions(std::span<const LegacyCondition> conditions,
                                                   LegacyParameter parameter);

/// Checked entries as one condition, joined by OR or AND; at least one entry.
[[nodiscard]] Condition condition_of_legacy(std::span<const LegacyCondition> conditions, bool any);

/// Checked entries of KeyConditions, in the order given. An operator that keys do not have becomes
/// KeyOperator::not_indexable. Error (validation): none, or more than kMaxKeyClauses; check_clause_count is up to the
/// caller, as after parse_key_condition.
[[nodiscard]] Result<std::vector<KeyClause>> key_clauses_of_legacy(std::span<const LegacyCondition> conditions);

/// Entries of AttributeUpdates by themselves: actions and the types of their values. Errors (validation): the service's
/// texts.
[[nodiscard]] Result<void> check_attribute_updates(std::span<const AttributeUpdate> updates);

} // namespace basalt::expression

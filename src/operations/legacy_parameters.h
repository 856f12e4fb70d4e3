// The parameters from before expressions, decoded from a request: Expected, QueryFilter, ScanFilter, KeyConditions,
// ConditionalOperator, AttributeUpdates and AttributesToGet.
#pragma once

#include "basalt/result.h"
#include "expression/legacy.h"
#include "expression/projection.h"
#include "protocol/document.h"

#include <optional>
#include <vector>

namespace basalt::operations {

/// Entry by entry in the order sent: faults inside its values, then its own rules. Absent: none. Errors (validation):
/// the service's texts.
[[nodiscard]] Result<std::vector<expression::LegacyCondition>> legacy_conditions(const protocol::Node &conditions,
                                                                                 expression::LegacyParameter parameter);

/// Expected, QueryFilter or ScanFilter together with ConditionalOperator; nothing if not sent. Errors (validation).
[[nodiscard]] Result<std::optional<expression::Condition>> legacy_condition(const protocol::Node &conditions,
                                                                            const protocol::Node &conditional_operator,
                                                                            expression::LegacyParameter parameter);

/// AttributeUpdates; nothing if not sent. Errors (validation).
[[nodiscard]] Result<std::optional<expression::Update>> legacy_update(const protocol::Node &attribute_updates);

/// AttributesToGet; nothing if not sent. Error (validation): a repeated name.
[[nodiscard]] Result<std::optional<expression::Projection>> legacy_projection(const protocol::Node &attributes_to_get);

} // namespace basalt::operations

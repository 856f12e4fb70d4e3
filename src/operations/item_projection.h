// Which parts of an item GetItem and BatchGetItem give: ProjectionExpression or AttributesToGet.
#pragma once

#include "basalt/result.h"
#include "expression/projection.h"
#include "operations/expression_parameters.h"
#include "protocol/document.h"
#include "protocol/json_writer.h"

#include <optional>
#include <string>

namespace basalt::operations {

/// The members that say so.
struct ProjectionMembers {
    const protocol::Node &attributes_to_get;
    const protocol::Node &projection_expression;
    const protocol::Node &names;
};

/// Not both, and no names without expression. Error (validation).
[[nodiscard]] Result<void> check_projection_styles(const ProjectionMembers &members);

/// Nothing if the whole item is asked for. The projection points into expressions. Errors (validation): the service's
/// texts.
[[nodiscard]] Result<std::optional<expression::Projection>> read_projection(const ProjectionMembers &members,
                                                                            ExpressionParameters &expressions);

/// Writes the projected attributes, or all of them. scratch: for use from item to item.
void write_projected(protocol::JsonWriter &out, model::MapView item,
                     const std::optional<expression::Projection> &projection, std::string &scratch);

} // namespace basalt::operations

// From CreateTable's input to a table description, with the service's checks in the service's order.
#pragma once

#include "basalt/result.h"
#include "model/table_description.h"
#include "operations/operation.h"
#include "protocol/document.h"

namespace basalt::operations {

/// All rules that need no other table: billing, attributes, keys, indexes, projections, stream, throughput limits, SSE,
/// table class, tags. Identity, keyspaces and times are left for the catalog. Errors (validation, limit_exceeded): the
/// service's texts.
[[nodiscard]] Result<model::TableDescription> table_from_request(const Context &context, const protocol::Node &input);

} // namespace basalt::operations

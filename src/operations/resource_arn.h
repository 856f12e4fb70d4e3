// The table that a ResourceArn names.
#pragma once

#include "operations/operation.h"

#include <string_view>

namespace basalt::operations {

/// The first check of operations whose input begins with ResourceArn. Errors: validation (absent), access_denied (the
/// text is so far from an ARN that nobody can have been given access to what it names).
[[nodiscard]] Result<void> require_resource_arn(const Context &context, const Operation &operation,
                                                const protocol::Node &input);

/// The name of a table of this region and account; it points into the text. Errors: validation (no ARN of a table, or
/// of another region), access_denied (of another account).
[[nodiscard]] Result<std::string_view> table_of_resource(const Context &context, std::string_view arn);

/// Whether a change came to nothing because there is no such table, or it is being created or deleted: for operations
/// on tags such a table does not exist.
[[nodiscard]] bool is_out_of_reach(const storage::Outcome &change);
/// What they say then.
[[nodiscard]] Error resource_not_found(std::string_view arn);

} // namespace basalt::operations

// Table names and table ARNs as requests give them.
#pragma once

#include "basalt/result.h"

#include <string_view>

namespace basalt::protocol {

class Node;

/// Whether the service reads the text as an ARN and not as a name.
[[nodiscard]] constexpr bool is_arn(std::string_view text) noexcept
{
    return text.starts_with("arn:");
}

/// The parts of a TableName. Of a bare name only `name` is set.
struct TableReference {
    std::string_view name;
    std::string_view region = {};
    std::string_view account = {};
};

/// Reads a name or arn:<partition>:dynamodb:<region>:<account>:table/<name>; the result points into the text. A bare
/// name is taken as it is. Error (validation): the service's text for the first part of an ARN that makes no sense.
[[nodiscard]] Result<TableReference> parse_table_reference(std::string_view name_or_arn);

/// The checks of a required TableName of a control operation that come before all model constraints: presence, then
/// length. check_constraints begins with them. Error: validation.
[[nodiscard]] Result<void> check_control_table_name(const Node &table_name);

} // namespace basalt::protocol

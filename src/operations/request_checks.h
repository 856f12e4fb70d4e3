// Checks that several operations make on their input, each at its own place in the service's order.
#pragma once

#include "basalt/result.h"
#include "expression/placeholders.h"
#include "protocol/document.h"

#include <initializer_list>
#include <string_view>
#include <vector>

namespace basalt::operations {

/// A parameter of the service that Basalt does not have yet must not be ignored.
struct Unbuilt {
    const protocol::Node &member;
    std::string_view name;
};
/// Error (validation): names the first one that was sent and says that it is not supported yet.
[[nodiscard]] Result<void> refuse_unbuilt(std::initializer_list<Unbuilt> members);

/// Error (validation): what is wrong inside an attribute value or the values of a map, in the service's words.
[[nodiscard]] Result<void> check_values(const protocol::Node &attributes);

/// ExpressionAttributeNames and ExpressionAttributeValues: not empty, keys well-formed, values without fault. Returns
/// the names; values stay in their node.
[[nodiscard]] Result<std::vector<expression::NameSubstitution>> check_placeholders(const protocol::Node &names,
                                                                                   const protocol::Node &values);

/// ReturnValues of PutItem and DeleteItem: ALL_OLD (true) or NONE. Error (validation).
[[nodiscard]] Result<bool> wants_old_item(const protocol::Node &return_values);

} // namespace basalt::operations

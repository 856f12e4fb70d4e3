// How the service prints a request value inside a validation message.
#pragma once

#include "protocol/document.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace basalt::protocol {

/// Longer values are cut: a message repeats them and multiplies their size.
inline constexpr std::size_t kMaxValueTextBytes = std::size_t{64} << 10;

/// Appends scalars raw, lists as [a, b], maps as {k=v}, structures as Name(member=value, other=null), absent nodes as
/// null. shape: the node's.
void append_value_text(const Shape &shape, const Node &node, std::string &out);

/// The member's name as the service writes it in paths and values: TableName as tableName.
void append_lower_first(std::string_view name, std::string &out);

} // namespace basalt::protocol

// How large responses with many items may get as JSON. Items are limited by DynamoDB's size rule, by which a control
// character is one byte and 1E125 two: as JSON they are six and 126.
#pragma once

#include <cstddef>

namespace basalt::operations {

/// Once a response is larger, no further item is added to it.
inline constexpr std::size_t kMaxBodyBytes = std::size_t{24} << 20;
/// Once the items that the reasons of one cancelled transaction show are larger, further reasons show none. A hundred
/// items of 400 KB of plain text fit.
inline constexpr std::size_t kMaxReasonItemsBytes = std::size_t{64} << 20;

} // namespace basalt::operations

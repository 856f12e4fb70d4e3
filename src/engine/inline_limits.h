// How much one attempt does on a thread that must not wait before it says would_block, for a worker to do it. The hop
// to a worker costs about 4 microseconds; while an attempt runs, all connections of its thread stand still.
#pragma once

#include <cstdint>

namespace basalt::engine {

/// Bytes of items that a page or a batch of reads copies or writes as JSON: about 50 microseconds.
inline constexpr std::uint64_t kInlinePageBytes = 64 * 1024;
/// Items read one by one for the entries of an index.
inline constexpr std::uint64_t kInlineFetches = 32;
/// What filters, conditions and updates come to: 50 to 100 microseconds in units of about 5 nanoseconds.
inline constexpr std::uint64_t kInlineWork = 16 * 1024;
/// Of finding an item's entries in the indexes of one kind, in each 64 bytes of the item.
inline constexpr std::uint64_t kIndexesCost = 8;

/// Units of work for a row of that many bytes. cost: once, and again for each 64 bytes, of which evaluation may have to
/// look at every one.
[[nodiscard]] constexpr std::uint64_t inline_work(std::uint64_t cost, std::uint64_t bytes)
{
    return cost * (1 + bytes / 64);
}

} // namespace basalt::engine

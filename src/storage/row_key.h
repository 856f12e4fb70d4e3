// The row key of backends that keep rows in one ordered key space:
//
//     row key   = keyspace (4 bytes, big-endian) hash (8 bytes, big-endian) escaped(partition) escaped(sort) tail
//     escaped   = each byte as it is, 0x00 as 0x00 0xFF; then 0x00 0x01
//
// so that unsigned byte order of row keys is the order of hash, partition, sort, tail.
#pragma once

#include "storage/store.h"

#include <optional>
#include <string>

namespace basalt::storage {

/// Keyspace and hash: the part that all rows of a partition (and of those whose hash collides) share.
inline constexpr std::size_t kRowPrefixBytes = 12;

void append_row_key(KeyspaceId keyspace, const Key &key, std::string &out);

/// A row key taken apart.
struct RowKeyParts {
    KeyspaceId keyspace{};
    std::uint64_t hash = 0;
    std::string partition;
    std::string sort;
    std::string tail;
};
/// Nothing: append_row_key does not write such bytes.
[[nodiscard]] std::optional<RowKeyParts> parse_row_key(Bytes row_key);
/// Of a record: keyspace, then commit (8 bytes) and ordinal (4), all big-endian.
void append_log_key(KeyspaceId log, LogPosition position, std::string &out);
/// The position in such a key.
[[nodiscard]] LogPosition log_position(Bytes log_key);
/// The position that follows at once.
[[nodiscard]] constexpr LogPosition next_position(LogPosition position)
{
    return position.ordinal == ~std::uint32_t{0} ? LogPosition{position.commit + 1, 0}
                                                 : LogPosition{position.commit, position.ordinal + 1};
}

/// Row keys lower <= k < upper. An empty upper is no bound.
struct RowRange {
    std::string lower;
    std::string upper;
    /// All keys of the range, both bounds included, begin with the same kRowPrefixBytes.
    bool one_prefix = false;
    /// No key can be inside.
    [[nodiscard]] bool empty() const { return !upper.empty() && lower >= upper; }
};

/// The rows that a scan of the range meets.
[[nodiscard]] RowRange row_range(KeyspaceId keyspace, const Range &range);
/// All rows of a keyspace.
[[nodiscard]] RowRange keyspace_range(KeyspaceId keyspace);

} // namespace basalt::storage

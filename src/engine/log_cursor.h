// How far each change log has been applied to its table's global indexes, kept in the catalog's family: under the log's
// id (4 bytes) the position of the last record applied, as commit (8 bytes) and ordinal (4), all big-endian.
#pragma once

#include "storage/store.h"

#include <optional>
#include <string>

namespace basalt::engine {

inline constexpr storage::KeyspaceId kCursorsKeyspace = storage::make_keyspace_id(storage::KeyspaceKind::catalog, 2);

/// The key of a log's cursor, with the bytes that it points to. Stays where it is made.
class CursorKey {
public:
    explicit CursorKey(storage::KeyspaceId log);
    CursorKey(const CursorKey &) = delete;
    CursorKey &operator=(const CursorKey &) = delete;
    [[nodiscard]] storage::Key view() const { return {0, bytes_, {}, {}}; }

private:
    std::string bytes_;
};

[[nodiscard]] std::string encode_cursor(storage::LogPosition applied);
/// Nothing: not such bytes.
[[nodiscard]] std::optional<storage::LogPosition> decode_cursor(Bytes row);

} // namespace basalt::engine

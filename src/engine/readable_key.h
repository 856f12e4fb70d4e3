// Stored keys for people to read: in messages about rows, where a key may be long, binary or damaged.
#pragma once

#include "base/bytes.h"
#include "model/table_description.h"
#include "storage/store.h"

#include <string>

namespace basalt::engine {

/// Where a row stands, taken apart by the backend; owns its bytes.
struct StoredKey {
    storage::KeyspaceId keyspace{};
    std::uint64_t hash = 0;
    std::string partition;
    std::string sort;
    std::string tail;

    /// Valid while this object stays as it is.
    [[nodiscard]] storage::Key view() const { return {hash, partition, sort, tail}; }
};

/// In quotes; control characters and what is not UTF-8 as \x1F, cut after a few dozen characters.
[[nodiscard]] std::string readable_text(Bytes text);
/// The same as hexadecimal digits behind 0x.
[[nodiscard]] std::string readable_bytes(Bytes bytes);

/// `pk="a"` of any row of the table or its local indexes.
[[nodiscard]] std::string readable_partition(const model::TableDescription &table, const StoredKey &key);
/// `pk="a", sk=12` of an item's row.
[[nodiscard]] std::string readable_key(const model::TableDescription &table, const StoredKey &key);
/// `pk="a", by=0x00FF, sk=12` of a row of a local index.
[[nodiscard]] std::string readable_key(const model::TableDescription &table, const model::IndexDescription &index,
                                       const StoredKey &key);

/// `g="a", by=0x00FF of pk="a", sk=12` of a row of a global index; the parts as bytes if they are none.
[[nodiscard]] std::string readable_global_key(const model::TableDescription &table,
                                              const model::IndexDescription &index, const StoredKey &key);

} // namespace basalt::engine

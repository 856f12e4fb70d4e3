// The fixed column families and which keyspace lives in which.
#pragma once

#include "storage/store.h"

#include <array>
#include <string>
#include <vector>

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
} // namespace rocksdb

namespace basalt::storage {

/// metadata is RocksDB's default family: keyspace numbers and dropped keyspaces. Order and names are stored.
enum class Family : std::uint8_t { metadata, catalog, items, local_index, global_index, change_log, expiry };
inline constexpr std::size_t kFamilyCount = 7;

[[nodiscard]] const char *name_of(Family family);
/// Aborts on a kind that does not exist.
[[nodiscard]] Family family_of(KeyspaceId keyspace);

/// The handles of an open database, by family.
class Families {
public:
    Families() = default;
    explicit Families(const std::vector<::rocksdb::ColumnFamilyHandle *> &handles);
    [[nodiscard]] ::rocksdb::ColumnFamilyHandle *operator[](Family family) const
    {
        return handles_[static_cast<std::size_t>(family)];
    }
    [[nodiscard]] ::rocksdb::ColumnFamilyHandle *of(KeyspaceId keyspace) const { return (*this)[family_of(keyspace)]; }
    [[nodiscard]] const std::array<::rocksdb::ColumnFamilyHandle *, kFamilyCount> &all() const { return handles_; }

private:
    std::array<::rocksdb::ColumnFamilyHandle *, kFamilyCount> handles_{};
};

} // namespace basalt::storage

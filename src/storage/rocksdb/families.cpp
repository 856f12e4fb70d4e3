// Families, their names and their keyspaces.
#include "storage/rocksdb/families.h"

#include "base/check.h"

#include <algorithm>

namespace basalt::storage {

const char *name_of(Family family)
{
    static constexpr std::array<const char *, kFamilyCount> kNames = {
        "default", "catalog", "items", "local_index", "global_index", "change_log", "expiry"};
    return kNames[static_cast<std::size_t>(family)];
}

Family family_of(KeyspaceId keyspace)
{
    switch (kind_of(keyspace)) {
    case KeyspaceKind::catalog:
        return Family::catalog;
    case KeyspaceKind::items:
        return Family::items;
    case KeyspaceKind::local_index:
        return Family::local_index;
    case KeyspaceKind::global_index:
        return Family::global_index;
    case KeyspaceKind::expiry:
        return Family::expiry;
    case KeyspaceKind::change_log:
        return Family::change_log;
    }
    BASALT_CHECK(!"a keyspace of an unknown kind");
    return Family::metadata;
}

Families::Families(const std::vector<::rocksdb::ColumnFamilyHandle *> &handles)
{
    BASALT_CHECK(handles.size() == kFamilyCount);
    std::copy(handles.begin(), handles.end(), handles_.begin());
}

} // namespace basalt::storage

// Checks what a store holds against what the engine writes: descriptions, items, index rows, sizes of collections,
// tokens, and that there is nothing else. Derived rows are computed again from the items and compared.
#pragma once

#include "base/finding.h"
#include "base/function_ref.h"
#include "engine/readable_key.h"
#include "storage/store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace basalt::engine {

/// Of one table that has indexes.
struct IndexedTableCounts {
    std::string table;
    std::uint64_t items = 0;
    std::uint64_t index_entries = 0;
    /// Changes that are not applied to its global indexes yet.
    std::uint64_t pending_changes = 0;
};

/// What has been looked at.
struct VerificationCounts {
    std::uint64_t tables = 0;
    std::uint64_t items = 0;
    std::uint64_t item_bytes = 0; // by DynamoDB's rule
    std::uint64_t index_entries = 0;
    std::uint64_t collections = 0;
    std::uint64_t tokens = 0;
    std::vector<IndexedTableCounts> indexed_tables = {}; // those that are done
};

/// What the contract of a store does not tell of it.
struct StoreInventory {
    /// Keyspaces that have rows, and those that were dropped and may still have some.
    std::vector<storage::KeyspaceId> with_rows;
    std::vector<storage::KeyspaceId> dropped;
    /// All keyspaces but the catalog's have smaller numbers.
    std::uint32_t next_number = 1;
    /// Takes a Row::raw_key apart, each key in one way only. Nothing: it is no key.
    std::optional<StoredKey> (*parse_key)(Bytes raw_key) = nullptr;
};

/// Called every few thousand rows.
using VerificationProgress = function_ref<void(const VerificationCounts &)>;

/// Nothing may write meanwhile. Needs a store that runs a body once and lets a body read through the store, which the
/// contract does not promise; memory does not grow with the items of tables, but for 8 bytes of each
/// change that is not applied to global indexes, up to 64 MiB for one table. What cannot be read is a finding, too.
[[nodiscard]] VerificationCounts verify_store(storage::Store &store, const StoreInventory &inventory, FindingSink found,
                                              VerificationProgress progress);

} // namespace basalt::engine

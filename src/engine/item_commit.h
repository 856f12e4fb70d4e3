// The writes of one call on their way into one commit: the plan with its locks, and what each run of the store's body
// reads, decides and writes.
#pragma once

#include "engine/index_entries.h"
#include "engine/item_collection.h"
#include "engine/item_write.h"
#include "engine/row_batch.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace basalt::engine {

class IndexApplier;

/// Why each write cannot be made, in the order of the writes; nothing for the others.
using Refusals = std::vector<std::optional<Error>>;

/// Used by one thread. The targets must outlive it.
class ItemCommit {
public:
    /// collection_limit_bytes: as EngineOptions.
    ItemCommit(storage::Wait wait, std::span<const ItemWriteTarget> targets, std::uint64_t collection_limit_bytes,
               std::pmr::memory_resource &arena);

    /// Call once, first. Error: validation, if an item is written twice.
    Result<void> plan(std::span<const ItemWriteTarget> targets);
    /// One more lock, behind those of the writes; call after plan().
    void also_lock(const storage::LockKey &lock) { locks_.push_back(lock); }
    [[nodiscard]] std::span<const storage::LockKey> locks() const { return locks_; }
    /// The position of the write that the lock at that position is for.
    [[nodiscard]] std::size_t write_of_lock(std::size_t position) const;

    /// False: a change log that the writes append to is that far ahead of the global indexes. Call after plan().
    [[nodiscard]] bool may_append(std::uint64_t most_pending_bytes) const;

    /// Tells the feeds of the written tables how far their logs have come. Call after a commit.
    void announce(const storage::Outcome &outcome, IndexApplier &applier) const;

    /// One run of the body. The first refused write ends it with its error; with `refusals` all writes are evaluated
    /// and what is refused ends it with transaction_canceled. Errors: would_block (Wait::never, and it would take
    /// long); the writes' own; item_collection_size_limit_exceeded; the store's.
    Result<void> run(storage::Mutation &mutation, Refusals *refusals = nullptr);

private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    /// One write on its way.
    struct PlannedWrite {
        const ItemWriteTarget *target = nullptr;
        std::size_t request = kNone;    // where its old item is read
        std::size_t collection = kNone; // its item collection, on a table with local indexes
        std::size_t names = kNone;      // those of its table's local indexes
        std::size_t changes = kNone;    // how it is recorded, on a table with a change log
        // Of one run of the body.
        std::optional<model::ItemView> old_item = {};
        ItemChange change = {};
        std::optional<IndexEntries> old_entries = {}; // with a change, on a table with local indexes
        std::optional<IndexEntries> new_entries = {};

        [[nodiscard]] const model::TableDescription &description() const { return target->table.description; }
        [[nodiscard]] std::optional<model::ItemView> new_item() const
        {
            return change.kind == ItemChange::Kind::none ? old_item : change.item;
        }
        /// Leaves out a change that changes nothing.
        void settle(const ItemChange &wanted);
        /// Finds the entries of a change in the local indexes.
        void find_entries(const IndexNames &index_names);
    };

    /// The local indexes of one version of a table.
    struct TableNames {
        const Table *table;
        IndexNames names;
    };

    /// What is appended to the log of one version of a table.
    struct TableChanges {
        const Table *table;
        std::uint64_t bytes = 0; // in one run of the body
    };

    [[nodiscard]] bool is_planned(const ItemWriteTarget &target) const;
    void add(const ItemWriteTarget &target);
    [[nodiscard]] std::size_t collection_of(const ItemWriteTarget &target);
    [[nodiscard]] std::size_t names_of(const Table &table);
    [[nodiscard]] std::size_t changes_of(const Table &table);
    Result<void> read(storage::Mutation &mutation);
    [[nodiscard]] bool is_long() const;
    Result<void> evaluate(Refusals *refusals);
    Result<void> measure_collections(Refusals *refusals);
    void tell();
    void write(storage::Mutation &mutation);
    void record_change(storage::Mutation &mutation, const PlannedWrite &write);
    void write_local_indexes(storage::Mutation &mutation, const PlannedWrite &write);

    const storage::Wait wait_;
    const std::uint64_t collection_limit_bytes_;
    std::pmr::vector<PlannedWrite> writes_;
    std::pmr::vector<ItemCollection> collections_;
    std::pmr::vector<TableNames> names_;
    std::pmr::vector<TableChanges> changes_;
    std::pmr::vector<RowRequest> requests_;
    std::pmr::vector<storage::LockKey> locks_;
    // Scratch.
    std::string old_sort_, new_sort_, entry_, record_;
};

} // namespace basalt::engine

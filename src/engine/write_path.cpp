// Writes: the locks, one read of what the writes and the local indexes need, and one commit.
#include "engine/engine.h"
#include "engine/index_entries.h"
#include "engine/inline_limits.h"
#include "engine/item_collection.h"
#include "engine/row_batch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory_resource>
#include <vector>

namespace basalt::engine {
namespace {

/// What one write to a table with local indexes needs; larger batches go to the heap.
constexpr std::size_t kArenaBytes = 1024;
constexpr std::size_t kNone = ~std::size_t{0};

std::optional<model::ItemView> as_item(std::optional<Bytes> row)
{
    return row ? std::optional(model::ItemView(*row)) : std::nullopt;
}

/// One write on its way.
struct PlannedWrite {
    const ItemWriteTarget *target = nullptr;
    std::size_t request = kNone;    // where its old item is read
    std::size_t collection = kNone; // its item collection, on a table with local indexes
    std::size_t names = kNone;      // those of its table's local indexes
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

void PlannedWrite::settle(const ItemChange &wanted)
{
    using Kind = ItemChange::Kind;
    change = wanted;
    if (change.kind != Kind::put) {
        change.item.reset();
    }
    if (request == kNone) {
        return;
    }
    const bool still_absent = change.kind == Kind::remove && !old_item;
    const bool same = change.kind == Kind::put && old_item && old_item->bytes() == change.item->bytes();
    if (still_absent || same) {
        change = {};
    }
}

void PlannedWrite::find_entries(const IndexNames &index_names)
{
    if (old_item) {
        old_entries.emplace(index_names, *old_item);
    }
    if (change.item) {
        new_entries.emplace(index_names, *change.item);
    }
}

std::uint64_t stored_bytes(const std::optional<model::ItemView> &item, const std::optional<IndexEntries> &entries)
{
    return item ? item->size_bytes() + entries->size_bytes() : 0;
}

/// The local indexes of one version of a table.
struct TableNames {
    const Table *table;
    IndexNames names;
};

/// The writes of one call. The plan and the locks are made once, the rest by each run of the body.
class Commit {
public:
    Commit(storage::Wait wait, std::span<const ItemWriteTarget> targets, std::uint64_t collection_limit_bytes,
           std::pmr::memory_resource &arena);

    /// Call once, first. Error: validation, if an item is written twice.
    Result<void> plan(std::span<const ItemWriteTarget> targets);
    [[nodiscard]] std::span<const storage::LockKey> locks() const { return locks_; }
    Result<void> run(storage::Mutation &mutation);

private:
    [[nodiscard]] bool is_planned(const ItemWriteTarget &target) const;
    void add(const ItemWriteTarget &target);
    [[nodiscard]] std::size_t collection_of(const ItemWriteTarget &target);
    [[nodiscard]] std::size_t names_of(const Table &table);
    Result<void> read(storage::Mutation &mutation);
    [[nodiscard]] bool is_long() const;
    Result<void> evaluate();
    Result<void> measure_collections();
    void tell();
    void write(storage::Mutation &mutation);
    void write_local_indexes(storage::Mutation &mutation, const PlannedWrite &write);

    const storage::Wait wait_;
    const std::uint64_t collection_limit_bytes_;
    std::pmr::vector<PlannedWrite> writes_;
    std::pmr::vector<ItemCollection> collections_;
    std::pmr::vector<TableNames> names_;
    std::pmr::vector<RowRequest> requests_;
    std::pmr::vector<storage::LockKey> locks_;
    // Scratch.
    std::string old_sort_, new_sort_, entry_;
};

Commit::Commit(storage::Wait wait, std::span<const ItemWriteTarget> targets, std::uint64_t collection_limit_bytes,
               std::pmr::memory_resource &arena)
    : wait_(wait),
      collection_limit_bytes_(collection_limit_bytes),
      writes_(&arena),
      collections_(&arena),
      names_(&arena),
      requests_(&arena),
      locks_(&arena)
{
    writes_.reserve(targets.size());
    const bool has_collections = std::any_of(targets.begin(), targets.end(), [](const ItemWriteTarget &target) {
        return !target.table.description.local_indexes.empty();
    });
    const std::size_t rows = targets.size() * (has_collections ? 2 : 1);
    collections_.reserve(has_collections ? targets.size() : 0);
    names_.reserve(has_collections ? targets.size() : 0); // entries point there
    requests_.reserve(rows);
    locks_.reserve(rows);
}

Result<void> Commit::plan(std::span<const ItemWriteTarget> targets)
{
    for (const auto &target : targets) {
        if (is_planned(target)) {
            return fail(ErrorCode::validation, "Provided list of item keys contains duplicates");
        }
        add(target);
    }
    return {};
}

bool Commit::is_planned(const ItemWriteTarget &target) const
{
    return std::any_of(writes_.begin(), writes_.end(), [&](const PlannedWrite &write) {
        const auto &key = write.target->key;
        return key.hash == target.key.hash && write.target->table.keyspace() == target.table.keyspace() &&
               key.partition == target.key.partition && key.sort == target.key.sort;
    });
}

void Commit::add(const ItemWriteTarget &target)
{
    const bool has_local_indexes = !target.table.description.local_indexes.empty();
    auto &write = writes_.emplace_back(PlannedWrite{&target});
    locks_.push_back({target.table.keyspace(), target.key.view()});
    if (has_local_indexes) {
        write.collection = collection_of(target);
        write.names = names_of(target.table);
    }
    if (has_local_indexes || target.write.needs_old_item()) {
        write.request = requests_.size();
        requests_.push_back({target.table.keyspace(), target.key.view()});
    }
}

std::size_t Commit::names_of(const Table &table)
{
    const auto found =
        std::find_if(names_.begin(), names_.end(), [&](const TableNames &names) { return names.table == &table; });
    if (found != names_.end()) {
        return static_cast<std::size_t>(found - names_.begin());
    }
    names_.push_back({&table, IndexNames(table.description, table.description.local_indexes)});
    return names_.size() - 1;
}

std::size_t Commit::collection_of(const ItemWriteTarget &target)
{
    const auto keyspace = target.table.collections_keyspace();
    const auto found = std::find_if(collections_.begin(), collections_.end(), [&](const ItemCollection &collection) {
        return collection.is(keyspace, target.key);
    });
    if (found != collections_.end()) {
        return static_cast<std::size_t>(found - collections_.begin());
    }
    const auto &added = collections_.emplace_back(keyspace, target.key, requests_.size());
    locks_.push_back({keyspace, added.key()});
    requests_.push_back({keyspace, added.key()});
    return collections_.size() - 1;
}

Result<void> Commit::run(storage::Mutation &mutation)
{
    if (auto done = read(mutation); !done) {
        return done;
    }
    if (wait_ == storage::Wait::never && is_long()) {
        return fail(ErrorCode::would_block, "a long write");
    }
    if (auto done = evaluate(); !done) {
        return done;
    }
    if (auto done = measure_collections(); !done) {
        return done;
    }
    tell();
    write(mutation);
    return {};
}

Result<void> Commit::read(storage::Mutation &mutation)
{
    if (auto done = read_rows(mutation, requests_); !done) {
        return done;
    }
    for (auto &write : writes_) {
        write.old_item = write.request == kNone ? std::nullopt : as_item(requests_[write.request].value);
        write.old_entries.reset();
        write.new_entries.reset();
    }
    for (auto &collection : collections_) {
        collection.start(requests_[collection.request()].value);
    }
    return {};
}

bool Commit::is_long() const
{
    std::uint64_t work = 0;
    for (const auto &write : writes_) {
        const std::uint64_t cost = write.target->write.cost() + (write.names != kNone ? kLocalIndexesCost : 0);
        work += inline_work(cost, write.old_item ? write.old_item->bytes().size() : 0);
    }
    return work > kInlineWork;
}

Result<void> Commit::evaluate()
{
    for (auto &write : writes_) {
        auto change = write.target->write.evaluate(write.old_item);
        if (!change) {
            return fail(std::move(change).error());
        }
        write.settle(*change);
    }
    return {};
}

Result<void> Commit::measure_collections()
{
    for (auto &write : writes_) {
        if (write.collection != kNone && write.change.kind != ItemChange::Kind::none) {
            write.find_entries(names_[write.names].names);
            collections_[write.collection].replace(stored_bytes(write.old_item, write.old_entries),
                                                   stored_bytes(write.change.item, write.new_entries));
        }
    }
    for (auto &collection : collections_) {
        collection.settle();
        if (auto done = collection.check(collection_limit_bytes_); !done) {
            return done;
        }
    }
    return {};
}

void Commit::tell()
{
    for (const auto &write : writes_) {
        const auto bytes = write.collection == kNone ? 0 : collections_[write.collection].bytes();
        write.target->write.accepted({write.old_item, write.new_item(), bytes});
    }
}

void Commit::write(storage::Mutation &mutation)
{
    for (const auto &write : writes_) {
        const auto keyspace = write.target->table.keyspace();
        switch (write.change.kind) {
        case ItemChange::Kind::none:
            continue;
        case ItemChange::Kind::put:
            mutation.put(keyspace, write.target->key.view(), write.change.item->bytes());
            break;
        case ItemChange::Kind::remove:
            mutation.remove(keyspace, write.target->key.view());
            break;
        }
        write_local_indexes(mutation, write);
    }
    for (const auto &collection : collections_) {
        collection.write(mutation);
    }
}

void Commit::write_local_indexes(storage::Mutation &mutation, const PlannedWrite &write)
{
    const auto &indexes = write.description().local_indexes;
    const auto &base = write.target->key;
    for (std::size_t i = 0; i < indexes.size(); ++i) {
        const auto keyspace = static_cast<storage::KeyspaceId>(indexes[i].keyspace);
        const bool in_old = write.old_entries && write.old_entries->has(i);
        const bool in_new = write.new_entries && write.new_entries->has(i);
        old_sort_.clear();
        new_sort_.clear();
        if (in_old) {
            write.old_entries->append_sort(i, old_sort_);
        }
        if (in_new) {
            write.new_entries->append_sort(i, new_sort_);
        }
        const bool stays = in_old && in_new && old_sort_ == new_sort_;
        if (in_old && !stays) {
            mutation.remove(keyspace, {base.hash, base.partition, old_sort_, base.sort});
        }
        if (in_new && !(stays && write.old_entries->same_bytes(i, *write.new_entries))) {
            mutation.put(keyspace, {base.hash, base.partition, new_sort_, base.sort},
                         write.new_entries->bytes(i, entry_));
        }
    }
}

} // namespace

storage::Outcome Engine::write_items(storage::Wait wait, std::span<const ItemWriteTarget> targets)
{
    std::array<std::byte, kArenaBytes> buffer;
    std::pmr::monotonic_buffer_resource arena(buffer.data(), buffer.size());
    Commit commit(wait, targets, collection_limit_bytes_, arena);
    if (auto planned = commit.plan(targets); !planned) {
        return {std::move(planned), {}};
    }
    return store_.mutate(wait, commit.locks(),
                         [&](storage::Mutation &mutation) -> Result<void> { return commit.run(mutation); });
}

} // namespace basalt::engine

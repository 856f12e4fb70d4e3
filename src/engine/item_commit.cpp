// Planning, evaluating and writing the writes of one commit.
#include "engine/item_commit.h"

#include "base/check.h"
#include "engine/index_applier.h"
#include "engine/inline_limits.h"

#include <algorithm>
#include <utility>

namespace basalt::engine {
namespace {

std::optional<model::ItemView> as_item(std::optional<Bytes> row)
{
    return row ? std::optional(model::ItemView(*row)) : std::nullopt;
}

std::uint64_t stored_bytes(const std::optional<model::ItemView> &item, const std::optional<IndexEntries> &entries)
{
    return item ? item->size_bytes() + entries->size_bytes() : 0;
}

/// A validation error comes before everything else, and only the first one counts. Error: transaction_canceled, if
/// anything is refused.
Result<void> settle_refusals(Refusals &refusals)
{
    const auto is_invalid = [](const std::optional<Error> &refusal) {
        return refusal && refusal->code == ErrorCode::validation;
    };
    const auto invalid = std::find_if(refusals.begin(), refusals.end(), is_invalid);
    if (invalid != refusals.end()) {
        for (auto refusal = refusals.begin(); refusal != refusals.end(); ++refusal) {
            if (refusal != invalid) {
                refusal->reset();
            }
        }
    }
    const bool any = std::any_of(refusals.begin(), refusals.end(), [](const auto &refusal) { return !!refusal; });
    return any ? Result<void>(fail(ErrorCode::transaction_canceled, {})) : Result<void>();
}

} // namespace

void ItemCommit::PlannedWrite::settle(const ItemChange &wanted)
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

void ItemCommit::PlannedWrite::find_entries(const IndexNames &index_names)
{
    if (old_item) {
        old_entries.emplace(index_names, *old_item);
    }
    if (change.item) {
        new_entries.emplace(index_names, *change.item);
    }
}

ItemCommit::ItemCommit(storage::Wait wait, std::span<const ItemWriteTarget> targets,
                       std::uint64_t collection_limit_bytes, std::pmr::memory_resource &arena)
    : wait_(wait),
      collection_limit_bytes_(collection_limit_bytes),
      writes_(&arena),
      collections_(&arena),
      names_(&arena),
      changes_(&arena),
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

Result<void> ItemCommit::plan(std::span<const ItemWriteTarget> targets)
{
    for (const auto &target : targets) {
        if (is_planned(target)) {
            return fail(ErrorCode::validation, "Provided list of item keys contains duplicates");
        }
        add(target);
    }
    return {};
}

bool ItemCommit::is_planned(const ItemWriteTarget &target) const
{
    return std::any_of(writes_.begin(), writes_.end(), [&](const PlannedWrite &write) {
        const auto &key = write.target->key;
        return key.hash == target.key.hash && write.target->table.keyspace() == target.table.keyspace() &&
               key.partition == target.key.partition && key.sort == target.key.sort;
    });
}

void ItemCommit::add(const ItemWriteTarget &target)
{
    const bool has_local_indexes = !target.table.description.local_indexes.empty();
    auto &write = writes_.emplace_back(PlannedWrite{&target});
    locks_.push_back({target.table.keyspace(), target.key.view()});
    if (has_local_indexes) {
        write.collection = collection_of(target);
        write.names = names_of(target.table);
    }
    const bool is_recorded = target.table.description.log_keyspace != 0;
    if (is_recorded) {
        write.changes = changes_of(target.table);
    }
    if (has_local_indexes || is_recorded || target.write.needs_old_item()) {
        write.request = requests_.size();
        requests_.push_back({target.table.keyspace(), target.key.view()});
    }
}

std::size_t ItemCommit::names_of(const Table &table)
{
    const auto found =
        std::find_if(names_.begin(), names_.end(), [&](const TableNames &names) { return names.table == &table; });
    if (found != names_.end()) {
        return static_cast<std::size_t>(found - names_.begin());
    }
    names_.push_back({&table, IndexNames(table.description, table.description.local_indexes)});
    return names_.size() - 1;
}

std::size_t ItemCommit::changes_of(const Table &table)
{
    const auto found = std::find_if(changes_.begin(), changes_.end(),
                                    [&](const TableChanges &changes) { return changes.table == &table; });
    if (found != changes_.end()) {
        return static_cast<std::size_t>(found - changes_.begin());
    }
    changes_.push_back({&table});
    return changes_.size() - 1;
}

std::size_t ItemCommit::collection_of(const ItemWriteTarget &target)
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

bool ItemCommit::may_append(std::uint64_t most_pending_bytes) const
{
    return std::all_of(changes_.begin(), changes_.end(), [&](const auto &changes) {
        return changes.table->log->feed->pending_bytes() < most_pending_bytes;
    });
}

std::size_t ItemCommit::write_of_lock(std::size_t position) const
{
    std::size_t locks = 0;
    std::size_t collections = 0;
    for (std::size_t i = 0; i < writes_.size(); ++i) {
        ++locks;
        if (writes_[i].collection == collections) { // the first write of a collection locks that too
            ++locks;
            ++collections;
        }
        if (position < locks) {
            return i;
        }
    }
    BASALT_CHECK(!"a lock of no write");
    return 0;
}

Result<void> ItemCommit::run(storage::Mutation &mutation, Refusals *refusals)
{
    if (auto done = read(mutation); !done) {
        return done;
    }
    if (wait_ == storage::Wait::never && is_long()) {
        return fail(ErrorCode::would_block, "a long write");
    }
    if (auto done = evaluate(refusals); !done) {
        return done;
    }
    if (auto done = measure_collections(refusals); !done) {
        return done;
    }
    tell();
    write(mutation);
    return {};
}

Result<void> ItemCommit::read(storage::Mutation &mutation)
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

bool ItemCommit::is_long() const
{
    std::uint64_t work = 0;
    for (const auto &write : writes_) {
        const std::uint64_t cost = write.target->write.cost() + (write.names != kNone ? kIndexesCost : 0) +
                                   (write.changes != kNone ? kIndexesCost : 0);
        work += inline_work(cost, write.old_item ? write.old_item->bytes().size() : 0);
    }
    return work > kInlineWork;
}

Result<void> ItemCommit::evaluate(Refusals *refusals)
{
    if (refusals != nullptr) {
        refusals->assign(writes_.size(), std::nullopt);
    }
    for (std::size_t i = 0; i < writes_.size(); ++i) {
        auto change = writes_[i].target->write.evaluate(writes_[i].old_item);
        if (change) {
            writes_[i].settle(*change);
        } else if (refusals == nullptr) {
            return fail(std::move(change).error());
        } else {
            (*refusals)[i] = std::move(change).error();
        }
    }
    return refusals == nullptr ? Result<void>() : settle_refusals(*refusals);
}

Result<void> ItemCommit::measure_collections(Refusals *refusals)
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
        auto done = collection.check(collection_limit_bytes_);
        if (done) {
            continue;
        }
        if (refusals == nullptr) {
            return done;
        }
        for (std::size_t i = 0; i < writes_.size(); ++i) {
            if (writes_[i].change.kind == ItemChange::Kind::put && writes_[i].collection != kNone &&
                &collections_[writes_[i].collection] == &collection) {
                (*refusals)[i] = done.error();
            }
        }
    }
    return refusals == nullptr ? Result<void>() : settle_refusals(*refusals);
}

void ItemCommit::tell()
{
    for (const auto &write : writes_) {
        const auto bytes = write.collection == kNone ? 0 : collections_[write.collection].bytes();
        write.target->write.accepted({write.old_item, write.new_item(), bytes});
    }
}

void ItemCommit::write(storage::Mutation &mutation)
{
    for (auto &changes : changes_) {
        changes.bytes = 0;
    }
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
        if (write.changes != kNone) {
            record_change(mutation, write);
        }
    }
    for (const auto &collection : collections_) {
        collection.write(mutation);
    }
}

void ItemCommit::record_change(storage::Mutation &mutation, const PlannedWrite &write)
{
    auto &changes = changes_[write.changes];
    if (changes.table->recorder->record(write.old_item, write.change.item, record_)) {
        mutation.append(changes.table->log_keyspace(), record_);
        changes.bytes += record_.size();
    }
}

void ItemCommit::announce(const storage::Outcome &outcome, IndexApplier &applier) const
{
    for (const auto &changes : changes_) {
        if (changes.bytes != 0 && changes.table->log->feed->appended(outcome.appended, outcome.ticket, changes.bytes)) {
            applier.notify(changes.table->description.name);
        }
    }
}

void ItemCommit::write_local_indexes(storage::Mutation &mutation, const PlannedWrite &write)
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

} // namespace basalt::engine

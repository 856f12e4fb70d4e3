#include "engine/catalog.h"

#include "base/check.h"
#include "base/log.h"
#include "codec/table_encoding.h"
#include "engine/log_cursor.h"
#include "model/limits.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <utility>

namespace basalt::engine {
namespace {

constexpr std::chrono::milliseconds kSweepInterval{20};
constexpr std::chrono::milliseconds kRetryInterval{5000};

storage::Key catalog_key(std::string_view name)
{
    return storage::Key{0, name, {}, {}};
}

std::string make_uuid(RandomSource &random)
{
    // Version 4, variant 1.
    const std::uint64_t high = (random.next() & ~std::uint64_t{0xF000}) | 0x4000U;
    const std::uint64_t low = (random.next() & ~(std::uint64_t{3} << 62U)) | (std::uint64_t{2} << 62U);
    std::array<char, 37> text{};
    std::snprintf(text.data(), text.size(), "%08x-%04x-%04x-%04x-%012llx", static_cast<unsigned>(high >> 32U),
                  static_cast<unsigned>((high >> 16U) & 0xFFFFU), static_cast<unsigned>(high & 0xFFFFU),
                  static_cast<unsigned>(low >> 48U), static_cast<unsigned long long>(low & 0xFFFFFFFFFFFFULL));
    return text.data();
}

using storage::KeyspaceId;
using storage::KeyspaceKind;

/// Items, local indexes and the sizes of item collections.
std::vector<KeyspaceId> own_keyspaces(const model::TableDescription &table)
{
    std::vector<KeyspaceId> ids{static_cast<KeyspaceId>(table.keyspace)};
    for (const auto &index : table.local_indexes) {
        ids.push_back(static_cast<KeyspaceId>(index.keyspace));
    }
    if (!table.local_indexes.empty()) {
        ids.push_back(static_cast<KeyspaceId>(table.collections_keyspace));
    }
    return ids;
}

Result<void> assign_keyspace(storage::Mutation &mutation, KeyspaceKind kind, std::uint32_t &out)
{
    auto id = mutation.create_keyspace(kind);
    if (!id) {
        return fail(std::move(id).error());
    }
    out = static_cast<std::uint32_t>(*id);
    return {};
}

/// A log with its cursor: whoever applies the log goes by whether the cursor is there.
Result<void> assign_log(storage::Mutation &mutation, model::TableDescription &table)
{
    table.log_keyspace = 0;
    if (table.global_indexes.empty()) {
        return {};
    }
    auto assigned = assign_keyspace(mutation, KeyspaceKind::change_log, table.log_keyspace);
    if (assigned) {
        mutation.put(kCursorsKeyspace, CursorKey(static_cast<KeyspaceId>(table.log_keyspace)).view(),
                     encode_cursor({}));
    }
    return assigned;
}

Result<void> assign_keyspaces(storage::Mutation &mutation, model::TableDescription &table)
{
    if (auto done = assign_keyspace(mutation, KeyspaceKind::items, table.keyspace); !done) {
        return done;
    }
    for (auto &index : table.local_indexes) {
        if (auto done = assign_keyspace(mutation, KeyspaceKind::local_index, index.keyspace); !done) {
            return done;
        }
    }
    table.collections_keyspace = 0;
    if (!table.local_indexes.empty()) {
        if (auto done = assign_keyspace(mutation, KeyspaceKind::local_index, table.collections_keyspace); !done) {
            return done;
        }
    }
    for (auto &index : table.global_indexes) {
        if (auto done = assign_keyspace(mutation, KeyspaceKind::global_index, index.keyspace); !done) {
            return done;
        }
    }
    return assign_log(mutation, table);
}

void drop_log(storage::Mutation &mutation, std::uint32_t log_keyspace)
{
    if (log_keyspace != 0) {
        const auto log = static_cast<KeyspaceId>(log_keyspace);
        mutation.remove(kCursorsKeyspace, CursorKey(log).view());
        mutation.drop_keyspace(log);
    }
}

bool has_index(const model::TableDescription &table, std::uint32_t keyspace)
{
    return std::any_of(table.global_indexes.begin(), table.global_indexes.end(),
                       [&](const model::IndexDescription &index) { return index.keyspace == keyspace; });
}

/// Keyspaces for the global indexes and the log that the new version has and the previous one has not, and none for
/// those that it has no more.
Result<void> change_keyspaces(storage::Mutation &mutation, const model::TableDescription &previous,
                              model::TableDescription &table, const std::vector<std::size_t> &added)
{
    for (const auto place : added) {
        auto &index = table.global_indexes[place];
        if (auto done = assign_keyspace(mutation, KeyspaceKind::global_index, index.keyspace); !done) {
            return done;
        }
    }
    for (const auto &index : previous.global_indexes) {
        if (!has_index(table, index.keyspace)) {
            mutation.drop_keyspace(static_cast<KeyspaceId>(index.keyspace));
        }
    }
    if (table.global_indexes.empty()) {
        drop_log(mutation, previous.log_keyspace);
        table.log_keyspace = 0;
        return {};
    }
    table.log_keyspace = previous.log_keyspace;
    return previous.log_keyspace == 0 ? assign_log(mutation, table) : Result<void>();
}

Unexpected in_use(std::string_view what, std::string_view name)
{
    return fail(ErrorCode::resource_in_use,
                "Attempt to change a resource which is still in use: " + std::string(what) + std::string(name));
}

Unexpected table_not_found(std::string_view name)
{
    return fail(ErrorCode::resource_not_found,
                "Requested resource not found: Table: " + std::string(name) + " not found");
}

/// A table that is being changed is not deleted.
Result<void> check_idle(const model::TableDescription &table, std::int64_t now_ms)
{
    const auto is_shown = [&](const model::IndexDescription &index) { return now_ms < index.gone_from_ms; };
    const auto is_busy = [&](const model::IndexDescription &index) {
        return index.building || now_ms < std::max(index.changes.last_increase_ms, index.changes.last_decrease_ms);
    };
    if (std::any_of(table.global_indexes.begin(), table.global_indexes.end(), is_busy) ||
        std::any_of(table.deleted_indexes.begin(), table.deleted_indexes.end(), is_shown)) {
        return in_use("Cannot delete table while indexes are being created, updated, or deleted.", {});
    }
    if (status_at(table, now_ms) == TableStatus::updating) {
        return in_use("Table: ", table.name + " is in the process of being updated.");
    }
    return {};
}

} // namespace

Catalog::Catalog(storage::Store &store, const Clock &clock, RandomSource &random, std::int64_t transition_ms)
    : store_(store),
      clock_(clock),
      random_(random),
      transition_ms_(transition_ms)
{}

void Catalog::stop()
{
    {
        const std::lock_guard lock(sweeper_mutex_);
        stopped_ = true;
    }
    sweeper_.request_stop();
    sweeper_wakes_.notify_all();
    if (sweeper_.joinable()) {
        sweeper_.join();
    }
    const std::shared_lock lock(tables_mutex_);
    for (const auto &[name, table] : tables_) {
        if (table->log) {
            table->log->feed->retire();
        }
    }
}

Result<void> Catalog::load()
{
    bool deleting = false;
    Result<void> decoded;
    auto outcome = store_.read(
        storage::Wait::allowed, storage::View::latest, storage::Consistency::strong, [&](storage::Reader &reader) {
            tables_.clear();
            decoded = {};
            auto done = reader.scan(storage::kCatalogKeyspace, storage::Range{}, [&](const storage::Row &row) {
                auto table = codec::decode_table(row.value);
                if (!table) {
                    decoded = fail(std::move(table).error());
                    return false;
                }
                deleting = deleting || table->gone_from_ms != 0;
                publish(make_version(nullptr, std::move(*table), true));
                return true;
            });
            return done ? Result<void>() : Result<void>(fail(std::move(done).error()));
        });
    if (!outcome.result) {
        return std::move(outcome.result);
    }
    if (decoded && deleting) {
        require_sweeper();
    }
    return decoded;
}

TablePtr Catalog::find(std::string_view name) const
{
    TablePtr table;
    {
        const std::shared_lock lock(tables_mutex_);
        const auto found = tables_.find(name);
        if (found == tables_.end()) {
            return nullptr;
        }
        table = found->second;
    }
    if (table->description.gone_from_ms != 0 && status_at(table->description, now_ms()) == TableStatus::gone) {
        return nullptr;
    }
    return table;
}

Result<TablePtr> Catalog::find_active(std::string_view name) const
{
    auto table = find(name);
    if (table) {
        const auto &description = table->description;
        const bool in_transition = description.gone_from_ms != 0 || description.active_from_ms > description.created_ms;
        const auto status = in_transition ? status_at(description, now_ms()) : TableStatus::active;
        if (status == TableStatus::active || status == TableStatus::updating) {
            return table;
        }
    }
    return fail(ErrorCode::resource_not_found, "Requested resource not found");
}

std::vector<std::string> Catalog::list(std::string_view after, std::size_t limit, bool &more) const
{
    std::vector<std::string> names;
    more = false;
    const auto now = now_ms();
    const std::shared_lock lock(tables_mutex_);
    for (auto it = after.empty() ? tables_.begin() : tables_.upper_bound(after); it != tables_.end(); ++it) {
        if (status_at(it->second->description, now) == TableStatus::gone) {
            continue;
        }
        if (names.size() == limit) {
            more = true;
            break;
        }
        names.push_back(it->first);
    }
    return names;
}

storage::Outcome Catalog::create(storage::Wait wait, model::TableDescription &table)
{
    auto change = begin_change(wait);
    if (!change) {
        return {fail(std::move(change).error()), {}};
    }
    if (const auto existing = find(table.name)) {
        switch (status_at(existing->description, now_ms())) {
        case TableStatus::creating:
            return {in_use("Table is being created: ", table.name), ticket()};
        case TableStatus::deleting:
            return {in_use("Table is being deleted: ", table.name), ticket()};
        default:
            return {fail(ErrorCode::resource_in_use, "Table already exists: " + table.name), ticket()};
        }
    }
    {
        TablePtr gone; // its DELETING is over, but the sweeper has not come by yet
        std::size_t count = 0;
        {
            const std::shared_lock lock(tables_mutex_);
            count = tables_.size();
            if (const auto found = tables_.find(table.name); found != tables_.end()) {
                gone = found->second;
            }
        }
        if (gone) {
            if (auto removed = remove(wait, gone); !removed.result) {
                return removed;
            }
        } else if (count >= model::kMaxTables) {
            return {fail(ErrorCode::limit_exceeded, "Subscriber limit exceeded: There is a limit of " +
                                                        std::to_string(model::kMaxTables) + " tables per subscriber"),
                    ticket()};
        }
    }
    table.id = make_uuid(random_);
    table.created_ms = now_ms();
    table.active_from_ms = table.created_ms + transition_ms_;
    if (!table.stream_view_type.empty()) {
        table.stream_since_ms = table.created_ms;
    }
    const std::array locks{storage::LockKey{storage::kCatalogKeyspace, catalog_key(table.name)}};
    auto outcome = store_.mutate(wait, locks, [&](storage::Mutation &mutation) -> Result<void> {
        if (auto assigned = assign_keyspaces(mutation, table); !assigned) {
            return assigned;
        }
        mutation.put(storage::kCatalogKeyspace, catalog_key(table.name), codec::encode_table(table));
        return {};
    });
    if (outcome.result) {
        observe(outcome.ticket);
        publish(make_version(nullptr, table, false));
    }
    return outcome;
}

storage::Outcome Catalog::drop(storage::Wait wait, std::string_view name, model::TableDescription &dropped)
{
    auto change = begin_change(wait);
    if (!change) {
        return {fail(std::move(change).error()), {}};
    }
    const auto found = find_changeable(name);
    if (!found) {
        return {fail(found.error()), ticket()};
    }
    const auto &table = *found;
    if (table->description.deletion_protection) {
        return {fail(ErrorCode::validation, "Resource cannot be deleted as it is currently protected against deletion. "
                                            "Disable deletion protection first."),
                ticket()};
    }
    if (auto idle = check_idle(table->description, now_ms()); !idle) {
        return {std::move(idle), ticket()};
    }
    dropped = table->description;
    if (transition_ms_ == 0) {
        return remove(wait, table);
    }
    auto description = table->description;
    description.gone_from_ms = now_ms() + transition_ms_;
    auto outcome = store_version(wait, *table, std::move(description));
    if (outcome.result) {
        require_sweeper();
    }
    return outcome;
}

storage::Outcome Catalog::change(storage::Wait wait, std::string_view name,
                                 function_ref<Result<void>(model::TableDescription &)> edit)
{
    auto change = begin_change(wait);
    if (!change) {
        return {fail(std::move(change).error()), {}};
    }
    const auto found = find_changeable(name);
    if (!found) {
        return {fail(found.error()), ticket()};
    }
    auto description = (*found)->description;
    if (auto edited = edit(description); !edited) {
        return {std::move(edited), ticket()};
    }
    BASALT_CHECK(description.name == name && own_keyspaces(description) == (*found)->storage->keyspaces());
    return store_version(wait, **found, std::move(description));
}

Result<std::unique_lock<std::mutex>> Catalog::begin_change(storage::Wait wait)
{
    std::unique_lock change(change_mutex_, std::defer_lock);
    if (wait == storage::Wait::allowed) {
        change.lock();
    } else if (!change.try_lock()) {
        return fail(ErrorCode::would_block, "the catalog is being changed");
    }
    return change;
}

Result<TablePtr> Catalog::find_changeable(std::string_view name) const
{
    auto table = find(name);
    if (!table) {
        return table_not_found(name);
    }
    switch (status_at(table->description, now_ms())) {
    case TableStatus::creating:
        return in_use("Table is being created: ", name);
    case TableStatus::deleting:
        return in_use("Table is being deleted: ", name);
    case TableStatus::gone:
        return table_not_found(name);
    case TableStatus::active:
    case TableStatus::updating:
        break;
    }
    return table;
}

/// Needs change_mutex_.
storage::Outcome Catalog::store_version(storage::Wait wait, const Table &previous, model::TableDescription description)
{
    const auto key = catalog_key(description.name);
    const CursorKey cursor(previous.log_keyspace());
    const std::array locks{storage::LockKey{storage::kCatalogKeyspace, key},
                           storage::LockKey{kCursorsKeyspace, cursor.view()}};
    std::vector<std::size_t> added;
    for (std::size_t i = 0; i < description.global_indexes.size(); ++i) {
        if (description.global_indexes[i].keyspace == 0) {
            description.global_indexes[i].building = true;
            added.push_back(i);
        }
    }
    // The applier moves the cursor under its lock.
    auto outcome = store_.mutate(wait, locks, [&](storage::Mutation &mutation) -> Result<void> {
        if (auto done = change_keyspaces(mutation, previous.description, description, added); !done) {
            return done;
        }
        mutation.put(storage::kCatalogKeyspace, key, codec::encode_table(description));
        return {};
    });
    if (outcome.result) {
        observe(outcome.ticket); // before anybody can see the version
        const auto version = make_version(&previous, std::move(description), false);
        publish(version);
        let_go(previous, version.get());
        if (on_indexes_changed_ && version->is_building()) {
            on_indexes_changed_(version->description.name);
        }
    }
    return outcome;
}

TablePtr Catalog::make_version(const Table *previous, model::TableDescription description, bool from_before)
{
    auto version = std::make_shared<Table>();
    version->storage =
        previous != nullptr ? previous->storage : std::make_shared<OwnedKeyspaces>(store_, own_keyspaces(description));
    for (const auto &index : description.global_indexes) {
        const auto keyspace = static_cast<KeyspaceId>(index.keyspace);
        std::shared_ptr<OwnedKeyspaces> storage;
        for (std::size_t i = 0; previous != nullptr && i < previous->index_storages.size(); ++i) {
            if (previous->index_storages[i]->keyspaces().front() == keyspace) {
                storage = previous->index_storages[i];
            }
        }
        version->index_storages.push_back(storage ? std::move(storage)
                                                  : std::make_shared<OwnedKeyspaces>(store_, std::vector{keyspace}));
    }
    if (previous != nullptr && previous->description.log_keyspace == description.log_keyspace) {
        version->log = previous->log;
    } else if (description.log_keyspace != 0) {
        version->log.reset(new TableLog{{store_, {static_cast<KeyspaceId>(description.log_keyspace)}},
                                        std::make_shared<ChangeFeed>(from_before)});
    }
    version->versions = previous != nullptr ? previous->versions : std::make_shared<TableVersions>();
    version->description = std::move(description);
    if (version->log) {
        version->recorder = std::make_unique<ChangeRecorder>(version->description);
    }
    version->versions->add(version);
    return version;
}

/// Needs change_mutex_.
storage::Outcome Catalog::remove(storage::Wait wait, const TablePtr &table)
{
    const auto &name = table->description.name;
    const CursorKey cursor(table->log_keyspace());
    const std::array locks{storage::LockKey{storage::kCatalogKeyspace, catalog_key(name)},
                           storage::LockKey{kCursorsKeyspace, cursor.view()}};
    auto outcome = store_.mutate(wait, locks, [&](storage::Mutation &mutation) -> Result<void> {
        mutation.remove(storage::kCatalogKeyspace, catalog_key(name));
        for (const auto keyspace : table->storage->keyspaces()) {
            mutation.drop_keyspace(keyspace);
        }
        for (const auto &index : table->description.global_indexes) {
            mutation.drop_keyspace(static_cast<KeyspaceId>(index.keyspace));
        }
        drop_log(mutation, table->description.log_keyspace);
        return {};
    });
    if (outcome.result) {
        observe(outcome.ticket);
        table->storage->mark_dropped();
        {
            const std::unique_lock lock(tables_mutex_);
            tables_.erase(name);
        }
        let_go(*table, nullptr);
    }
    return outcome;
}

/// What a version had and the next one has not is given back when nobody holds the version any more.
void Catalog::let_go(const Table &previous, const Table *next)
{
    for (const auto &storage : previous.index_storages) {
        const bool stays = next != nullptr && std::find(next->index_storages.begin(), next->index_storages.end(),
                                                        storage) != next->index_storages.end();
        if (!stays) {
            storage->mark_dropped();
        }
    }
    if (previous.log && (next == nullptr || next->log != previous.log)) {
        previous.log->keyspace.mark_dropped();
        previous.log->feed->retire();
        if (on_indexes_changed_) {
            on_indexes_changed_(previous.description.name);
        }
    }
}

void Catalog::publish(const TablePtr &table)
{
    const std::unique_lock lock(tables_mutex_);
    tables_.insert_or_assign(table->description.name, table);
}

void Catalog::observe(storage::Ticket ticket)
{
    auto seen = ticket_.load();
    while (seen < ticket.value && !ticket_.compare_exchange_weak(seen, ticket.value)) {
    }
}

void Catalog::require_sweeper()
{
    const std::lock_guard lock(sweeper_mutex_);
    sweeper_has_work_ = true;
    if (!sweeper_.joinable() && !stopped_) {
        sweeper_ = std::jthread([this](const std::stop_token &stop) { sweep(stop); });
    }
    sweeper_wakes_.notify_all();
}

std::vector<TablePtr> Catalog::tables_gone(bool &some_left) const
{
    std::vector<TablePtr> gone;
    some_left = false;
    const auto now = now_ms();
    const std::shared_lock lock(tables_mutex_);
    for (const auto &[name, table] : tables_) {
        if (table->description.gone_from_ms == 0) {
            continue;
        }
        if (status_at(table->description, now) == TableStatus::gone) {
            gone.push_back(table);
        } else {
            some_left = true;
        }
    }
    return gone;
}

bool Catalog::remove_gone(const TablePtr &table)
{
    const std::lock_guard change(change_mutex_);
    {
        const std::shared_lock lock(tables_mutex_);
        const auto found = tables_.find(table->description.name);
        if (found == tables_.end() || found->second != table) {
            return true;
        }
    }
    const auto outcome = remove(storage::Wait::allowed, table);
    if (!outcome.result) {
        spdlog::warn("table {} is deleted, but not yet removed from the catalog ({}); trying again",
                     table->description.name, outcome.result.error().message);
    }
    return outcome.result.has_value();
}

void Catalog::sweep(const std::stop_token &stop)
{
    bool failed = false;
    while (!stop.stop_requested()) {
        {
            std::unique_lock lock(sweeper_mutex_);
            if (!sweeper_wakes_.wait(lock, stop, [this] { return sweeper_has_work_; })) {
                return;
            }
            // The clock may be moved by hand, so the time is looked at now and then rather than slept through.
            sweeper_wakes_.wait_for(lock, stop, failed ? kRetryInterval : kSweepInterval, [] { return false; });
            sweeper_has_work_ = false;
        }
        bool some_left = false;
        failed = false;
        for (const auto &table : tables_gone(some_left)) {
            if (!remove_gone(table)) {
                failed = true; // it stays where it is, unseen by look-ups
                break;
            }
        }
        if (failed || some_left) {
            const std::lock_guard lock(sweeper_mutex_);
            sweeper_has_work_ = true;
        }
    }
}

} // namespace basalt::engine

#include "engine/index_applier.h"

#include "base/log.h"
#include "codec/change_record.h"
#include "engine/index_entries.h"
#include "engine/index_entry.h"
#include "engine/log_cursor.h"
#include "engine/row_batch.h"
#include "storage/durable_wait.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace basalt::engine {
namespace {

constexpr std::size_t kMostRecords = 512;
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
/// Applied records are removed in lots: each lot leaves one range tombstone.
constexpr std::size_t kTrimRecords = 4096;
constexpr std::chrono::milliseconds kRetry{100};

storage::KeyspaceId log_of(const Table &table)
{
    return static_cast<storage::KeyspaceId>(table.description.log_keyspace);
}

/// What some records say about one item.
struct ItemChanges {
    PrimaryKey key;
    std::vector<model::ItemView> old_images;
};

/// Some records of a log, by item.
class RecordBatch {
public:
    explicit RecordBatch(const Table &table)
        : table_(table)
    {}

    void clear()
    {
        records_.clear();
        bytes_ = 0;
    }
    /// False: enough.
    bool add(storage::LogPosition position, Bytes record)
    {
        records_.emplace_back(record);
        last_ = position;
        bytes_ += record.size();
        return records_.size() < kMostRecords && bytes_ < kMostBytes;
    }
    [[nodiscard]] std::size_t count() const { return records_.size(); }
    [[nodiscard]] storage::LogPosition last() const { return last_; }

    /// Error: corruption.
    Result<std::vector<ItemChanges>> by_item() const;

private:
    const Table &table_;
    std::vector<std::string> records_;
    storage::LogPosition last_;
    std::size_t bytes_ = 0;
};

Result<std::vector<ItemChanges>> RecordBatch::by_item() const
{
    std::vector<ItemChanges> items;
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (const auto &bytes : records_) {
        const auto record = codec::decode_change_record(bytes);
        if (!record) {
            return fail(ErrorCode::corruption,
                        "a record of the change log of table '" + table_.description.name + "' does not decode");
        }
        auto key = key_from_stored(table_.description.keys, record->item.attributes());
        const auto [place, is_new] = places.try_emplace({key.partition, key.sort}, items.size());
        if (is_new) {
            items.push_back({std::move(key), {}});
        }
        if (record->was_there) {
            items[place->second].old_images.push_back(record->item);
        }
    }
    return items;
}

using RowId = std::tuple<std::uint64_t, std::string, std::string, std::string>;

RowId row_id(IndexRowKey key)
{
    return {key.hash, std::move(key.partition), std::move(key.sort), std::move(key.tail)};
}

storage::Key row_key(const RowId &id)
{
    return {std::get<0>(id), std::get<1>(id), std::get<2>(id), std::get<3>(id)};
}

/// Brings the entries of one item up to what it is now.
void renew_entries(storage::Mutation &mutation, const Table &table, const IndexNames &names, const ItemChanges &changes,
                   std::optional<model::ItemView> item)
{
    const auto &description = table.description;
    std::optional<IndexEntries> entries;
    if (item) {
        entries.emplace(names, *item);
    }
    std::string buffer;
    for (std::size_t i = 0; i < description.global_indexes.size(); ++i) {
        const auto &index = description.global_indexes[i];
        const auto keyspace = static_cast<storage::KeyspaceId>(index.keyspace);
        std::set<RowId> old_rows;
        for (const auto &image : changes.old_images) {
            if (has_entry(index, image.attributes())) {
                old_rows.insert(row_id(global_index_key(description, index, image.attributes())));
            }
        }
        if (entries && entries->has(i)) {
            const auto row = row_id(global_index_key(description, index, item->attributes()));
            old_rows.erase(row);
            mutation.put(keyspace, row_key(row), entries->bytes(i, buffer));
        }
        for (const auto &row : old_rows) {
            mutation.remove(keyspace, row_key(row));
        }
    }
}

} // namespace

IndexApplier::IndexApplier(storage::Store &store, Catalog &catalog)
    : store_(store),
      catalog_(catalog)
{}

void IndexApplier::start()
{
    bool more = true;
    std::string after;
    while (more) {
        for (const auto &name : catalog_.list(after, 100, more)) {
            after = name;
            if (const auto table = catalog_.find(name); table && table->description.log_keyspace != 0) {
                table->storage->feed().expect_backlog();
                notify(*table);
            }
        }
    }
    thread_ = std::jthread([this](const std::stop_token &stop) { run(stop); });
}

void IndexApplier::stop()
{
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void IndexApplier::notify(const Table &table)
{
    const std::lock_guard lock(mutex_);
    if (waiting_.try_emplace(table.description.name, table.storage).second) {
        wakes_.notify_one();
    }
}

void IndexApplier::run(const std::stop_token &stop)
{
    std::vector<TablePtr> tables;
    while (wait_for_work(stop, tables)) {
        for (const auto &table : tables) {
            catch_up(stop, table);
        }
        tables.clear();
    }
}

bool IndexApplier::wait_for_work(const std::stop_token &stop, std::vector<TablePtr> &tables)
{
    std::map<std::string, std::shared_ptr<TableStorage>, std::less<>> waiting;
    {
        std::unique_lock lock(mutex_);
        wakes_.wait(lock, stop, [this] { return !waiting_.empty(); });
        if (stop.stop_requested()) {
            return false;
        }
        waiting.swap(waiting_);
    }
    for (const auto &[name, storage] : waiting) {
        if (auto table = catalog_.find(name); table && table->storage == storage) {
            tables.push_back(std::move(table));
        }
    }
    return true;
}

void IndexApplier::catch_up(const std::stop_token &stop, const TablePtr &table)
{
    auto &cursor = cursors_[table->description.log_keyspace];
    auto done = load_cursor(*table, cursor);
    bool exhausted = false;
    while (done && !exhausted && !stop.stop_requested()) {
        if (auto durable = storage::wait_for_durability(store_, table->storage->feed().ticket()); !durable) {
            done = std::move(durable);
            break;
        }
        auto applied = apply_some(*table, cursor);
        exhausted = applied && *applied;
        if (!applied) {
            done = fail(std::move(applied).error());
        }
    }
    if (exhausted) {
        table->storage->feed().backlog_applied();
    }
    if (!done && !stop.stop_requested()) {
        spdlog::error("the global indexes of table '{}' cannot be brought up to date ({}); it is tried again",
                      table->description.name, done.error().message);
        std::unique_lock lock(mutex_);
        wakes_.wait_for(lock, stop, kRetry, [] { return false; });
        waiting_.try_emplace(table->description.name, table->storage);
    }
}

Result<void> IndexApplier::load_cursor(const Table &table, Cursor &cursor)
{
    if (cursor.applied != storage::LogPosition{}) {
        return {};
    }
    const CursorKey key(log_of(table));
    auto outcome = store_.read(storage::Wait::allowed, storage::View::latest, storage::Consistency::strong,
                               [&](storage::Reader &reader) -> Result<void> {
                                   auto row = reader.get(kCursorsKeyspace, key.view());
                                   if (!row) {
                                       return fail(std::move(row).error());
                                   }
                                   const auto applied = *row ? decode_cursor(**row) : storage::LogPosition{};
                                   if (!applied) {
                                       return fail(ErrorCode::corruption, "a cursor does not decode");
                                   }
                                   cursor.applied = *applied;
                                   return {};
                               });
    return std::move(outcome.result);
}

Result<bool> IndexApplier::apply_some(const Table &table, Cursor &cursor)
{
    RecordBatch batch(table);
    bool exhausted = false;
    auto read = store_.read(storage::Wait::allowed, storage::View::latest, storage::Consistency::strong,
                            [&](storage::Reader &reader) -> Result<void> {
                                batch.clear();
                                auto ended = reader.read_log(
                                    log_of(table), cursor.applied,
                                    [&](storage::LogPosition at, Bytes record) { return batch.add(at, record); });
                                if (!ended) {
                                    return fail(std::move(ended).error());
                                }
                                exhausted = *ended;
                                return {};
                            });
    if (!read.result) {
        return fail(std::move(read.result).error());
    }
    if (batch.count() == 0) {
        return exhausted;
    }
    auto items = batch.by_item();
    if (!items) {
        return fail(std::move(items).error());
    }
    const bool trims = cursor.untrimmed + batch.count() >= kTrimRecords;
    const IndexNames names(table.description, table.description.global_indexes);
    const CursorKey cursor_key(log_of(table));
    auto written = store_.mutate(storage::Wait::allowed, {}, [&](storage::Mutation &mutation) -> Result<void> {
        std::vector<RowRequest> rows;
        rows.reserve(items->size());
        for (const auto &item : *items) {
            rows.push_back({table.keyspace(), item.key.view()});
        }
        if (auto found = read_rows(mutation, rows); !found) {
            return found;
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto &row = rows[i].value;
            renew_entries(mutation, table, names, (*items)[i],
                          row ? std::optional(model::ItemView(*row)) : std::nullopt);
        }
        mutation.put(kCursorsKeyspace, cursor_key.view(), encode_cursor(batch.last()));
        if (trims) {
            mutation.trim_log(log_of(table), cursor.trimmed, batch.last());
        }
        return {};
    });
    if (!written.result) {
        return fail(std::move(written.result).error());
    }
    cursor.applied = batch.last();
    cursor.untrimmed += batch.count();
    if (trims) {
        cursor.trimmed = batch.last();
        cursor.untrimmed = 0;
    }
    table.storage->feed().applied(batch.last());
    return exhausted;
}

} // namespace basalt::engine

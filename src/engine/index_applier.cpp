#include "engine/index_applier.h"

#include "base/log.h"
#include "base/metrics.h"
#include "engine/log_cursor.h"
#include "engine/record_batch.h"
#include "engine/row_batch.h"
#include "storage/durable_wait.h"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>
#include <vector>

namespace basalt::engine {
namespace {

/// About what a commit puts at most; one item of 400 KB in 20 indexes is more.
constexpr std::size_t kMostPutBytes = std::size_t{2} << 20;
constexpr std::size_t kItemsAtOnce = 16;
/// What a page of a table that fills an index holds.
constexpr std::size_t kPageItems = 256;
constexpr std::size_t kPageBytes = std::size_t{1} << 20;

constexpr std::chrono::milliseconds kRetry{100};
constexpr std::chrono::seconds kReports{5};
/// While nobody waits for them, records are let gather for so long: each round has its price, beside the syncs.
constexpr std::chrono::milliseconds kGather{3};
/// Until versions of a table are let go, or its UPDATING is over.
constexpr std::chrono::milliseconds kPoll{2};
/// The lag may be changed meanwhile.
constexpr std::chrono::milliseconds kLongestSleep{50};

Gauge lag_seconds("basalt_index_lag_seconds",
                  "Age of the oldest change that is not applied to the global indexes of its table.");
Counter build_starts("basalt_index_builds_total", "Global indexes that were begun to be filled, restarts included.");

const model::IndexDescription *building_index(const Table &table)
{
    const auto &indexes = table.description.global_indexes;
    const auto found = std::find_if(indexes.begin(), indexes.end(), [](const auto &index) { return index.building; });
    return found == indexes.end() ? nullptr : &*found;
}

/// Brings the entries of the first items up to what these are, until that is enough for a commit: how many, at least
/// one.
Result<std::size_t> renew_items(storage::Mutation &mutation, const Table &table, const std::vector<ItemChanges> &items,
                                IndexRows &index_rows, const RecentRows &recent,
                                std::vector<std::pair<RecentRows::Item, RecentRows::Rows>> &put)
{
    std::size_t bytes = 0;
    std::vector<RowRequest> rows;
    for (std::size_t first = 0; first < items.size(); first += rows.size()) {
        rows.clear();
        for (auto i = first; i < std::min(first + kItemsAtOnce, items.size()); ++i) {
            rows.push_back({table.keyspace(), items[i].key.view()});
        }
        if (auto found = read_rows(mutation, rows); !found) {
            return fail(std::move(found).error());
        }
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (bytes > kMostPutBytes) {
                return first + i;
            }
            const auto &changes = items[first + i];
            const auto &row = rows[i].value;
            RecentRows::Item item{changes.key.partition, changes.key.sort};
            const auto *rows_before = recent.find(item);
            put.emplace_back(std::move(item),
                             index_rows.renew(mutation, changes,
                                              row ? std::optional(model::ItemView(*row)) : std::nullopt, rows_before));
            bytes += row ? row->size() * table.description.global_indexes.size() : 0;
        }
    }
    return items.size();
}

} // namespace

IndexApplier::IndexApplier(storage::Store &store, Catalog &catalog, Settings settings)
    : store_(store),
      catalog_(catalog),
      settings_(std::move(settings))
{}

void IndexApplier::start()
{
    bool more = true;
    std::string after;
    while (more) {
        for (const auto &name : catalog_.list(after, 100, more)) {
            after = name;
            notify(name);
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

void IndexApplier::notify(const std::string &table)
{
    const std::lock_guard lock(mutex_);
    if (notified_.insert(table).second) {
        wakes_.notify_one();
    }
}

void IndexApplier::expedite(const std::string &table)
{
    notify(table);
    const std::lock_guard lock(mutex_);
    if (!std::exchange(expedited_, true)) {
        wakes_.notify_one();
    }
}

void IndexApplier::run(const std::stop_token &stop)
{
    while (!stop.stop_requested()) {
        Round round;
        work(stop, round);
        if (!round.progressed) {
            wait(stop, round);
        }
    }
}

void IndexApplier::work(const std::stop_token &stop, Round &round) noexcept
{
    try {
        take_notified(round);
        go_round(stop, round);
        report_lag();
    } catch (const std::exception &exception) { // out of memory
        report("", exception.what());
        round.failed = true;
        round.progressed = false;
    }
    if ((round.tell || round.progressed) && settings_.on_progress) {
        settings_.on_progress();
    }
}

void IndexApplier::take_notified(Round &round)
{
    std::unique_lock lock(mutex_);
    while (!notified_.empty()) {
        // Left among the notified until it is seen to; whatever happened since is found when the log is looked at.
        const auto name = *notified_.begin();
        lock.unlock();
        const auto table = catalog_.find(name);
        if (table && table->log) {
            followers_[table->log_keyspace()].table = name;
            ready_.insert(table->log_keyspace());
        }
        round.tell = true; // a log may be gone that was waited for
        lock.lock();
        notified_.erase(name);
    }
    lock.unlock();
    if (followers_.size() >= most_followers_) {
        std::erase_if(followers_, [this](const auto &follower) {
            const auto table = catalog_.find(follower.second.table);
            const bool lives = table && table->log && table->log_keyspace() == follower.first;
            return !lives && !ready_.contains(follower.first);
        });
        most_followers_ = kFewFollowers + 2 * followers_.size();
    }
}

void IndexApplier::report(const char *table, const char *what)
{
    const auto now = std::chrono::steady_clock::now();
    if (now - last_report_ >= kReports) {
        spdlog::error("the global indexes of table '{}' cannot be brought up to date: {}; it is tried again and again",
                      table, what);
        last_report_ = now;
    }
}

void IndexApplier::go_round(const std::stop_token &stop, Round &round)
{
    for (auto place = ready_.begin(); place != ready_.end() && !stop.stop_requested();) {
        const auto follower = followers_.find(*place);
        const auto table = catalog_.find(follower->second.table);
        if (!table || !table->log || table->log_keyspace() != *place) { // deleted, perhaps made anew
            followers_.erase(follower);
            place = ready_.erase(place);
            continue;
        }
        auto more = step(table, follower->second, round);
        if (!more) {
            report(follower->second.table.c_str(), more.error().message.c_str());
            round.failed = true;
        }
        place = more && !*more ? ready_.erase(place) : std::next(place);
    }
}

Result<bool> IndexApplier::step(const TablePtr &table, Follower &follower, Round &round)
{
    if (auto loaded = load_cursor(table->log_keyspace(), follower); !loaded) {
        return fail(std::move(loaded).error());
    }
    const auto work = table->log->feed->begin();
    if (table->is_building()) {
        if (auto built = build(table, follower, round); !built) {
            return fail(std::move(built).error());
        }
    } else {
        follower.build.reset();
    }
    if (work.is_behind) {
        if (auto done = catch_up(*table, follower, work, round); !done) {
            return fail(std::move(done).error());
        }
    } else {
        follower.recent.forget();
    }
    return work.is_behind || table->is_building();
}

Result<void> IndexApplier::catch_up(const Table &table, Follower &follower, const ChangeFeed::Work &work, Round &round)
{
    auto &feed = *table.log->feed;
    std::optional<storage::LogPosition> limit;
    if (lag().count() > 0 && !work.has_backlog) {
        limit = feed.appended_before(std::chrono::steady_clock::now() - lag());
    }
    // Asked before the records are read: all of them are durable, or some may be missing.
    const bool durable =
        work.appended <= follower.durable || store_.durability(work.ticket) == storage::Durability::durable;
    const auto applied = apply_some(table, follower, limit, round);
    if (!applied) {
        return fail(applied.error());
    }
    if (*applied == Applied::some) {
        return {};
    }
    if (*applied == Applied::up_to_limit) {
        const auto since = feed.behind_since();
        round.next = std::min(round.next.value_or(Time::max()), since ? *since + lag() + kPoll : Time{});
        return {};
    }
    if (work.has_backlog) {
        feed.backlog_applied(); // it was durable when the store was opened
    }
    if (durable) {
        feed.applied(work.appended, 0);
        round.progressed = true;
    } else {
        round.pending = std::max(round.pending, work.ticket);
        round.pending_ends.emplace_back(table.log_keyspace(), work.appended);
    }
    return {};
}

Result<IndexApplier::Applied> IndexApplier::apply_some(const Table &table, Follower &follower,
                                                       std::optional<storage::LogPosition> limit, Round &round)
{
    RecordBatch batch;
    auto ending = read_records(table, follower, limit, batch);
    if (!ending || batch.count() == 0) {
        return ending;
    }
    const auto handled = apply_batch(table, follower, batch);
    if (!handled) {
        return fail(handled.error());
    }
    follower.applied = handled->last;
    table.log->feed->applied(handled->last, handled->bytes);
    round.progressed = true;
    return handled->last == batch.last() ? ending : Applied::some;
}

Result<IndexApplier::Applied> IndexApplier::read_records(const Table &table, const Follower &follower,
                                                         std::optional<storage::LogPosition> limit, RecordBatch &batch)
{
    Applied ending = Applied::all;
    const auto take = [&](storage::LogPosition at, Bytes record) {
        if (limit && at > *limit) {
            ending = Applied::up_to_limit;
            return false;
        }
        ending = batch.add(at, record) ? Applied::all : Applied::some;
        return ending == Applied::all;
    };
    auto read = store_.read(storage::Wait::allowed, storage::View::latest, storage::Consistency::strong,
                            [&](storage::Reader &reader) -> Result<void> {
                                batch.clear();
                                ending = Applied::all;
                                auto ended = reader.read_log(table.log_keyspace(), follower.applied, take);
                                return ended ? Result<void>() : Result<void>(fail(std::move(ended).error()));
                            });
    return read.result ? Result<Applied>(ending) : fail(std::move(read.result).error());
}

Result<RecordsHandled> IndexApplier::apply_batch(const Table &table, Follower &follower, const RecordBatch &batch)
{
    const auto items = batch.by_item(table);
    if (!items) {
        return fail(items.error());
    }
    std::optional<storage::KeyspaceId> left_out;
    if (const auto *index = building_index(table); index != nullptr && !follower.build->may_begin) {
        left_out = static_cast<storage::KeyspaceId>(index->keyspace);
    }
    IndexRows index_rows(table, left_out);
    const CursorKey cursor(table.log_keyspace());
    const std::array locks{storage::LockKey{kCursorsKeyspace, cursor.view()}};
    std::vector<std::pair<RecentRows::Item, RecentRows::Rows>> put;
    RecordsHandled handled;
    auto written = store_.mutate(storage::Wait::allowed, locks, [&](storage::Mutation &mutation) -> Result<void> {
        put.clear();
        handled = batch.first(batch.count());
        if (auto row = mutation.get(kCursorsKeyspace, cursor.view()); !row || !*row) {
            return row ? Result<void>() : fail(std::move(row).error()); // the log has been dropped meanwhile
        }
        auto renewed = renew_items(mutation, table, *items, index_rows, follower.recent, put);
        if (!renewed) {
            return fail(std::move(renewed).error());
        }
        if (*renewed < items->size()) {
            handled = batch.first((*items)[*renewed].first_record);
        }
        mutation.put(kCursorsKeyspace, cursor.view(), encode_cursor(handled.last));
        mutation.trim_log(table.log_keyspace(), follower.applied, handled.last);
        return {};
    });
    if (!written.result) {
        return fail(std::move(written.result).error());
    }
    follower.recent.remember(std::move(put));
    return handled;
}

Result<void> IndexApplier::load_cursor(storage::KeyspaceId log, Follower &follower)
{
    if (follower.loaded) {
        return {};
    }
    const CursorKey key(log);
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
                                   follower.applied = *applied;
                                   return {};
                               });
    follower.loaded = outcome.result.has_value();
    return std::move(outcome.result);
}

Result<void> IndexApplier::build(const TablePtr &table, Follower &follower, Round &round)
{
    const auto *index = building_index(*table);
    const auto keyspace = static_cast<storage::KeyspaceId>(index->keyspace);
    if (!follower.build || follower.build->index != keyspace) {
        follower.build = Build{keyspace, false, {}, false, {}};
        build_starts.add();
    }
    auto &build = *follower.build;
    build.may_begin = build.may_begin || table->versions->all_have(keyspace);
    if (!build.may_begin) {
        round.asks_again = true;
        return {};
    }
    if (build.read_all) {
        return finish_build(*table, follower, round);
    }
    if (auto filled = fill_page(*table, build); !filled) {
        return filled;
    }
    round.progressed = true;
    if (build.read_all) {
        build.end = table->log->feed->end();
    }
    return {};
}

Result<void> IndexApplier::fill_page(const Table &table, Build &build)
{
    std::optional<PrimaryKey> last;
    bool exhausted = false;
    IndexRows index_rows(table, {});
    auto written = store_.mutate(storage::Wait::allowed, {}, [&](storage::Mutation &mutation) -> Result<void> {
        storage::Range range;
        if (build.after) {
            range.after = build.after->view();
        }
        std::size_t items = 0;
        std::size_t bytes = 0;
        last.reset();
        auto ended = mutation.scan(table.keyspace(), range, [&](const storage::Row &row) {
            const model::ItemView item(row.value);
            index_rows.put(mutation, build.index, item);
            bytes += row.value.size();
            const bool full = ++items == kPageItems || bytes >= kPageBytes;
            if (full) {
                last = key_from_stored(table.description.keys, item.attributes());
            }
            return !full;
        });
        exhausted = ended && *ended;
        return ended ? Result<void>() : Result<void>(fail(std::move(ended).error()));
    });
    if (!written.result) {
        return std::move(written.result);
    }
    build.read_all = exhausted;
    build.after = std::move(last);
    return {};
}

Result<void> IndexApplier::finish_build(const Table &table, Follower &follower, Round &round)
{
    const bool is_shown_updating = status_at(table.description, catalog_.now_ms()) == TableStatus::updating;
    if (!table.log->feed->is_applied(follower.build->end) || is_shown_updating) {
        round.asks_again = true;
        return {};
    }
    const auto keyspace = follower.build->index;
    auto changed = catalog_.change(storage::Wait::allowed, table.description.name,
                                   [&](model::TableDescription &description) -> Result<void> {
                                       for (auto &index : description.global_indexes) {
                                           if (static_cast<storage::KeyspaceId>(index.keyspace) == keyspace) {
                                               index.building = false;
                                           }
                                       }
                                       return {};
                                   });
    round.progressed = round.progressed || changed.result.has_value();
    const bool is_gone = !changed.result && (changed.result.error().code == ErrorCode::resource_not_found ||
                                             changed.result.error().code == ErrorCode::resource_in_use);
    if (is_gone) { // the table is being deleted
        round.asks_again = true;
        return {};
    }
    return std::move(changed.result);
}

void IndexApplier::wait(const std::stop_token &stop, const Round &round)
{
    if (round.pending != storage::Ticket{} && !round.failed) {
        let_records_gather(stop);
        if (const auto durable = storage::wait_for_durability(store_, round.pending); durable) {
            note_durable(round);
            return;
        }
    }
    std::unique_lock lock(mutex_);
    const auto notified = [this] { return !notified_.empty(); };
    if (round.failed || round.pending != storage::Ticket{}) { // records came before the error, or the store has failed
        wakes_.wait_for(lock, stop, kRetry, [] { return false; });
    } else if (round.asks_again) {
        wakes_.wait_for(lock, stop, kPoll, notified);
    } else if (round.next) {
        wakes_.wait_until(lock, stop, std::min(*round.next, std::chrono::steady_clock::now() + kLongestSleep),
                          notified);
    } else if (ready_.empty()) {
        wakes_.wait(lock, stop, notified);
    }
}

/// Said of positions, not of the ticket: that may be larger than any commit that came about, and commits to come may
/// have smaller ones.
void IndexApplier::note_durable(const Round &round)
{
    for (const auto &[log, end] : round.pending_ends) {
        if (const auto follower = followers_.find(log); follower != followers_.end()) {
            follower->second.durable = std::max(follower->second.durable, end);
        }
    }
}

void IndexApplier::let_records_gather(const std::stop_token &stop)
{
    std::unique_lock lock(mutex_);
    wakes_.wait_for(lock, stop, kGather, [this] { return expedited_; });
    expedited_ = false;
}

std::chrono::milliseconds IndexApplier::lag() const
{
    return std::chrono::milliseconds(settings_.lag_ms != nullptr ? settings_.lag_ms->load() : 0);
}

void IndexApplier::report_lag() const
{
    std::optional<Time> oldest;
    for (const auto log : ready_) {
        const auto table = catalog_.find(followers_.at(log).table);
        const auto since = table && table->log ? table->log->feed->behind_since() : std::nullopt;
        if (since && (!oldest || *since < *oldest)) {
            oldest = since;
        }
    }
    const std::chrono::duration<double> behind =
        oldest ? std::chrono::steady_clock::now() - *oldest : std::chrono::steady_clock::duration(0);
    lag_seconds.set(behind.count());
}

} // namespace basalt::engine

#include "engine/index_applier.h"

#include "base/log.h"
#include "base/metrics.h"
#include "engine/index_rows.h"
#include "engine/log_cursor.h"
#include "engine/record_batch.h"
#include "engine/row_batch.h"
#include "storage/durable_wait.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace basalt::engine {
namespace {

/// Applied records are removed in lots, of which each is read again for that.
constexpr std::size_t kTrimRecords = 4096;
/// What a page of a table that fills an index holds.
constexpr std::size_t kPageItems = 512;
constexpr std::size_t kPageBytes = std::size_t{1} << 20;

constexpr std::chrono::milliseconds kRetry{100};
constexpr std::chrono::seconds kComplaints{5};
/// While nobody waits for them, records are let come together for so long: each turn has its price, beside the syncs.
constexpr std::chrono::milliseconds kLinger{3};
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

void IndexApplier::hurry()
{
    const std::lock_guard lock(mutex_);
    if (!std::exchange(hurried_, true)) {
        wakes_.notify_one();
    }
}

void IndexApplier::run(const std::stop_token &stop)
{
    while (!stop.stop_requested()) {
        Turn done;
        try {
            take_notified(done);
            turn(done);
            if (done.progressed && settings_.on_progress) {
                settings_.on_progress();
            }
        } catch (const std::exception &exception) { // out of memory
            complain(std::string("the maintenance of global indexes failed: ") + exception.what());
            done.failed = true;
        }
        report_lag();
        if (!done.progressed) {
            wait(stop, done);
        }
    }
}

void IndexApplier::take_notified(Turn &turn)
{
    std::set<std::string> names;
    {
        const std::lock_guard lock(mutex_);
        names.swap(notified_);
    }
    for (const auto &name : names) {
        const auto table = catalog_.find(name);
        if (table && table->log) {
            followers_[table->log_keyspace()].table = name;
            ready_.insert(table->log_keyspace());
        } else {
            turn.progressed = true; // whoever waited for the log need not any more
        }
    }
    if (followers_.size() >= most_followers_) {
        std::erase_if(followers_, [this](const auto &follower) {
            const auto table = catalog_.find(follower.second.table);
            return !ready_.contains(follower.first) &&
                   !(table && table->log && table->log_keyspace() == follower.first);
        });
        most_followers_ = kFewFollowers + 2 * followers_.size();
    }
}

void IndexApplier::complain(const std::string &what)
{
    const auto now = std::chrono::steady_clock::now();
    if (now - last_complaint_ >= kComplaints) {
        spdlog::error("{}; it is tried again and again", what);
        last_complaint_ = now;
    }
}

void IndexApplier::turn(Turn &turn)
{
    for (auto place = ready_.begin(); place != ready_.end();) {
        const auto follower = followers_.find(*place);
        const auto table = catalog_.find(follower->second.table);
        if (!table || !table->log || table->log_keyspace() != *place) { // deleted, perhaps made anew
            followers_.erase(follower);
            place = ready_.erase(place);
            continue;
        }
        auto more = step(table, follower->second, turn);
        if (!more) {
            complain("the global indexes of table '" + follower->second.table +
                     "' cannot be brought up to date: " + more.error().message);
            turn.failed = true;
        }
        place = more && !*more ? ready_.erase(place) : std::next(place);
    }
}

Result<bool> IndexApplier::step(const TablePtr &table, Follower &follower, Turn &turn)
{
    if (auto loaded = load_cursor(table->log_keyspace(), follower); !loaded) {
        return fail(std::move(loaded).error());
    }
    const auto work = table->log->feed->begin();
    if (table->is_building()) {
        if (auto built = build(table, follower, turn); !built) {
            return fail(std::move(built).error());
        }
    } else {
        follower.build.reset();
    }
    if (work.is_behind) {
        if (auto done = catch_up(*table, follower, work, turn); !done) {
            return fail(std::move(done).error());
        }
    }
    return work.is_behind || table->is_building();
}

Result<void> IndexApplier::catch_up(const Table &table, Follower &follower, const ChangeFeed::Work &work, Turn &turn)
{
    auto &feed = *table.log->feed;
    std::optional<storage::LogPosition> limit;
    if (lag().count() > 0 && !work.has_backlog) {
        limit = feed.appended_before(std::chrono::steady_clock::now() - lag());
    }
    // Asked before the records are read: all of them are durable, or some may be missing.
    const bool durable = store_.durability(work.ticket) == storage::Durability::durable;
    const auto applied = apply_some(table, follower, limit, turn);
    if (!applied) {
        return fail(applied.error());
    }
    if (*applied == Applied::some) {
        return {};
    }
    if (*applied == Applied::up_to_limit) {
        const auto since = feed.behind_since();
        turn.next = std::min(turn.next.value_or(Time::max()), since ? *since + lag() : Time{});
        return {};
    }
    if (work.has_backlog) {
        feed.backlog_applied(); // it was durable when the store was opened
    }
    if (durable) {
        feed.applied(work.appended, 0);
        turn.progressed = true;
    } else {
        turn.pending = std::max(turn.pending, work.ticket);
    }
    return {};
}

Result<IndexApplier::Applied> IndexApplier::apply_some(const Table &table, Follower &follower,
                                                       std::optional<storage::LogPosition> limit, Turn &turn)
{
    const auto log = table.log_keyspace();
    RecordBatch batch;
    Applied ending = Applied::all;
    auto read = store_.read(storage::Wait::allowed, storage::View::latest, storage::Consistency::strong,
                            [&](storage::Reader &reader) -> Result<void> {
                                batch.clear();
                                ending = Applied::all;
                                auto ended =
                                    reader.read_log(log, follower.applied, [&](storage::LogPosition at, Bytes record) {
                                        if (limit && at > *limit) {
                                            ending = Applied::up_to_limit;
                                            return false;
                                        }
                                        ending = batch.add(at, record) ? Applied::all : Applied::some;
                                        return ending == Applied::all;
                                    });
                                return ended ? Result<void>() : Result<void>(fail(std::move(ended).error()));
                            });
    if (!read.result) {
        return fail(std::move(read.result).error());
    }
    if (batch.count() == 0) {
        return ending;
    }
    const auto items = batch.by_item(table);
    if (!items) {
        return fail(items.error());
    }
    const bool trims = follower.untrimmed + batch.count() >= kTrimRecords;
    std::optional<storage::KeyspaceId> left_out;
    if (const auto *index = building_index(table); index != nullptr && !follower.build->may_begin) {
        left_out = static_cast<storage::KeyspaceId>(index->keyspace);
    }
    IndexRows index_rows(table, left_out);
    const CursorKey cursor_key(log);
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
            index_rows.renew(mutation, (*items)[i], row ? std::optional(model::ItemView(*row)) : std::nullopt);
        }
        mutation.put(kCursorsKeyspace, cursor_key.view(), encode_cursor(batch.last()));
        if (trims) {
            mutation.trim_log(log, follower.trimmed, batch.last());
        }
        return {};
    });
    if (!written.result) {
        return fail(std::move(written.result).error());
    }
    follower.applied = batch.last();
    follower.untrimmed += batch.count();
    if (trims) {
        follower.trimmed = batch.last();
        follower.untrimmed = 0;
    }
    table.log->feed->applied(batch.last(), batch.bytes());
    turn.progressed = true;
    return ending;
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

Result<void> IndexApplier::build(const TablePtr &table, Follower &follower, Turn &turn)
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
        turn.asks_again = true;
        return {};
    }
    if (build.read_all) {
        return finish_build(*table, follower, turn);
    }
    if (auto filled = fill_page(*table, build); !filled) {
        return filled;
    }
    turn.progressed = true;
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

Result<void> IndexApplier::finish_build(const Table &table, Follower &follower, Turn &turn)
{
    const bool is_shown_updating = status_at(table.description, catalog_.now_ms()) == TableStatus::updating;
    if (!table.log->feed->is_applied(follower.build->end) || is_shown_updating) {
        turn.asks_again = true;
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
    turn.progressed = changed.result.has_value();
    const bool is_gone = !changed.result && (changed.result.error().code == ErrorCode::resource_not_found ||
                                             changed.result.error().code == ErrorCode::resource_in_use);
    if (is_gone) { // the table is being deleted
        turn.asks_again = true;
        return {};
    }
    return std::move(changed.result);
}

void IndexApplier::wait(const std::stop_token &stop, const Turn &turn)
{
    if (turn.pending != storage::Ticket{} && !turn.failed) {
        linger(stop);
        if (const auto durable = storage::wait_for_durability(store_, turn.pending); durable) {
            return;
        }
    }
    std::unique_lock lock(mutex_);
    const auto notified = [this] { return !notified_.empty(); };
    if (turn.failed || turn.pending != storage::Ticket{}) { // records came before the error, or the store has failed
        wakes_.wait_for(lock, stop, kRetry, [] { return false; });
    } else if (turn.asks_again) {
        wakes_.wait_for(lock, stop, kPoll, notified);
    } else if (turn.next) {
        wakes_.wait_until(lock, stop, std::min(*turn.next, std::chrono::steady_clock::now() + kLongestSleep), notified);
    } else if (ready_.empty()) {
        wakes_.wait(lock, stop, notified);
    }
}

void IndexApplier::linger(const std::stop_token &stop)
{
    std::unique_lock lock(mutex_);
    wakes_.wait_for(lock, stop, kLinger, [this] { return hurried_; });
    hurried_ = false;
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

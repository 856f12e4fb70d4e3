// Keeps the global indexes: follows the change logs of all tables that have some and brings their entries up to the
// items, and fills indexes that were added to a table. Entries, how far the log has been applied, and the end of the
// records move in one commit, so a crash repeats nothing and skips nothing.
//
// A record tells which entries an item had. To apply it is to remove those and to put the entries of the item as it is
// now, which may be newer than the record. Records of the changes in between follow, so that the index ends where the
// items are, in whatever state the applier met them.
//
// An index that is added is filled from the table, page by page, between the records. Neither pages nor records reach
// it before every write that is under way knows of it (TableVersions::all_have): from then on each change of an item
// behind the page that showed it has a record that tells which entry to remove. A restart begins with the first page
// again.
#pragma once

#include "engine/catalog.h"
#include "engine/index_rows.h"
#include "engine/primary_key.h"
#include "engine/table.h"
#include "storage/store.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace basalt::engine {

/// Thread-safe.
class IndexApplier {
public:
    struct Settings {
        /// See EngineOptions.
        const std::atomic<std::int64_t> *lag_ms = nullptr;
        std::function<void()> on_progress = {};
    };

    /// The references must outlive the applier.
    IndexApplier(storage::Store &store, Catalog &catalog, Settings settings);
    ~IndexApplier() { stop(); }
    IndexApplier(const IndexApplier &) = delete;
    IndexApplier &operator=(const IndexApplier &) = delete;

    /// Begins where the logs were left, on a thread of its own. Call once, with the catalog loaded.
    void start();
    /// Idempotent; call before the store is closed.
    void stop();

    /// The table's log has grown or is gone, or an index was added to the table.
    void notify(const std::string &table);
    /// Somebody waits for what is not applied yet of that table.
    void expedite(const std::string &table);

private:
    using Time = ChangeFeed::Time;

    /// An index that is being filled.
    struct Build {
        storage::KeyspaceId index{};
        bool may_begin = false;          // all writes know of it
        std::optional<PrimaryKey> after; // the last item read
        bool read_all = false;
        storage::LogPosition end; // of the log, when all was read
    };
    /// What the thread knows of one log.
    struct Follower {
        std::string table;
        bool loaded = false;
        storage::LogPosition applied;
        storage::LogPosition durable; // known to be, up to there
        RecentRows recent;
        std::optional<Build> build;
    };
    /// What one round over all logs that have something to do came to.
    struct Round {
        bool progressed = false;
        bool tell = false; // whoever waits
        bool failed = false;
        bool asks_again = false; // waits for something that nobody reports
        storage::Ticket pending; // what is not durable yet
        std::vector<std::pair<storage::KeyspaceId, storage::LogPosition>> pending_ends; // of the logs that it is of
        std::optional<Time> next;
    };
    static constexpr std::size_t kFewFollowers = 256;
    enum class Applied : std::uint8_t { some, up_to_limit, all };

    void run(const std::stop_token &stop);
    void take_notified(Round &round);
    void go_round(const std::stop_token &stop, Round &round);
    void work(const std::stop_token &stop, Round &round) noexcept;
    /// False: nothing is left to do.
    Result<bool> step(const TablePtr &table, Follower &follower, Round &round);
    Result<void> catch_up(const Table &table, Follower &follower, const ChangeFeed::Work &work, Round &round);
    Result<void> build(const TablePtr &table, Follower &follower, Round &round);
    Result<void> load_cursor(storage::KeyspaceId log, Follower &follower);
    Result<Applied> apply_some(const Table &table, Follower &follower, std::optional<storage::LogPosition> limit,
                               Round &round);
    Result<Applied> read_records(const Table &table, const Follower &follower,
                                 std::optional<storage::LogPosition> limit, RecordBatch &batch);
    /// As many of the records as a commit should have.
    Result<RecordsHandled> apply_batch(const Table &table, Follower &follower, const RecordBatch &batch);
    Result<void> fill_page(const Table &table, Build &build);
    Result<void> finish_build(const Table &table, Follower &follower, Round &round);
    void wait(const std::stop_token &stop, const Round &round);
    void note_durable(const Round &round);
    void let_records_gather(const std::stop_token &stop);
    [[nodiscard]] std::chrono::milliseconds lag() const;
    void report_lag() const;
    void report(const char *table, const char *what);

    storage::Store &store_;
    Catalog &catalog_;
    const Settings settings_;

    std::mutex mutex_;
    std::condition_variable_any wakes_;
    std::set<std::string> notified_;
    bool expedited_ = false;
    // The thread's own.
    std::map<storage::KeyspaceId, Follower> followers_; // by log
    std::set<storage::KeyspaceId> ready_;
    std::size_t most_followers_ = kFewFollowers; // then those of deleted tables are looked for
    Time last_report_{};
    std::jthread thread_;
};

} // namespace basalt::engine

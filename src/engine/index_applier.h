// Keeps the global indexes: follows the change logs of all tables that have some, and brings their entries up to the
// items. Entries, and how far the log has been applied, move in one commit, so a crash repeats nothing and skips
// nothing.
//
// A record tells which entries an item had. To apply it is to remove those and to put the entries of the item as it is
// now, which may be newer than the record. Records of the changes in between follow, so that the index ends where the
// items are, in whatever state the applier met them.
#pragma once

#include "engine/catalog.h"
#include "engine/table.h"
#include "storage/store.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace basalt::engine {

/// Thread-safe.
class IndexApplier {
public:
    /// The references must outlive the applier.
    IndexApplier(storage::Store &store, Catalog &catalog);
    ~IndexApplier() { stop(); }
    IndexApplier(const IndexApplier &) = delete;
    IndexApplier &operator=(const IndexApplier &) = delete;

    /// Begins where the logs were left, on a thread of its own. Call once, with the catalog loaded.
    void start();
    /// Idempotent.
    void stop();

    /// The table's log has grown.
    void notify(const Table &table);

private:
    struct Cursor {
        storage::LogPosition applied;
        storage::LogPosition trimmed;
        std::size_t untrimmed = 0; // records
    };

    void run(const std::stop_token &stop);
    /// Waits until there is something durable to apply. False: stopped.
    bool wait_for_work(const std::stop_token &stop, std::vector<TablePtr> &tables);
    void catch_up(const std::stop_token &stop, const TablePtr &table);
    /// Applies the next records. True: nothing durable is left.
    Result<bool> apply_some(const Table &table, Cursor &cursor);
    Result<void> load_cursor(const Table &table, Cursor &cursor);

    storage::Store &store_;
    Catalog &catalog_;

    std::mutex mutex_;
    std::condition_variable_any wakes_;
    std::map<std::string, std::shared_ptr<TableStorage>, std::less<>> waiting_; // by the table's name
    std::map<std::uint32_t, Cursor> cursors_;                                   // by log; the thread's own
    std::jthread thread_;
};

} // namespace basalt::engine

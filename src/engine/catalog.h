// The catalog: which tables exist. Kept in memory, written through to the store in one commit per change.
#pragma once

#include "base/clock.h"
#include "base/function_ref.h"
#include "base/random.h"
#include "engine/table.h"
#include "storage/store.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace basalt::engine {

/// Thread-safe. Look-ups never wait for a change in progress. Every reply that rests on a look-up must wait for
/// ticket() too, taken after the look-up.
class Catalog {
public:
    /// transition_ms: how long CREATING and DELETING last. The references must outlive the catalog.
    Catalog(storage::Store &store, const Clock &clock, RandomSource &random, std::int64_t transition_ms);
    Catalog(const Catalog &) = delete;
    Catalog &operator=(const Catalog &) = delete;
    ~Catalog() { stop(); }

    /// Ends the removal of deleted tables, and what waits for change logs. Call when nothing changes tables any more.
    /// Idempotent.
    void stop();

    /// Reads all descriptions; call once, before anything else. Errors: the store's, corruption.
    Result<void> load();

    /// The table in whatever status, or null if there is none.
    [[nodiscard]] TablePtr find(std::string_view name) const;
    /// The table if its data can be read and written. Error: resource_not_found, in the words of item operations.
    [[nodiscard]] Result<TablePtr> find_active(std::string_view name) const;

    /// Names in byte order behind `after`, at most limit of them; more is set if others follow.
    [[nodiscard]] std::vector<std::string> list(std::string_view after, std::size_t limit, bool &more) const;

    /// Assigns id, keyspaces and times to the description, stores and publishes it.
    /// Errors: resource_in_use, limit_exceeded, the store's.
    storage::Outcome create(storage::Wait wait, model::TableDescription &table);

    /// Takes the table away; dropped receives its description with status DELETING.
    /// Errors: resource_not_found, resource_in_use, validation (deletion protection), the store's.
    storage::Outcome drop(storage::Wait wait, std::string_view name, model::TableDescription &dropped);

    /// Gives an active or updating table a new version of its description: edit works on a copy of the latest one,
    /// which is then stored and published. Changes come one after another, so that none is lost. edit runs at most once
    /// in a call and leaves name, id, keyspaces and the times of creation and deletion alone. It may add global indexes
    /// (keyspace 0), which are given a keyspace and are `building` until the applier has filled them, and take some
    /// away, whose rows are dropped. Versions handed out before stay as they are. After an error the table is as it
    /// was. Errors: resource_not_found, resource_in_use (being created or deleted), edit's own, the store's.
    storage::Outcome change(storage::Wait wait, std::string_view name,
                            function_ref<Result<void>(model::TableDescription &)> edit);

    /// Called with the name of a table that has got a global index to be filled, or lost its change log, by the thread
    /// that changed it. Set it before load().
    void on_indexes_changed(std::function<void(const std::string &)> listener)
    {
        on_indexes_changed_ = std::move(listener);
    }

    /// Covers every change that a look-up before this call can have seen.
    [[nodiscard]] storage::Ticket ticket() const { return storage::Ticket{ticket_.load(std::memory_order_acquire)}; }
    [[nodiscard]] std::int64_t now_ms() const { return clock_.now_ms(); }
    /// How long CREATING, UPDATING and DELETING last.
    [[nodiscard]] std::int64_t transition_ms() const { return transition_ms_; }

private:
    /// change_mutex_, taken. Error: would_block.
    Result<std::unique_lock<std::mutex>> begin_change(storage::Wait wait);
    /// The table if it may be changed. Errors: resource_not_found, resource_in_use.
    [[nodiscard]] Result<TablePtr> find_changeable(std::string_view name) const;
    storage::Outcome store_version(storage::Wait wait, const Table &previous, model::TableDescription description);
    [[nodiscard]] TablePtr make_version(const Table *previous, model::TableDescription description, bool from_before);
    storage::Outcome remove(storage::Wait wait, const TablePtr &table);
    void publish(const TablePtr &table);
    void observe(storage::Ticket ticket);
    void let_go(const Table &previous, const Table *next);
    void require_sweeper();
    void sweep(const std::stop_token &stop);

    storage::Store &store_;
    const Clock &clock_;
    RandomSource &random_;
    const std::int64_t transition_ms_;

    std::mutex change_mutex_; // one change at a time; held across its commit
    mutable std::shared_mutex tables_mutex_;
    std::map<std::string, TablePtr, std::less<>> tables_;
    std::atomic<std::uint64_t> ticket_ = 0;
    std::function<void(const std::string &)> on_indexes_changed_;

    /// Ready to be removed; some_left: other tables are still DELETING.
    [[nodiscard]] std::vector<TablePtr> tables_gone(bool &some_left) const;
    [[nodiscard]] bool remove_gone(const TablePtr &table);

    // Removes tables whose DELETING is over. Started when the first such table appears; sleeps while there is none.
    std::mutex sweeper_mutex_;
    bool sweeper_has_work_ = false;
    bool stopped_ = false;
    std::condition_variable_any sweeper_wakes_;
    std::jthread sweeper_;
};

} // namespace basalt::engine

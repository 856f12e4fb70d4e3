// The commit pipeline: log positions under one mutex, the visibility slots, and one thread that makes the log durable
// for everyone. A ticket is RocksDB's sequence number of a commit's last entry.
#pragma once

#include "storage/rocksdb/rocksdb_store.h"
#include "storage/rocksdb/visibility_slots.h"
#include "storage/rocksdb/waiter_stack.h"

#include <condition_variable>
#include <mutex>
#include <span>
#include <thread>

namespace rocksdb {
class DB;
class WriteBatch;
} // namespace rocksdb

namespace basalt::storage {

class BackgroundErrors;

/// Thread-safe.
class CommitLog {
public:
    struct Settings {
        /// No log: every ticket is 0, everything is durable.
        bool in_memory = false;
        LogSync sync = LogSync::sync;
    };

    /// Starts the sync thread. The database and the record of its errors outlive this.
    CommitLog(::rocksdb::DB &db, const BackgroundErrors &errors, Settings settings);
    ~CommitLog();
    CommitLog(const CommitLog &) = delete;
    CommitLog &operator=(const CommitLog &) = delete;

    /// Writes the batch. The slots of what it changes are marked before it becomes visible. `finish`, if any, runs
    /// under the commit mutex and may still add to the batch; it is given the sequence number of the batch's first
    /// entry. Errors: would_block (it would stall; nothing changed), internal_server_error.
    [[nodiscard]] Result<Ticket>
    commit(::rocksdb::WriteBatch &batch, std::span<const VisibilitySlots::Slot> slots,
           const function_ref<void(::rocksdb::WriteBatch &, std::uint64_t)> *finish = nullptr);

    /// Covers everything a reader has seen in the slot's partitions; call it after reading.
    [[nodiscard]] Ticket last_written(VisibilitySlots::Slot slot) const { return {slots_.get(slot)}; }
    /// Covers everything that is visible; call it after the iterator or snapshot exists.
    [[nodiscard]] Ticket latest() const;

    /// The last sequence number that a crash cannot take back. Taken before an iterator is made, it is behind or at
    /// what the iterator shows.
    [[nodiscard]] std::uint64_t last_durable() const;
    [[nodiscard]] Durability durability(Ticket ticket) const;
    void when_durable(Ticket ticket, Waiter &waiter);
    [[nodiscard]] bool failed() const { return failed_.load(std::memory_order_acquire); }

    /// Syncs what was committed, answers every waiter, stops the thread. No commit may run any more. Idempotent.
    void close();

private:
    enum class Sleep : std::uint8_t { awake, napping, idle };

    void run();
    void wait_for_work();
    void wake();
    void sync_once();
    void fail_store(const std::string &why);
    void give_up(const std::string &why);
    [[nodiscard]] bool all_durable() const { return written_.load() <= durable_.load(); }

    ::rocksdb::DB &db_;
    const BackgroundErrors &errors_;
    const Settings settings_;
    VisibilitySlots slots_;

    std::mutex commit_mutex_;
    std::atomic<std::uint64_t> written_;
    std::atomic<std::uint64_t> durable_;
    std::atomic<bool> failed_{false};

    WaiterStack waiters_;
    std::mutex sleep_mutex_;
    std::condition_variable wake_up_;
    std::atomic<Sleep> sleep_{Sleep::awake};
    std::atomic<bool> stopping_{false};
    std::thread thread_;
};

} // namespace basalt::storage

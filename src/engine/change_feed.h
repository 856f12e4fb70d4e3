// How far the change log of one table has come, and how far it has been applied to the global indexes.
#pragma once

#include "storage/store.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

namespace basalt::engine {

/// Shared by all versions of a table. Thread-safe.
class ChangeFeed {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// backlog: the log was there before this process; how far it goes is not known until it was read once.
    explicit ChangeFeed(bool backlog)
        : has_backlog_(backlog)
    {}
    ChangeFeed(const ChangeFeed &) = delete;
    ChangeFeed &operator=(const ChangeFeed &) = delete;
    ~ChangeFeed();

    /// A commit has appended records of that many bytes, and nothing of this log after that position. ticket: covers
    /// it. Commits may be told out of order, and after they were applied. True: the applier does not know yet that
    /// there is something to do.
    bool appended(storage::LogPosition position, storage::Ticket ticket, std::uint64_t bytes);

    /// What the applier is to do next.
    struct Work {
        storage::LogPosition appended;
        storage::Ticket ticket; // covers all of it
        bool has_backlog = false;
        bool is_behind = false;
    };
    /// From now on a commit that appends makes the applier come again.
    [[nodiscard]] Work begin();

    /// Everything up to there is applied. bytes: of records that were not counted before.
    void applied(storage::LogPosition position, std::uint64_t bytes);
    /// The log was read to its end once.
    void backlog_applied();
    /// The log is gone: nobody has to wait for it.
    void retire();

    /// A read that begins now has to see everything up to there.
    [[nodiscard]] storage::LogPosition end() const;
    [[nodiscard]] bool is_applied(storage::LogPosition position) const;

    /// Of records that are not applied yet; without the backlog.
    [[nodiscard]] std::uint64_t pending_bytes() const { return pending_bytes_.load(std::memory_order_relaxed); }
    /// When the oldest record that is not applied was appended; nothing: all are, or it was before this process.
    [[nodiscard]] std::optional<Time> behind_since() const;
    /// The end of what was appended before that time, or of what is applied.
    [[nodiscard]] storage::LogPosition appended_before(Time time) const;

private:
    struct Mark {
        Time from; // when the first of some records was appended
        storage::LogPosition last;
    };

    /// Needs mutex_.
    void count(std::int64_t bytes);

    mutable std::mutex mutex_;
    storage::LogPosition appended_;
    storage::LogPosition applied_;
    storage::Ticket ticket_;
    std::deque<Mark> marks_; // of records that are not applied, bounded in number
    bool has_backlog_;
    bool retired_ = false;
    bool applier_knows_ = false;
    std::atomic<std::uint64_t> pending_bytes_ = 0; // changed with mutex_
};

/// The position of a table's log that a read of its global indexes waits for.
struct IndexPosition {
    std::shared_ptr<ChangeFeed> feed;
    storage::LogPosition position;

    [[nodiscard]] bool is_reached() const { return feed->is_applied(position); }
};

} // namespace basalt::engine

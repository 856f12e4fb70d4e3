// How far the change log of one table has come, and how far it has been applied to the global indexes.
#pragma once

#include "storage/store.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace basalt::engine {

/// Shared by all versions of a table. Thread-safe.
class ChangeFeed {
public:
    /// The log was there before this process; how far it goes is not known until it was read once.
    void expect_backlog() { set_backlog(true); }
    void backlog_applied() { set_backlog(false); }

    /// A commit has appended up to here. ticket: covers it.
    void appended(storage::LogPosition position, storage::Ticket ticket)
    {
        const std::lock_guard lock(mutex_);
        appended_ = std::max(appended_, position);
        ticket_ = std::max(ticket_, ticket);
    }
    void applied(storage::LogPosition position)
    {
        const std::lock_guard lock(mutex_);
        applied_ = std::max(applied_, position);
        moved_.notify_all();
    }

    [[nodiscard]] storage::LogPosition appended() const { return get(appended_); }
    [[nodiscard]] storage::LogPosition applied() const { return get(applied_); }
    [[nodiscard]] storage::Ticket ticket() const { return get(ticket_); }
    [[nodiscard]] bool is_behind() const
    {
        const std::lock_guard lock(mutex_);
        return has_backlog_ || applied_ < appended_;
    }

    /// False: it has not been applied up to the position in that time.
    bool wait_until_applied(storage::LogPosition position, std::chrono::milliseconds patience)
    {
        std::unique_lock lock(mutex_);
        return moved_.wait_for(lock, patience, [&] { return !has_backlog_ && applied_ >= position; });
    }

private:
    void set_backlog(bool has_backlog)
    {
        const std::lock_guard lock(mutex_);
        has_backlog_ = has_backlog;
        moved_.notify_all();
    }
    template <typename T>
    [[nodiscard]] T get(const T &value) const
    {
        const std::lock_guard lock(mutex_);
        return value;
    }

    mutable std::mutex mutex_;
    std::condition_variable moved_;
    storage::LogPosition appended_;
    storage::LogPosition applied_;
    storage::Ticket ticket_;
    bool has_backlog_ = false;
};

} // namespace basalt::engine

// Admission of request bodies by memory: a body is read only once its bytes have been granted.
#pragma once

#include "server/event_loop.h"

#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>

namespace basalt::server {

/// Thread-safe. Outlives every waiter.
class MemoryBudget {
public:
    /// A coroutine that waits for `bytes`. Stays in place until it was granted or withdrawn.
    struct Waiter {
        std::size_t bytes = 0;
        EventLoop *loop = nullptr;
        Wakeable wakeable;
        bool granted = false;
    };

    explicit MemoryBudget(std::size_t limit_bytes)
        : limit_bytes_(limit_bytes)
    {}

    /// Never waits. False: not now, or others have been waiting for longer.
    [[nodiscard]] bool try_acquire(std::size_t bytes) noexcept;
    void release(std::size_t bytes) noexcept;
    /// Counts memory that exists already, beyond the limit if need be; later admissions wait for it.
    void take_regardless(std::size_t bytes) noexcept;

    /// True: granted at once. False: the waiter was queued and is woken through its loop when granted.
    [[nodiscard]] bool acquire_or_wait(Waiter &waiter);
    /// Takes a waiter out of the queue. False: it was granted meanwhile.
    bool withdraw(Waiter &waiter);

    [[nodiscard]] std::size_t limit_bytes() const noexcept { return limit_bytes_; }
    [[nodiscard]] std::size_t used_bytes() const noexcept { return used_bytes_.load(); }

private:
    bool take(std::size_t bytes) noexcept;
    /// Needs mutex_.
    void grant() noexcept;

    const std::size_t limit_bytes_;
    std::atomic<std::size_t> used_bytes_{0};
    std::atomic<std::size_t> waiting_count_{0};
    std::mutex mutex_;
    std::deque<Waiter *> waiting_;
};

/// Bytes of a budget, given back at the end of scope.
class Reservation {
public:
    explicit Reservation(MemoryBudget &budget)
        : budget_(budget)
    {}
    Reservation(const Reservation &) = delete;
    Reservation &operator=(const Reservation &) = delete;
    ~Reservation() { release(); }

    [[nodiscard]] bool try_grow(std::size_t bytes) noexcept
    {
        if (!budget_.try_acquire(bytes)) {
            return false;
        }
        bytes_ += bytes;
        return true;
    }
    void grow_regardless(std::size_t bytes) noexcept
    {
        budget_.take_regardless(bytes);
        bytes_ += bytes;
    }
    /// The budget has granted these bytes already.
    void adopt(std::size_t bytes) noexcept { bytes_ += bytes; }
    void release() noexcept
    {
        if (bytes_ != 0) {
            budget_.release(bytes_);
            bytes_ = 0;
        }
    }

private:
    MemoryBudget &budget_;
    std::size_t bytes_ = 0;
};

} // namespace basalt::server

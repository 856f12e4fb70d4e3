// Waiting for a ticket on the calling thread.
#pragma once

#include "storage/store.h"

#include <condition_variable>
#include <mutex>
#include <optional>

namespace basalt::storage {

/// A waiter that its thread can wait for.
class DurableWait final : public Waiter {
public:
    void ready(const Result<void> &result) noexcept override
    {
        const std::lock_guard lock(mutex_);
        result_ = result;
        // Under the lock: the waiting thread destroys this as soon as it has seen the result.
        told_.notify_one();
    }
    Result<void> wait()
    {
        std::unique_lock lock(mutex_);
        told_.wait(lock, [this] { return result_.has_value(); });
        return *result_;
    }

private:
    std::mutex mutex_;
    std::condition_variable told_;
    std::optional<Result<void>> result_;
};

/// Returns when the ticket is durable, or with the error that it will never be.
inline Result<void> wait_for_durability(Store &store, Ticket ticket)
{
    DurableWait wait;
    store.when_durable(ticket, wait);
    return wait.wait();
}

} // namespace basalt::storage

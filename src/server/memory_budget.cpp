#include "server/memory_budget.h"

#include <algorithm>

namespace basalt::server {

bool MemoryBudget::take(std::size_t bytes) noexcept
{
    std::size_t used = used_bytes_.load();
    do {
        if (bytes > limit_bytes_ || used > limit_bytes_ - bytes) {
            return false;
        }
    } while (!used_bytes_.compare_exchange_weak(used, used + bytes));
    return true;
}

bool MemoryBudget::try_acquire(std::size_t bytes) noexcept
{
    return waiting_count_.load() == 0 && take(bytes);
}

void MemoryBudget::release(std::size_t bytes) noexcept
{
    used_bytes_.fetch_sub(bytes);
    // Sequentially consistent with acquire_or_wait(): either it sees these bytes or this sees it waiting.
    if (waiting_count_.load() == 0) {
        return;
    }
    const std::lock_guard lock(mutex_);
    grant();
}

void MemoryBudget::grant() noexcept
{
    while (!waiting_.empty() && take(waiting_.front()->bytes)) {
        Waiter &first = *waiting_.front();
        waiting_.pop_front();
        waiting_count_.fetch_sub(1);
        first.granted = true;
        first.loop->wake(first.wakeable);
    }
}

void MemoryBudget::take_regardless(std::size_t bytes) noexcept
{
    used_bytes_.fetch_add(bytes);
}

bool MemoryBudget::acquire_or_wait(Waiter &waiter)
{
    const std::lock_guard lock(mutex_);
    waiting_count_.fetch_add(1);
    if (waiting_.empty() && take(waiter.bytes)) {
        waiting_count_.fetch_sub(1);
        waiter.granted = true;
        return true;
    }
    waiting_.push_back(&waiter);
    return false;
}

bool MemoryBudget::withdraw(Waiter &waiter)
{
    const std::lock_guard lock(mutex_);
    const auto place = std::find(waiting_.begin(), waiting_.end(), &waiter);
    if (place == waiting_.end()) {
        return false;
    }
    waiting_.erase(place);
    waiting_count_.fetch_sub(1);
    grant(); // a large waiter may have stood before small ones that fit
    return true;
}

} // namespace basalt::server

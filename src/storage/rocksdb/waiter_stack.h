// Who waits for the next sync: pushed by any thread without a lock, taken all at once by the sync thread.
#pragma once

#include "storage/store.h"

#include <atomic>

namespace basalt::storage {

class WaiterStack {
public:
    WaiterStack() = default;
    WaiterStack(const WaiterStack &) = delete;
    WaiterStack &operator=(const WaiterStack &) = delete;

    /// false: shut, the waiter was not taken.
    [[nodiscard]] bool push(Waiter &waiter);
    /// The waiters so far, first come first, linked by next.
    [[nodiscard]] Waiter *take_all();
    /// The same, and nobody is taken in any more.
    [[nodiscard]] Waiter *shut();
    [[nodiscard]] bool empty() const;

private:
    struct Shut final : Waiter {
        void ready(const Result<void> & /*result*/) noexcept override {}
    };
    [[nodiscard]] Waiter *in_order(Waiter *top) const;

    mutable Shut shut_;
    std::atomic<Waiter *> top_{nullptr};
};

/// Calls ready() on each waiter of a list from the stack.
void tell_all(Waiter *first, const Result<void> &result);

} // namespace basalt::storage

// A Treiber stack that is emptied as a whole, so that no node is popped alone and ABA cannot happen.
#include "storage/rocksdb/waiter_stack.h"

namespace basalt::storage {

bool WaiterStack::push(Waiter &waiter)
{
    Waiter *top = top_.load(std::memory_order_relaxed);
    do {
        if (top == &shut_) {
            return false;
        }
        waiter.next = top;
    } while (!top_.compare_exchange_weak(top, &waiter));
    return true;
}

Waiter *WaiterStack::take_all()
{
    Waiter *top = top_.load();
    while (top != &shut_ && top != nullptr && !top_.compare_exchange_weak(top, nullptr)) {
    }
    return in_order(top);
}

Waiter *WaiterStack::shut()
{
    return in_order(top_.exchange(&shut_));
}

bool WaiterStack::empty() const
{
    const Waiter *top = top_.load();
    return top == nullptr || top == &shut_;
}

Waiter *WaiterStack::in_order(Waiter *top) const
{
    Waiter *first = nullptr;
    while (top != nullptr && top != &shut_) {
        Waiter *below = top->next;
        top->next = first;
        first = top;
        top = below;
    }
    return first;
}

void tell_all(Waiter *first, const Result<void> &result)
{
    while (first != nullptr) {
        Waiter *next = first->next; // ready() may destroy the waiter
        first->ready(result);
        first = next;
    }
}

} // namespace basalt::storage

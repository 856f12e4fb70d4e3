// The counters behind close().
#include "base/call_gate.h"

#include <chrono>
#include <thread>

namespace basalt {
namespace {

std::size_t number_of_this_thread()
{
    static std::atomic<std::size_t> next{0};
    thread_local const std::size_t number = next.fetch_add(1, std::memory_order_relaxed);
    return number;
}

} // namespace

CallGate::Pass::Pass(CallGate &gate)
    : inside_(&gate.counters_[number_of_this_thread() % gate.counters_.size()].inside)
{
    // Sequentially consistent with close(): either it sees this call, or this call sees the gate closed.
    inside_->fetch_add(1);
    if (gate.closed_.load()) {
        inside_->fetch_sub(1);
        inside_ = nullptr;
    }
}

CallGate::Pass::~Pass()
{
    if (inside_ != nullptr) {
        inside_->fetch_sub(1);
    }
}

void CallGate::close()
{
    closed_.store(true);
    for (const Counter &counter : counters_) {
        while (counter.inside.load() != 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
}

} // namespace basalt

// The counters behind close().
#include "base/call_gate.h"

#include "base/thread_number.h"

#include <chrono>
#include <thread>

namespace basalt {
CallGate::Pass::Pass(CallGate &gate)
    : inside_(&gate.counters_[thread_number() % gate.counters_.size()].inside)
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

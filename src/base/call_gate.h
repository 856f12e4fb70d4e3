// Lets close() wait for the calls that are inside, and turns later ones away until open().
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace basalt {

class CallGate {
public:
    /// Inside while it lives, if it got in.
    class Pass {
    public:
        explicit Pass(CallGate &gate);
        ~Pass();
        Pass(const Pass &) = delete;
        Pass &operator=(const Pass &) = delete;
        explicit operator bool() const { return inside_ != nullptr; }

    private:
        std::atomic<std::uint64_t> *inside_;
    };

    /// Returns when nobody is inside; the caller must not be.
    void close();
    /// Lets calls in again. Not at the same time as close().
    void open() { closed_.store(false); }

private:
    // One counter would bounce between the cores on every call.
    struct alignas(64) Counter {
        std::atomic<std::uint64_t> inside{0};
    };
    std::array<Counter, 16> counters_{};
    std::atomic<bool> closed_{false};
};

} // namespace basalt

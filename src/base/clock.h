// Time as a dependency: whoever needs the time of day takes a Clock, so that tests can move it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace basalt {

/// Thread-safe.
class Clock {
public:
    virtual ~Clock() = default;
    /// Milliseconds since 1970-01-01 UTC.
    [[nodiscard]] virtual std::int64_t now_ms() const = 0;
};

class SystemClock final : public Clock {
public:
    [[nodiscard]] std::int64_t now_ms() const override
    {
        using namespace std::chrono;
        return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
    }
};

class ManualClock final : public Clock {
public:
    explicit ManualClock(std::int64_t now_ms)
        : now_ms_(now_ms)
    {}
    [[nodiscard]] std::int64_t now_ms() const override { return now_ms_.load(); }
    void advance_ms(std::int64_t by_ms) { now_ms_.fetch_add(by_ms); }

private:
    std::atomic<std::int64_t> now_ms_;
};

} // namespace basalt

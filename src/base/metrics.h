// What the process counts for its operators, in one registry, given out as Prometheus text. Metrics are made once, as
// static variables beside what they count, and live until the end of the process; several databases of one process
// count together.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace prometheus {
class Counter;
class Gauge;
} // namespace prometheus

namespace basalt {

/// Pairs of name and value, a handful of values for each name.
using Labels = std::vector<std::pair<std::string, std::string>>;

/// Thread-safe. For what happens rarely: all threads add in one place. The name ends in _total.
class Counter {
public:
    Counter(const char *name, const char *help, const Labels &labels = {});
    void add() noexcept;

private:
    ::prometheus::Counter &counter_;
};

/// Thread-safe.
class Gauge {
public:
    Gauge(const char *name, const char *help, const Labels &labels = {});
    void set(double value) noexcept;
    void add(double amount) noexcept;

private:
    ::prometheus::Gauge &gauge_;
};

/// Thread-safe. Counters of one name for what every request does: threads add in different places, in about a
/// nanosecond.
class HotCounters {
public:
    /// One counter for each set of labels.
    HotCounters(const char *name, const char *help, std::vector<Labels> labels);
    HotCounters(const HotCounters &) = delete;
    HotCounters &operator=(const HotCounters &) = delete;
    ~HotCounters();

    /// index: of the labels given.
    void add(std::size_t index = 0) noexcept;
    [[nodiscard]] std::uint64_t value(std::size_t index = 0) const noexcept;

private:
    class Reader;
    static constexpr std::size_t kShards = 16;

    const std::size_t count_;
    std::array<std::unique_ptr<std::atomic<std::uint64_t>[]>, kShards> shards_;
    std::shared_ptr<Reader> reader_;
};

/// All metrics as text, format 0.0.4.
[[nodiscard]] std::string metrics_text();

} // namespace basalt

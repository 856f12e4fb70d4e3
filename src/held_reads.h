// Reads of global indexes that wait until the index has come as far as they have to see. They hold no thread: one for
// all of them looks after them.
#pragma once

#include "basalt/database.h"
#include "engine/change_feed.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

namespace basalt {

/// Thread-safe.
class HeldReads {
public:
    enum class Ending : std::uint8_t {
        reached,
        late,   // the patience is over
        stopped // nothing is read any more
    };
    /// Called once for each read, on a thread of this object, of whoever holds it or who stops it. Must not block for
    /// long nor throw.
    using Release = std::function<void(const Request &, Completion &, Ending)>;

    /// most: how many reads are held at a time; others are late at once.
    HeldReads(std::chrono::milliseconds patience, std::size_t most, Release release);
    HeldReads(const HeldReads &) = delete;
    HeldReads &operator=(const HeldReads &) = delete;
    ~HeldReads() { stop(); }

    /// Throws bad_alloc.
    void hold(const Request &request, Completion &completion, engine::IndexPosition position);
    /// Indexes have come further.
    void look() noexcept;
    /// Releases all. Idempotent.
    void stop();

private:
    struct Read {
        Request request;
        Completion *completion;
        engine::IndexPosition position;
        std::chrono::steady_clock::time_point until;
    };

    void run() noexcept;
    /// Those that need not wait longer.
    [[nodiscard]] std::list<Read> take_ready() noexcept;

    const std::chrono::milliseconds patience_;
    const std::size_t most_;
    const Release release_;
    std::mutex mutex_;
    std::condition_variable wakes_;
    std::list<Read> reads_; // in the order of their deadlines
    bool look_ = false;
    bool stopped_ = false;
    std::thread thread_; // started by the first read
};

} // namespace basalt

// Row locks: a fixed table of stripes that rows hash to. Held while a mutation's body runs and commits, never for
// longer.
#pragma once

#include "storage/store.h"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace basalt::storage {

class LockStripes {
public:
    /// count is a power of two.
    explicit LockStripes(std::size_t count);

    [[nodiscard]] bool try_lock(std::size_t stripe);
    /// false: patience ran out.
    [[nodiscard]] bool lock(std::size_t stripe, std::chrono::milliseconds patience);
    void unlock(std::size_t stripe);
    [[nodiscard]] std::size_t stripe_of(const LockKey &key) const;
    [[nodiscard]] bool is_held(std::size_t stripe) const
    {
        return stripes_[stripe].load(std::memory_order_relaxed) != free;
    }

private:
    enum State : std::uint32_t { free, held, held_with_waiters };
    // Waiting is rare, so a few places to sleep serve all stripes.
    struct Bed {
        std::mutex mutex;
        std::condition_variable freed;
    };
    Bed &bed_of(std::size_t stripe) { return beds_[stripe % beds_.size()]; }

    std::vector<std::atomic<std::uint32_t>> stripes_;
    std::array<Bed, 16> beds_;
};

/// The stripes of one mutation, each once, taken in ascending order; released by unlock() or the destructor.
class HeldStripes {
public:
    explicit HeldStripes(LockStripes &stripes)
        : stripes_(stripes)
    {}
    ~HeldStripes() { unlock(); }
    HeldStripes(const HeldStripes &) = delete;
    HeldStripes &operator=(const HeldStripes &) = delete;

    /// Errors: would_block, lock_timeout (patience ran out); nothing is held then.
    [[nodiscard]] Result<void> lock(std::span<const LockKey> keys, Wait wait, std::chrono::milliseconds patience);
    void unlock();
    /// After lock_timeout: the position of the last key whose stripe somebody else held.
    [[nodiscard]] std::size_t busy() const { return busy_; }

private:
    /// The first stripe that was not had, or nothing: all are held.
    [[nodiscard]] std::optional<std::size_t> lock_all(std::span<std::size_t> wanted, Wait wait,
                                                      std::chrono::milliseconds patience);

    LockStripes &stripes_;
    std::array<std::size_t, 8> few_{};
    std::vector<std::size_t> many_;
    std::size_t busy_ = 0;
    std::span<std::size_t> held_;
};

} // namespace basalt::storage

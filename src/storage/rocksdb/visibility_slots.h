// For each partition-hash slot the last ticket written to it. Slots are shared by many partitions: a ticket that is too
// large costs a reader one wait for an fsync, a ticket that is too small would show what a crash can take back.
#pragma once

#include "storage/store.h"

#include <atomic>
#include <vector>

namespace basalt::storage {

class VisibilitySlots {
public:
    using Slot = std::uint32_t;

    VisibilitySlots()
        : tickets_(kCount)
    {}

    [[nodiscard]] static Slot slot_of(KeyspaceId keyspace, std::uint64_t hash)
    {
        const std::uint64_t mixed = (hash ^ (static_cast<std::uint64_t>(keyspace) << 32U)) * 0x9E3779B97F4A7C15U;
        return static_cast<Slot>(mixed >> (64U - kCountBits));
    }
    /// A reader calls this after it has read: whatever it saw was marked before it became visible.
    [[nodiscard]] std::uint64_t get(Slot slot) const { return tickets_[slot].load(std::memory_order_acquire); }
    /// The writers' calls, under the commit mutex.
    void set(Slot slot, std::uint64_t ticket) { tickets_[slot].store(ticket, std::memory_order_release); }

private:
    static constexpr unsigned kCountBits = 15; // 256 KiB
    static constexpr std::size_t kCount = std::size_t{1} << kCountBits;
    std::vector<std::atomic<std::uint64_t>> tickets_;
};

} // namespace basalt::storage

// Stripes and the mutation's set of them.
#include "storage/rocksdb/lock_stripes.h"

#include "base/check.h"
#include "storage/rocksdb/status.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace basalt::storage {
namespace {

std::uint64_t mix(std::uint64_t value)
{
    value ^= value >> 32U;
    value *= 0x9E3779B97F4A7C15U;
    return value ^ (value >> 29U);
}

} // namespace

LockStripes::LockStripes(std::size_t count)
    : stripes_(count)
{
    BASALT_CHECK(std::has_single_bit(count));
}

bool LockStripes::try_lock(std::size_t stripe)
{
    std::uint32_t expected = free;
    return stripes_[stripe].compare_exchange_strong(expected, held, std::memory_order_acquire);
}

bool LockStripes::lock(std::size_t stripe, std::chrono::milliseconds patience)
{
    // Most holders are done within the few microseconds of a commit.
    for (int spin = 0; spin < 64; ++spin) {
        if (try_lock(stripe)) {
            return true;
        }
    }
    const auto deadline = std::chrono::steady_clock::now() + patience;
    std::atomic<std::uint32_t> &state = stripes_[stripe];
    Bed &bed = bed_of(stripe);
    std::unique_lock lock(bed.mutex);
    while (state.exchange(held_with_waiters, std::memory_order_acquire) != free) {
        if (bed.freed.wait_until(lock, deadline) == std::cv_status::timeout) {
            return state.exchange(held_with_waiters, std::memory_order_acquire) == free;
        }
    }
    return true;
}

void LockStripes::unlock(std::size_t stripe)
{
    if (stripes_[stripe].exchange(free, std::memory_order_release) == held_with_waiters) {
        Bed &bed = bed_of(stripe);
        const std::lock_guard lock(bed.mutex);
        bed.freed.notify_all();
    }
}

std::size_t LockStripes::stripe_of(const LockKey &key) const
{
    const std::hash<Bytes> hash;
    std::uint64_t value = mix(static_cast<std::uint64_t>(key.keyspace) ^ key.key.hash);
    value = mix(value ^ hash(key.key.partition));
    value = mix(value ^ hash(key.key.sort));
    if (!key.key.tail.empty()) {
        value = mix(value ^ hash(key.key.tail));
    }
    return value & (stripes_.size() - 1);
}

Result<void> HeldStripes::lock(std::span<const LockKey> keys, Wait wait, std::chrono::milliseconds patience)
{
    std::span<std::size_t> wanted;
    if (keys.size() <= few_.size()) {
        wanted = std::span(few_).first(keys.size());
    } else {
        many_.resize(keys.size());
        wanted = many_;
    }
    std::transform(keys.begin(), keys.end(), wanted.begin(),
                   [this](const LockKey &key) { return stripes_.stripe_of(key); });
    std::sort(wanted.begin(), wanted.end());
    const auto end = std::unique(wanted.begin(), wanted.end());
    const auto busy = lock_all(wanted.first(static_cast<std::size_t>(end - wanted.begin())), wait, patience);
    if (!busy) {
        return {};
    }
    if (wait == Wait::never) {
        return fail(would_block_error());
    }
    // Its own are let go: who repeats a request meets all locks of the first attempt, not only the first in order.
    const auto is_busy = [&](const LockKey &key) {
        const std::size_t stripe = stripes_.stripe_of(key);
        return stripe == *busy || stripes_.is_held(stripe);
    };
    const auto key = std::find_if(keys.rbegin(), keys.rend(), is_busy);
    busy_ = static_cast<std::size_t>(keys.rend() - key) - 1;
    return fail(ErrorCode::lock_timeout, "the item is held by another request");
}

std::optional<std::size_t> HeldStripes::lock_all(std::span<std::size_t> wanted, Wait wait,
                                                 std::chrono::milliseconds patience)
{
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const bool locked = wait == Wait::never ? stripes_.try_lock(wanted[i]) : stripes_.lock(wanted[i], patience);
        if (!locked) {
            unlock();
            return wanted[i];
        }
        held_ = wanted.first(i + 1);
    }
    return std::nullopt;
}

void HeldStripes::unlock()
{
    for (const std::size_t stripe : held_) {
        stripes_.unlock(stripe);
    }
    held_ = {};
}

} // namespace basalt::storage

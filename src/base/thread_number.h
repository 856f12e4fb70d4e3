// Numbers threads, so that they can count in different places.
#pragma once

#include <atomic>
#include <cstddef>

namespace basalt {

/// Small and the thread's own; 0 for the first that asks.
[[nodiscard]] inline std::size_t thread_number() noexcept
{
    static std::atomic<std::size_t> next{0};
    thread_local const std::size_t number = next.fetch_add(1, std::memory_order_relaxed);
    return number;
}

} // namespace basalt

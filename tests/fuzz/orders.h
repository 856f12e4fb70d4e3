// Takes an input apart into the decisions that build something.
#pragma once

#include "base/bytes.h"
#include "codec/utf8.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace basalt::fuzz {

/// Reads the input from its front; zeros and empty texts when it is used up.
class Orders {
public:
    explicit Orders(Bytes bytes)
        : rest_(bytes)
    {}

    [[nodiscard]] bool empty() const { return rest_.empty(); }

    std::uint8_t byte()
    {
        const Bytes taken = take(1);
        return taken.empty() ? 0 : static_cast<std::uint8_t>(taken.front());
    }
    bool flag() { return byte() % 2 == 1; }

    /// At most that many bytes.
    Bytes take(std::size_t length)
    {
        const Bytes taken = rest_.substr(0, length);
        rest_.remove_prefix(taken.size());
        return taken;
    }

    /// UTF-8 of a length that the next byte tells.
    std::string text()
    {
        const Bytes bytes = take(byte());
        return std::string(codec::is_utf8(bytes) ? bytes : Bytes("text"));
    }

    /// 64 bits, often small.
    std::int64_t integer()
    {
        std::uint64_t value = 0;
        for (const char taken : take(byte() % 9)) {
            value = value << 8U | static_cast<std::uint8_t>(taken);
        }
        return static_cast<std::int64_t>(value);
    }

private:
    Bytes rest_;
};

} // namespace basalt::fuzz

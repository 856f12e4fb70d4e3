// Checks UTF-8: eight ASCII bytes at a time, everything else by sequence.
#include "codec/utf8.h"

#include <cstdint>
#include <cstring>

namespace basalt::codec {

namespace {

// The length of the sequence that starts at `at`, or 0 if it is ill-formed.
std::size_t sequence_length(const unsigned char *at, const unsigned char *end)
{
    const unsigned char lead = at[0];
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length < 2) {
        return length;
    }
    if (static_cast<std::size_t>(end - at) < length) {
        return 0;
    }
    // The second byte alone can make a sequence overlong, a surrogate or too large.
    const unsigned char lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (at[1] < lowest || at[1] > highest) {
        return 0;
    }
    for (std::size_t i = 2; i < length; ++i) {
        if ((at[i] & 0xC0U) != 0x80) {
            return 0;
        }
    }
    return length;
}

} // namespace

bool is_utf8(Bytes bytes) noexcept
{
    constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080U;
    const auto *at = reinterpret_cast<const unsigned char *>(bytes.data());
    const auto *const end = at + bytes.size();
    while (at != end) {
        std::uint64_t word = 0;
        if (end - at >= 8) {
            std::memcpy(&word, at, sizeof word);
            if ((word & kHighBits) == 0) {
                at += sizeof word;
                continue;
            }
        }
        const std::size_t length = sequence_length(at, end);
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return true;
}

} // namespace basalt::codec

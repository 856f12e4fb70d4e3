// gzip and deflate, in steps small enough for an I/O thread: request bodies are unpacked, large responses packed.
#pragma once

#include "server/body_buffer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace basalt::server {

enum class ContentCoding : std::uint8_t { identity, gzip, deflate };

/// The coding a Content-Encoding header names; what is not known counts as identity.
[[nodiscard]] ContentCoding content_coding(std::string_view content_encoding) noexcept;

/// The coding to answer with, or identity when Accept-Encoding allows no other.
[[nodiscard]] ContentCoding acceptable_coding(std::string_view accept_encoding) noexcept;

/// Most bytes that one step produces.
inline constexpr std::size_t kCodingStepBytes = std::size_t{64} << 10;

enum class CodingStep : std::uint8_t { more, done, failed };

/// Unpacks a whole body. gzip members and zlib streams may follow one another; deflate without zlib's header is
/// accepted too.
class Unpacker {
public:
    Unpacker(ContentCoding coding, std::string_view packed);
    ~Unpacker();
    Unpacker(const Unpacker &) = delete;
    Unpacker &operator=(const Unpacker &) = delete;
    /// Appends up to kCodingStepBytes to `out`, which has room for them. failed: corrupt or cut off.
    CodingStep step(BodyBuffer &out);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Packs a whole body, fast rather than small.
class Packer {
public:
    Packer(ContentCoding coding, std::string_view plain);
    ~Packer();
    Packer(const Packer &) = delete;
    Packer &operator=(const Packer &) = delete;
    /// Appends the next piece to `out`.
    CodingStep step(std::string &out);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace basalt::server

// Bytes received from a client and not used yet. A request that fits is parsed where it was received.
#pragma once

#include "basalt/database.h"
#include "base/check.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace basalt::server {

class InputBuffer {
public:
    explicit InputBuffer(std::size_t capacity)
        : bytes_(new char[capacity + kBodyPadding]()),
          capacity_(capacity)
    {}

    /// Received and not consumed.
    [[nodiscard]] std::string_view view() const noexcept { return {bytes_.get() + begin_, end_ - begin_}; }
    [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

    /// Where to receive, room_bytes() long.
    [[nodiscard]] char *room() noexcept { return bytes_.get() + end_; }
    [[nodiscard]] std::size_t room_bytes() const noexcept { return capacity_ - end_; }
    void commit(std::size_t count) noexcept
    {
        BASALT_CHECK(count <= room_bytes());
        end_ += count;
    }

    void consume(std::size_t count) noexcept
    {
        BASALT_CHECK(count <= end_ - begin_);
        begin_ += count;
        if (begin_ == end_) {
            begin_ = 0;
            end_ = 0;
        }
    }

    /// Makes `total` bytes from the beginning of view() fit. Moves the bytes.
    void make_fit(std::size_t total)
    {
        if (total <= capacity_ - begin_) {
            return;
        }
        const std::size_t held = end_ - begin_;
        if (total <= capacity_) {
            std::memmove(bytes_.get(), bytes_.get() + begin_, held);
        } else {
            InputBuffer larger(total);
            std::memcpy(larger.bytes_.get(), bytes_.get() + begin_, held);
            std::swap(bytes_, larger.bytes_);
            capacity_ = total;
        }
        begin_ = 0;
        end_ = held;
    }

private:
    std::unique_ptr<char[]> bytes_;
    std::size_t capacity_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

} // namespace basalt::server

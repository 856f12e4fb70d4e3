// A growing byte buffer that keeps readable padding behind its contents, so that a request body is parsed in place.
#pragma once

#include "basalt/database.h"
#include "base/check.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

namespace basalt::server {

/// Always has kBodyPadding readable bytes behind capacity().
class BodyBuffer {
public:
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] char *data() noexcept { return bytes_.get(); }
    [[nodiscard]] std::string_view view() const noexcept { return {bytes_.get(), size_}; }

    /// Makes room for `capacity` bytes in all. False: the memory is not there; the contents are as before.
    [[nodiscard]] bool reserve(std::size_t capacity) noexcept
    {
        if (capacity <= capacity_) {
            return true;
        }
        std::unique_ptr<char[]> grown(new (std::nothrow) char[capacity + kBodyPadding]);
        if (!grown) {
            return false;
        }
        if (size_ != 0) {
            std::memcpy(grown.get(), bytes_.get(), size_);
        }
        std::memset(grown.get() + capacity, 0, kBodyPadding);
        bytes_ = std::move(grown);
        capacity_ = capacity;
        return true;
    }

    /// The caller has reserved the room.
    void append(std::string_view bytes) noexcept
    {
        BASALT_CHECK(bytes.size() <= capacity_ - size_);
        if (!bytes.empty()) {
            std::memcpy(bytes_.get() + size_, bytes.data(), bytes.size());
            size_ += bytes.size();
        }
    }
    /// `count` bytes were written at data() + size().
    void commit(std::size_t count) noexcept
    {
        BASALT_CHECK(count <= capacity_ - size_);
        size_ += count;
    }

    /// Drops the contents and the memory.
    void release() noexcept
    {
        bytes_.reset();
        size_ = 0;
        capacity_ = 0;
    }

private:
    std::unique_ptr<char[]> bytes_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

} // namespace basalt::server

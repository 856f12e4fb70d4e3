// Read-only views of encoded attribute values and items. Nothing is decoded until it is asked for, nothing is copied.
// codec/item_encoding.h writes the layout:
//
//   item     := format:u8 (1) size:u32 map              size: what DynamoDB counts, in bytes (FORMAT.md, "Item sizes")
//   map      := length:u32 count:u32 entry*             length: bytes of all entries; integers are little-endian
//   entry    := name:text value
//   value    := type:u8 payload
//   payload  := text                                    S (UTF-8), N (canonical decimal text), B (raw bytes)
//             | bool:u8                                 BOOL (0 or 1)
//             |                                         NULL
//             | map                                     M
//             | length:u32 count:u32 value*             L
//             | length:u32 count:u32 text*              SS, NS, BS
//   text     := length:varint bytes                     varint: LEB128, at most 5 bytes
#pragma once

#include "base/bytes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace basalt::model {

/// The ten types of an attribute value. The numbers are stored.
enum class AttributeType : std::uint8_t {
    string = 1,
    number = 2,
    binary = 3,
    boolean = 4,
    null = 5,
    map = 6,
    list = 7,
    string_set = 8,
    number_set = 9,
    binary_set = 10,
};

/// "S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS".
[[nodiscard]] std::string_view type_name(AttributeType type) noexcept;
/// The inverse of type_name.
[[nodiscard]] std::optional<AttributeType> type_from_name(std::string_view name) noexcept;

class MapView;
class ListView;
class SetView;

/// One encoded attribute value. The bytes must be well-formed (written by codec or checked by codec::is_valid_item) and
/// outlive the view. Asking for the wrong type aborts.
class ValueView {
public:
    /// bytes: exactly one `value`.
    explicit ValueView(Bytes bytes) noexcept
        : bytes_(bytes)
    {}

    [[nodiscard]] AttributeType type() const noexcept { return static_cast<AttributeType>(bytes_.front()); }
    /// The whole encoding, type byte included.
    [[nodiscard]] Bytes bytes() const noexcept { return bytes_; }
    /// S: UTF-8; N: canonical decimal text; B: raw bytes.
    [[nodiscard]] Bytes text() const;
    [[nodiscard]] bool boolean() const;
    [[nodiscard]] MapView map() const;
    [[nodiscard]] ListView list() const;
    /// SS, NS or BS.
    [[nodiscard]] SetView set() const;

private:
    Bytes bytes_;
};

/// One attribute of a map.
struct Attribute {
    std::string_view name;
    ValueView value;
};

/// The attributes of an item or of an M value, in the order in which they were written; names are unique.
class MapView {
public:
    class Iterator {
    public:
        explicit Iterator(const char *at) noexcept
            : at_(at)
        {}
        [[nodiscard]] Attribute operator*() const;
        Iterator &operator++();
        friend bool operator==(Iterator, Iterator) = default;

    private:
        const char *at_;
    };

    /// An empty map.
    MapView() noexcept;
    /// bytes: a `map` and nothing behind it.
    explicit MapView(Bytes bytes) noexcept
        : bytes_(bytes)
    {}

    [[nodiscard]] std::uint32_t count() const noexcept;
    [[nodiscard]] bool empty() const noexcept { return count() == 0; }
    /// The attribute of that name; linear in the number of attributes before it.
    [[nodiscard]] std::optional<ValueView> find(std::string_view name) const;
    [[nodiscard]] Iterator begin() const noexcept;
    [[nodiscard]] Iterator end() const noexcept;
    [[nodiscard]] Bytes bytes() const noexcept { return bytes_; }

private:
    Bytes bytes_;
};

/// The elements of an L value.
class ListView {
public:
    class Iterator {
    public:
        explicit Iterator(const char *at) noexcept
            : at_(at)
        {}
        [[nodiscard]] ValueView operator*() const;
        Iterator &operator++();
        friend bool operator==(Iterator, Iterator) = default;

    private:
        const char *at_;
    };

    explicit ListView(Bytes bytes) noexcept
        : bytes_(bytes)
    {}
    [[nodiscard]] std::uint32_t count() const noexcept;
    [[nodiscard]] Iterator begin() const noexcept;
    [[nodiscard]] Iterator end() const noexcept;

private:
    Bytes bytes_;
};

/// The members of an SS, NS or BS value: UTF-8, canonical decimal text or raw bytes.
class SetView {
public:
    class Iterator {
    public:
        explicit Iterator(const char *at) noexcept
            : at_(at)
        {}
        [[nodiscard]] Bytes operator*() const;
        Iterator &operator++();
        friend bool operator==(Iterator, Iterator) = default;

    private:
        const char *at_;
    };

    explicit SetView(Bytes bytes) noexcept
        : bytes_(bytes)
    {}
    [[nodiscard]] std::uint32_t count() const noexcept;
    [[nodiscard]] Iterator begin() const noexcept;
    [[nodiscard]] Iterator end() const noexcept;

private:
    Bytes bytes_;
};

/// A whole encoded item: its attributes and the size that DynamoDB counts for it.
class ItemView {
public:
    static constexpr std::size_t kHeaderBytes = 5;

    /// bytes: exactly one `item`.
    explicit ItemView(Bytes bytes) noexcept
        : bytes_(bytes)
    {}
    [[nodiscard]] MapView attributes() const noexcept { return MapView(bytes_.substr(kHeaderBytes)); }
    /// Bytes by DynamoDB's rule: names and values, no fixed overhead.
    [[nodiscard]] std::uint32_t size_bytes() const noexcept;
    [[nodiscard]] std::optional<ValueView> find(std::string_view name) const { return attributes().find(name); }
    [[nodiscard]] Bytes bytes() const noexcept { return bytes_; }

private:
    Bytes bytes_;
};

} // namespace basalt::model

// Walks the encoded layout. Bytes are trusted here: codec wrote or checked them.
#include "model/item_view.h"

#include "base/check.h"

#include <array>
#include <bit>
#include <cstring>

namespace basalt::model {

namespace {

static_assert(std::endian::native == std::endian::little, "stored integers are read with memcpy");

// length:u32 count:u32 of a map, list or set.
constexpr std::size_t kContainerHeaderBytes = 8;
constexpr std::array<char, kContainerHeaderBytes> kEmptyMap{};

inline std::uint32_t read_u32(const char *at)
{
    std::uint32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

// Reads a text's length and steps over it.
inline std::uint32_t read_length(const char *&at)
{
    const auto first = static_cast<unsigned char>(*at++);
    if (first < 0x80) {
        return first;
    }
    std::uint32_t value = first & 0x7FU;
    for (unsigned shift = 7; shift < 35; shift += 7) {
        const auto byte = static_cast<unsigned char>(*at++);
        value |= static_cast<std::uint32_t>(byte & 0x7FU) << shift;
        if (byte < 0x80) {
            break;
        }
    }
    return value;
}

inline Bytes read_text(const char *&at)
{
    const std::uint32_t length = read_length(at);
    const Bytes text(at, length);
    at += length;
    return text;
}

// The first byte behind a value.
inline const char *skip_value(const char *at)
{
    switch (static_cast<AttributeType>(*at++)) {
    case AttributeType::string:
    case AttributeType::number:
    case AttributeType::binary: {
        const std::uint32_t length = read_length(at);
        return at + length;
    }
    case AttributeType::boolean:
        return at + 1;
    case AttributeType::null:
        return at;
    case AttributeType::map:
    case AttributeType::list:
    case AttributeType::string_set:
    case AttributeType::number_set:
    case AttributeType::binary_set:
        return at + kContainerHeaderBytes + read_u32(at);
    }
    BASALT_CHECK(false && "unknown attribute type");
    return at;
}

inline ValueView value_at(const char *at)
{
    return ValueView(Bytes(at, static_cast<std::size_t>(skip_value(at) - at)));
}

constexpr std::array<std::string_view, 10> kTypeNames = {"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"};

} // namespace

std::string_view type_name(AttributeType type) noexcept
{
    const std::size_t index = static_cast<std::size_t>(type) - 1;
    BASALT_CHECK(index < kTypeNames.size());
    return kTypeNames[index];
}

std::optional<AttributeType> type_from_name(std::string_view name) noexcept
{
    for (std::size_t i = 0; i < kTypeNames.size(); ++i) {
        if (kTypeNames[i] == name) {
            return static_cast<AttributeType>(i + 1);
        }
    }
    return std::nullopt;
}

Bytes ValueView::text() const
{
    BASALT_CHECK(type() == AttributeType::string || type() == AttributeType::number || type() == AttributeType::binary);
    const char *at = bytes_.data() + 1;
    return read_text(at);
}

bool ValueView::boolean() const
{
    BASALT_CHECK(type() == AttributeType::boolean);
    return bytes_[1] != 0;
}

MapView ValueView::map() const
{
    BASALT_CHECK(type() == AttributeType::map);
    return MapView(bytes_.substr(1));
}

ListView ValueView::list() const
{
    BASALT_CHECK(type() == AttributeType::list);
    return ListView(bytes_.substr(1));
}

SetView ValueView::set() const
{
    BASALT_CHECK(type() == AttributeType::string_set || type() == AttributeType::number_set ||
                 type() == AttributeType::binary_set);
    return SetView(bytes_.substr(1));
}

MapView::MapView() noexcept
    : bytes_(kEmptyMap.data(), kEmptyMap.size())
{}

std::uint32_t MapView::count() const noexcept
{
    return read_u32(bytes_.data() + sizeof(std::uint32_t));
}

std::optional<ValueView> MapView::find(std::string_view name) const
{
    const char *at = bytes_.data() + kContainerHeaderBytes;
    const char *const end = bytes_.data() + bytes_.size();
    while (at != end) {
        const Bytes found = read_text(at);
        if (found == name) {
            return value_at(at);
        }
        at = skip_value(at);
    }
    return std::nullopt;
}

MapView::Iterator MapView::begin() const noexcept
{
    return Iterator(bytes_.data() + kContainerHeaderBytes);
}

MapView::Iterator MapView::end() const noexcept
{
    return Iterator(bytes_.data() + bytes_.size());
}

Attribute MapView::Iterator::operator*() const
{
    const char *at = at_;
    const Bytes name = read_text(at);
    return Attribute{name, value_at(at)};
}

MapView::Iterator &MapView::Iterator::operator++()
{
    const char *at = at_;
    read_text(at);
    at_ = skip_value(at);
    return *this;
}

std::uint32_t ListView::count() const noexcept
{
    return read_u32(bytes_.data() + sizeof(std::uint32_t));
}

ListView::Iterator ListView::begin() const noexcept
{
    return Iterator(bytes_.data() + kContainerHeaderBytes);
}

ListView::Iterator ListView::end() const noexcept
{
    return Iterator(bytes_.data() + bytes_.size());
}

ValueView ListView::Iterator::operator*() const
{
    return value_at(at_);
}

ListView::Iterator &ListView::Iterator::operator++()
{
    at_ = skip_value(at_);
    return *this;
}

std::uint32_t SetView::count() const noexcept
{
    return read_u32(bytes_.data() + sizeof(std::uint32_t));
}

SetView::Iterator SetView::begin() const noexcept
{
    return Iterator(bytes_.data() + kContainerHeaderBytes);
}

SetView::Iterator SetView::end() const noexcept
{
    return Iterator(bytes_.data() + bytes_.size());
}

Bytes SetView::Iterator::operator*() const
{
    const char *at = at_;
    return read_text(at);
}

SetView::Iterator &SetView::Iterator::operator++()
{
    read_text(at_);
    return *this;
}

std::uint32_t ItemView::size_bytes() const noexcept
{
    return read_u32(bytes_.data() + 1);
}

} // namespace basalt::model

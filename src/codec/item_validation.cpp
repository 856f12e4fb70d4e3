// Checks bytes of unknown origin against the item layout: one pass, nothing read outside, recursion bounded by the
// nesting limit.
#include "codec/item_encoding.h"
#include "codec/utf8.h"
#include "model/limits.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace basalt::codec {

namespace {

using model::AttributeType;

constexpr char kItemFormat = 1;

// The unread rest of the bytes.
class Cursor {
public:
    explicit Cursor(Bytes bytes)
        : rest_(bytes)
    {}

    [[nodiscard]] bool empty() const { return rest_.empty(); }

    bool take(std::size_t length, Bytes &bytes)
    {
        if (length > rest_.size()) {
            return false;
        }
        bytes = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return true;
    }

    bool byte(std::uint8_t &value)
    {
        Bytes bytes;
        if (!take(1, bytes)) {
            return false;
        }
        value = static_cast<std::uint8_t>(bytes.front());
        return true;
    }

    bool u32(std::uint32_t &value)
    {
        Bytes bytes;
        if (!take(sizeof value, bytes)) {
            return false;
        }
        std::memcpy(&value, bytes.data(), sizeof value);
        return true;
    }

    bool text(Bytes &bytes)
    {
        std::uint64_t length = 0;
        for (unsigned shift = 0; shift < 35; shift += 7) {
            std::uint8_t part = 0;
            if (!byte(part) || (part == 0 && shift != 0)) {
                return false; // cut off, or longer than need be
            }
            length |= static_cast<std::uint64_t>(part & 0x7FU) << shift;
            if (part < 0x80) {
                return take(length, bytes);
            }
        }
        return false;
    }

private:
    Bytes rest_;
};

// What a container's elements must add up to.
struct Contents {
    Cursor elements{Bytes()};
    std::uint32_t count = 0;
};

bool take_contents(Cursor &cursor, Contents &contents)
{
    std::uint32_t length = 0;
    Bytes bytes;
    if (!cursor.u32(length) || !cursor.u32(contents.count) || !cursor.take(length, bytes)) {
        return false;
    }
    contents.elements = Cursor(bytes);
    return true;
}

bool is_canonical_number(Bytes text)
{
    if (text.size() > model::Decimal::kMaxTextBytes) {
        return false;
    }
    const auto number = model::Decimal::parse(text);
    return number.has_value() && number->to_string() == text;
}

// type: that of the value or of the set around it.
bool is_valid_text(AttributeType type, Bytes text)
{
    switch (type) {
    case AttributeType::string:
    case AttributeType::string_set:
        return is_utf8(text);
    case AttributeType::number:
    case AttributeType::number_set:
        return is_canonical_number(text);
    default:
        return true;
    }
}

bool has_duplicates(std::vector<Bytes> &names)
{
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) != names.end();
}

bool take_value(Cursor &cursor, int levels);

bool take_map(Cursor &cursor, int levels)
{
    Contents map;
    if (!take_contents(cursor, map)) {
        return false;
    }
    std::vector<Bytes> names;
    while (!map.elements.empty()) {
        Bytes name;
        if (!map.elements.text(name) || name.empty() || name.size() > model::kMaxAttributeNameBytes || !is_utf8(name) ||
            !take_value(map.elements, levels)) {
            return false;
        }
        names.push_back(name);
    }
    return names.size() == map.count && !has_duplicates(names);
}

bool take_list(Cursor &cursor, int levels)
{
    Contents list;
    if (!take_contents(cursor, list)) {
        return false;
    }
    std::uint64_t count = 0;
    for (; !list.elements.empty(); ++count) {
        if (!take_value(list.elements, levels)) {
            return false;
        }
    }
    return count == list.count;
}

bool take_set(Cursor &cursor, AttributeType type)
{
    Contents set;
    if (!take_contents(cursor, set)) {
        return false;
    }
    std::uint64_t count = 0;
    for (; !set.elements.empty(); ++count) {
        Bytes member;
        if (!set.elements.text(member) || !is_valid_text(type, member)) {
            return false;
        }
    }
    return count == set.count;
}

// levels: how many maps and lists may still stand inside one another here.
bool take_value(Cursor &cursor, int levels)
{
    std::uint8_t type = 0;
    if (!cursor.byte(type)) {
        return false;
    }
    const auto kind = static_cast<AttributeType>(type);
    switch (kind) {
    case AttributeType::string:
    case AttributeType::number:
    case AttributeType::binary: {
        Bytes text;
        return cursor.text(text) && is_valid_text(kind, text);
    }
    case AttributeType::boolean: {
        std::uint8_t value = 0;
        return cursor.byte(value) && value <= 1;
    }
    case AttributeType::null:
        return true;
    case AttributeType::map:
        return levels > 0 && take_map(cursor, levels - 1);
    case AttributeType::list:
        return levels > 0 && take_list(cursor, levels - 1);
    case AttributeType::string_set:
    case AttributeType::number_set:
    case AttributeType::binary_set:
        return take_set(cursor, kind);
    }
    return false;
}

} // namespace

bool is_valid_item(Bytes bytes)
{
    Cursor cursor(bytes);
    std::uint8_t format = 0;
    std::uint32_t size = 0;
    if (!cursor.byte(format) || format != kItemFormat || !cursor.u32(size) ||
        !take_map(cursor, model::kMaxNestingLevels) || !cursor.empty()) {
        return false;
    }
    return map_size_bytes(model::ItemView(bytes).attributes()) == size;
}

} // namespace basalt::codec

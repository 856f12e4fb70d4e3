// DynamoDB's size of encoded values.
#include "codec/item_encoding.h"

namespace basalt::codec {

namespace {

using model::AttributeType;

std::uint32_t length_of(Bytes bytes)
{
    return static_cast<std::uint32_t>(bytes.size());
}

constexpr std::uint32_t kDocumentBytes = 3;
constexpr std::uint32_t kElementBytes = 1;

} // namespace

std::uint32_t number_size_bytes(std::string_view canonical_text)
{
    std::string_view digits = canonical_text;
    if (digits == "0") {
        return 1;
    }
    const bool negative = digits.front() == '-';
    digits.remove_prefix(negative ? 1 : 0);
    std::size_t integer = 0;
    std::size_t fraction = 0;
    if (const std::size_t point = digits.find('.'); point == std::string_view::npos) {
        integer = digits.find_last_not_of('0') + 1;
    } else if (digits.front() == '0') {
        fraction = digits.size() - digits.find_first_not_of('0', point + 1);
    } else {
        integer = point;
        fraction = digits.size() - point - 1;
    }
    return static_cast<std::uint32_t>(1 + (integer + 1) / 2 + (fraction + 1) / 2 + (negative ? 1 : 0));
}

std::uint32_t value_size_bytes(model::ValueView value)
{
    switch (value.type()) {
    case AttributeType::string:
    case AttributeType::binary:
        return length_of(value.text());
    case AttributeType::number:
        return number_size_bytes(value.text());
    case AttributeType::boolean:
    case AttributeType::null:
        return 1;
    case AttributeType::map: {
        const model::MapView map = value.map();
        return kDocumentBytes + kElementBytes * map.count() + map_size_bytes(map);
    }
    case AttributeType::list: {
        std::uint32_t size = kDocumentBytes;
        for (const model::ValueView element : value.list()) {
            size += kElementBytes + value_size_bytes(element);
        }
        return size;
    }
    case AttributeType::number_set:
    case AttributeType::string_set:
    case AttributeType::binary_set:
        break;
    }
    std::uint32_t size = 0;
    for (const Bytes member : value.set()) {
        size += value.type() == AttributeType::number_set ? number_size_bytes(member) : length_of(member);
    }
    return size;
}

std::uint32_t map_size_bytes(model::MapView attributes)
{
    std::uint32_t size = 0;
    for (const model::Attribute attribute : attributes) {
        size += length_of(attribute.name) + value_size_bytes(attribute.value);
    }
    return size;
}

} // namespace basalt::codec

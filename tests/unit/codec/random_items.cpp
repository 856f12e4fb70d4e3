// Builds, writes and reads back the random trees, and counts their size on the tree.
#include "unit/codec/random_items.h"

#include "model/decimal.h"
#include "unit/model/random_decimals.h"

#include <array>
#include <set>

namespace basalt::codec::testing {

namespace {

using model::AttributeType;

bool is_set(AttributeType type)
{
    return type == AttributeType::string_set || type == AttributeType::number_set || type == AttributeType::binary_set;
}

std::string encoded(char32_t c)
{
    std::string out;
    const auto put = [&out](unsigned byte) { out.push_back(static_cast<char>(byte)); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0U | c >> 6U);
        put(0x80U | (c & 0x3FU));
    } else if (c < 0x10000) {
        put(0xE0U | c >> 12U);
        put(0x80U | (c >> 6U & 0x3FU));
        put(0x80U | (c & 0x3FU));
    } else {
        put(0xF0U | c >> 18U);
        put(0x80U | (c >> 12U & 0x3FU));
        put(0x80U | (c >> 6U & 0x3FU));
        put(0x80U | (c & 0x3FU));
    }
    return out;
}

std::size_t half(std::size_t digits)
{
    return (digits + 1) / 2;
}

std::size_t obvious_number_size(std::string text)
{
    if (text == "0") {
        return 1;
    }
    std::size_t size = 1;
    if (text.front() == '-') {
        ++size;
        text.erase(0, 1);
    }
    const std::size_t point = text.find('.');
    std::string integer = text.substr(0, point);
    std::string fraction = point == std::string::npos ? "" : text.substr(point + 1);
    while (!integer.empty() && integer.front() == '0') {
        integer.erase(0, 1);
    }
    while (fraction.empty() && integer.back() == '0') {
        integer.pop_back();
    }
    while (integer.empty() && fraction.front() == '0') {
        fraction.erase(0, 1);
    }
    return size + half(integer.size()) + half(fraction.size());
}

} // namespace

std::string RandomItems::utf8(std::size_t max_characters)
{
    static constexpr std::array<char32_t, 12> kEdges = {0,      0x7F,   0x80,   0x7FF,   0x800,    0xD7FF,
                                                        0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF, 'a'};
    std::string text;
    for (std::size_t left = below(max_characters + 1); left != 0; --left) {
        text += encoded(below(3) == 0 ? kEdges[below(kEdges.size())] : static_cast<char32_t>('a' + below(26)));
    }
    return text;
}

std::string RandomItems::bytes(std::size_t max_length)
{
    std::string out;
    for (std::size_t left = below(max_length + 1); left != 0; --left) {
        out.push_back(static_cast<char>(below(256)));
    }
    return out;
}

std::string RandomItems::number()
{
    return model::testing::RandomDecimals(engine_()).next().to_string();
}

Node RandomItems::item(int levels)
{
    Node node;
    node.type = AttributeType::map;
    fill_map(node, levels);
    return node;
}

void RandomItems::fill_map(Node &node, int levels)
{
    std::set<std::string> names;
    for (std::size_t left = below(7); left != 0; --left) {
        std::string name = utf8(below(10) == 0 ? 200 : 5);
        name += name.empty() ? "n" : "";
        if (names.insert(name).second) {
            node.entries.emplace_back(name, value(levels));
        }
    }
}

void RandomItems::fill_set(Node &node)
{
    std::set<std::string> members;
    for (std::size_t left = 1 + below(5); left != 0; --left) {
        std::string member = node.type == AttributeType::string_set   ? utf8(6)
                             : node.type == AttributeType::number_set ? number()
                                                                      : bytes(6);
        if (members.insert(member).second) {
            node.members.push_back(member);
        }
    }
}

Node RandomItems::value(int levels)
{
    Node node;
    node.type = static_cast<AttributeType>(1 + below(10));
    if (levels == 0 && (node.type == AttributeType::map || node.type == AttributeType::list)) {
        node.type = AttributeType::null;
    }
    switch (node.type) {
    case AttributeType::string:
        node.text = utf8(below(20) == 0 ? 20'000 : 20);
        break;
    case AttributeType::number:
        node.text = number();
        break;
    case AttributeType::binary:
        node.text = bytes(below(20) == 0 ? 20'000 : 200);
        break;
    case AttributeType::boolean:
        node.flag = below(2) == 0;
        break;
    case AttributeType::null:
        break;
    case AttributeType::map:
        fill_map(node, levels - 1);
        break;
    case AttributeType::list:
        for (std::size_t left = below(5); left != 0; --left) {
            node.elements.push_back(value(levels - 1));
        }
        break;
    default:
        fill_set(node);
    }
    return node;
}

std::string encode_item(const Node &attributes)
{
    std::string out;
    ItemWriter writer(out);
    writer.begin_item();
    for (const auto &[name, value] : attributes.entries) {
        writer.name(name);
        encode_value(value, writer);
    }
    writer.end();
    return out;
}

void encode_value(const Node &node, ItemWriter &writer)
{
    switch (node.type) {
    case AttributeType::string:
        return writer.string(node.text);
    case AttributeType::number:
        return writer.number(model::Decimal::parse(node.text).value());
    case AttributeType::binary:
        return writer.binary(node.text);
    case AttributeType::boolean:
        return writer.boolean(node.flag);
    case AttributeType::null:
        return writer.null();
    case AttributeType::map:
        writer.begin_map();
        for (const auto &[name, value] : node.entries) {
            writer.name(name);
            encode_value(value, writer);
        }
        return writer.end();
    case AttributeType::list:
        writer.begin_list();
        for (const Node &element : node.elements) {
            encode_value(element, writer);
        }
        return writer.end();
    default:
        writer.begin_set(node.type);
        for (std::size_t i = 0; i < node.members.size(); ++i) {
            if (node.type == AttributeType::number_set && i % 2 == 0) {
                writer.member(model::Decimal::parse(node.members[i]).value());
            } else {
                writer.member(Bytes(node.members[i]));
            }
        }
        return writer.end();
    }
}

Node decode_map(model::MapView map)
{
    Node node;
    node.type = AttributeType::map;
    for (const model::Attribute attribute : map) {
        node.entries.emplace_back(attribute.name, decode_value(attribute.value));
    }
    return node;
}

Node decode_value(model::ValueView value)
{
    if (value.type() == AttributeType::map) {
        return decode_map(value.map());
    }
    Node node;
    node.type = value.type();
    if (value.type() == AttributeType::list) {
        for (const model::ValueView element : value.list()) {
            node.elements.push_back(decode_value(element));
        }
    } else if (is_set(value.type())) {
        for (const Bytes member : value.set()) {
            node.members.emplace_back(member);
        }
    } else if (value.type() == AttributeType::boolean) {
        node.flag = value.boolean();
    } else if (value.type() != AttributeType::null) {
        node.text = std::string(value.text());
    }
    return node;
}

std::size_t obvious_size(const Node &node)
{
    std::size_t size = 0;
    switch (node.type) {
    case AttributeType::number:
        return obvious_number_size(node.text);
    case AttributeType::string:
    case AttributeType::binary:
        return node.text.size();
    case AttributeType::boolean:
    case AttributeType::null:
        return 1;
    case AttributeType::map:
        return 3 + node.entries.size() + obvious_item_size(node);
    case AttributeType::list:
        for (const Node &element : node.elements) {
            size += 1 + obvious_size(element);
        }
        return 3 + size;
    default:
        for (const std::string &member : node.members) {
            size += node.type == AttributeType::number_set ? obvious_number_size(member) : member.size();
        }
        return size;
    }
}

std::size_t obvious_item_size(const Node &attributes)
{
    std::size_t size = 0;
    for (const auto &[name, value] : attributes.entries) {
        size += name.size() + obvious_size(value);
    }
    return size;
}

} // namespace basalt::codec::testing

// Random items as plain trees, with the size of an item counted the obvious way: what the codec tests compare against.
#pragma once

#include "codec/item_encoding.h"
#include "model/item_view.h"

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace basalt::codec::testing {

/// An attribute value as a tree. Each type uses its own members only.
struct Node {
    model::AttributeType type = model::AttributeType::null;
    std::string text;                                  // S, N (canonical), B
    bool flag = false;                                 // BOOL
    std::vector<std::pair<std::string, Node>> entries; // M
    std::vector<Node> elements;                        // L
    std::vector<std::string> members;                  // SS, NS, BS

    friend bool operator==(const Node &, const Node &) = default;
};

class RandomItems {
public:
    explicit RandomItems(std::uint64_t seed)
        : engine_(seed)
    {}

    std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
    /// An M node: the attributes of an item, nested at most `levels` maps and lists deep.
    Node item(int levels = 6);
    std::string utf8(std::size_t max_characters);
    std::string bytes(std::size_t max_length);
    std::string number();

private:
    Node value(int levels);
    void fill_map(Node &node, int levels);
    void fill_set(Node &node);

    std::mt19937_64 engine_;
};

/// Writes the attributes of an M node as an item.
std::string encode_item(const Node &attributes);
void encode_value(const Node &node, ItemWriter &writer);

/// Reads back what encode_item and encode_value wrote.
Node decode_map(model::MapView map);
Node decode_value(model::ValueView value);

/// DynamoDB's size, from the tree.
std::size_t obvious_size(const Node &node);
std::size_t obvious_item_size(const Node &attributes);

} // namespace basalt::codec::testing

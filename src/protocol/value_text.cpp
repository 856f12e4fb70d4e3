// How the service prints a request value inside a validation message.
#include "protocol/value_text.h"

#include <array>
#include <charconv>

namespace basalt::protocol {
namespace {

using model::AttributeType;

/// Appends to a string until the bound is reached; what comes later is dropped.
class ValueText {
public:
    explicit ValueText(std::string &out)
        : out_(out),
          end_(out.size() + kMaxValueTextBytes)
    {}

    void node(const Shape &shape, const Node &node);
    void cut();

private:
    [[nodiscard]] bool full() const noexcept { return out_.size() >= end_; }
    void blob(std::size_t size);
    void list(const Shape &shape, const Node &node);
    void map(const Shape &shape, const Node &node);
    void structure(const Shape &shape, const Node &node);
    void attribute_value(model::ValueView value);
    void attribute_payload(model::ValueView value);
    void attributes(model::MapView attributes);
    void separate(bool &first);

    std::string &out_;
    std::size_t end_;
};

void ValueText::separate(bool &first)
{
    if (!first) {
        out_ += ", ";
    }
    first = false;
}

void ValueText::blob(std::size_t size)
{
    const auto count = std::to_string(size);
    out_.append("java.nio.HeapByteBuffer[pos=0 lim=").append(count).append(" cap=").append(count).append("]");
}

void ValueText::node(const Shape &shape, const Node &node)
{
    if (full()) {
        return;
    }
    switch (node.kind()) {
    case Node::Kind::absent:
        out_ += "null";
        break;
    case Node::Kind::boolean:
        out_ += node.boolean_or(false) ? "true" : "false";
        break;
    case Node::Kind::integer:
        out_ += std::to_string(node.integer());
        break;
    case Node::Kind::real: {
        std::array<char, 32> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), node.real()).ptr;
        out_.append(digits.data(), end);
        break;
    }
    case Node::Kind::string:
        out_ += node.text();
        break;
    case Node::Kind::blob:
        blob(node.text().size());
        break;
    case Node::Kind::list:
        list(shape, node);
        break;
    case Node::Kind::map:
        map(shape, node);
        break;
    case Node::Kind::structure:
        structure(shape, node);
        break;
    case Node::Kind::attribute_value:
        attribute_value(node.value());
        break;
    case Node::Kind::attributes:
        attributes(node.item().attributes());
        break;
    }
}

void ValueText::list(const Shape &shape, const Node &node)
{
    out_ += '[';
    bool first = true;
    for (const auto &element : node.elements()) {
        if (full()) {
            return;
        }
        separate(first);
        this->node(*shape.element, element);
    }
    out_ += ']';
}

void ValueText::map(const Shape &shape, const Node &node)
{
    out_ += '{';
    bool first = true;
    for (const auto &[key, value] : node.entries()) {
        if (full()) {
            return;
        }
        separate(first);
        out_.append(key).append("=");
        this->node(*shape.element, value);
    }
    out_ += '}';
}

void ValueText::structure(const Shape &shape, const Node &node)
{
    out_.append(shape.name).append("(");
    bool first = true;
    for (std::size_t i = 0; i < shape.members.size() && !full(); ++i) {
        separate(first);
        append_lower_first(shape.members[i].name, out_);
        out_ += '=';
        this->node(*shape.members[i].shape, node[i]);
    }
    out_.append(shape.text_suffix).append(")");
}

void ValueText::attribute_payload(model::ValueView value)
{
    switch (value.type()) {
    case AttributeType::string:
    case AttributeType::number:
        out_ += value.text();
        return;
    case AttributeType::binary:
        blob(value.text().size());
        return;
    case AttributeType::boolean:
        out_ += value.boolean() ? "true" : "false";
        return;
    case AttributeType::null:
        out_ += "true";
        return;
    case AttributeType::map:
        attributes(value.map());
        return;
    default:
        break;
    }
    out_ += '[';
    bool first = true;
    if (value.type() == AttributeType::list) {
        for (auto it = value.list().begin(); it != value.list().end() && !full(); ++it) {
            separate(first);
            attribute_value(*it);
        }
    } else {
        for (auto it = value.set().begin(); it != value.set().end() && !full(); ++it) {
            separate(first);
            if (value.type() == AttributeType::binary_set) {
                blob((*it).size());
            } else {
                out_ += *it;
            }
        }
    }
    out_ += ']';
}

void ValueText::attribute_value(model::ValueView value)
{
    // The members of the service's own class, some of which have no counterpart on the wire.
    struct Field {
        std::string_view name;
        AttributeType type;
    };
    constexpr auto kNone = AttributeType{};
    constexpr std::array kFields = {
        Field{"s", AttributeType::string},
        Field{"n", AttributeType::number},
        Field{"b", AttributeType::binary},
        Field{"iNT", kNone},
        Field{"dECIMAL", kNone},
        Field{"dOUBLE", kNone},
        Field{"sS", AttributeType::string_set},
        Field{"nS", AttributeType::number_set},
        Field{"bS", AttributeType::binary_set},
        Field{"iNTSET", kNone},
        Field{"dECIMALSET", kNone},
        Field{"dOUBLESET", kNone},
        Field{"m", AttributeType::map},
        Field{"l", AttributeType::list},
        Field{"nULL", AttributeType::null},
        Field{"bOOL", AttributeType::boolean},
    };
    out_ += "AttributeValue(";
    bool first = true;
    for (const auto &field : kFields) {
        if (full()) {
            return;
        }
        separate(first);
        out_.append(field.name).append("=");
        if (field.type == value.type()) {
            attribute_payload(value);
        } else {
            out_ += "null";
        }
    }
    out_ += ')';
}

void ValueText::attributes(model::MapView attributes)
{
    out_ += '{';
    bool first = true;
    for (auto it = attributes.begin(); it != attributes.end() && !full(); ++it) {
        const auto [name, value] = *it;
        separate(first);
        out_.append(name).append("=");
        attribute_value(value);
    }
    out_ += '}';
}

void ValueText::cut()
{
    if (out_.size() <= end_) {
        return;
    }
    std::size_t end = end_;
    while (end > 0 && (static_cast<unsigned char>(out_[end]) & 0xC0) == 0x80) {
        --end; // not inside a character
    }
    out_.resize(end);
}

} // namespace

void append_value_text(const Shape &shape, const Node &node, std::string &out)
{
    ValueText text(out);
    text.node(shape, node);
    text.cut();
}

void append_lower_first(std::string_view name, std::string &out)
{
    const std::size_t start = out.size();
    out += name;
    if (!name.empty() && name.front() >= 'A' && name.front() <= 'Z') {
        out[start] = static_cast<char>(out[start] + ('a' - 'A'));
    }
}

} // namespace basalt::protocol

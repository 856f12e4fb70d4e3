// Decodes a parsed document by the shapes of an operation's input.
#include "protocol/decoder.h"

#include "protocol/base64.h"

#include <cstring>
#include <memory>

namespace basalt::protocol {

using Type = Shape::Type;

bool Decoder::decode(const Shape &shape, Element given, Place place, Node &out)
{
    out = Node();
    if (given.is_null()) {
        if (shape.type == Type::attribute_value && place == Place::element) {
            EncodedAttributes encoded;
            return finish_attributes(attributes_.decode_value(given, place, encoded), encoded,
                                     Node::Kind::attribute_value, out);
        }
        return true;
    }
    switch (shape.type) {
    case Type::structure:
        return decode_structure(shape, given, place, out);
    case Type::list:
        return decode_list(shape, given, place, out);
    case Type::map:
        return decode_map(shape, given, place, out);
    case Type::attribute_value: {
        EncodedAttributes encoded;
        return finish_attributes(attributes_.decode_value(given, place, encoded), encoded, Node::Kind::attribute_value,
                                 out);
    }
    case Type::blob:
        return decode_blob(shape, given, place, out);
    default:
        return decode_scalar(shape, given, place, out);
    }
}

bool Decoder::decode_structure(const Shape &shape, Element given, Place place, Node &out)
{
    simdjson::dom::object object;
    if (given.get(object) != simdjson::SUCCESS) {
        return reject(shape, given, place);
    }
    Node *members = allocate<Node>(shape.members.size());
    for (const auto field : object) {
        const std::string_view key = field.key;
        for (std::size_t i = 0; i < shape.members.size(); ++i) {
            if (shape.members[i].name == key) {
                if (!decode(*shape.members[i].shape, field.value, Place::member, members[i])) {
                    return false;
                }
                break;
            }
        }
    }
    out.kind_ = Node::Kind::structure;
    out.count_ = static_cast<std::uint32_t>(shape.members.size());
    out.nodes_ = members;
    return true;
}

bool Decoder::decode_list(const Shape &shape, Element given, Place place, Node &out)
{
    simdjson::dom::array array;
    if (given.get(array) != simdjson::SUCCESS) {
        return reject(shape, given, place);
    }
    Node *elements = allocate<Node>(array.size());
    Node *next = elements;
    for (const auto element : array) {
        if (!decode(*shape.element, element, Place::element, *next++)) {
            return false;
        }
    }
    out.kind_ = Node::Kind::list;
    out.count_ = static_cast<std::uint32_t>(next - elements);
    out.nodes_ = elements;
    return true;
}

bool Decoder::decode_map(const Shape &shape, Element given, Place place, Node &out)
{
    simdjson::dom::object object;
    if (given.get(object) != simdjson::SUCCESS) {
        return reject(shape, given, place);
    }
    if (shape.element->type != Type::attribute_value) {
        return decode_entries(shape, object, out);
    }
    EncodedAttributes encoded;
    return finish_attributes(attributes_.decode_item(shape, object, encoded), encoded, Node::Kind::attributes, out);
}

bool Decoder::decode_entries(const Shape &shape, simdjson::dom::object given, Node &out)
{
    const RepeatedNames repeated(given, buffers_);
    NodeEntry *entries = allocate<NodeEntry>(given.size() + 1);
    NodeEntry *next = entries;
    std::uint32_t position = 0;
    for (const auto field : given) {
        next->key = field.key;
        if (!decode(*shape.element, field.value, Place::element, next->value)) {
            return false;
        }
        if (!repeated.overridden(position++)) {
            ++next; // an overridden entry is checked, then its place is taken by the next one
        }
    }
    out.kind_ = Node::Kind::map;
    out.count_ = static_cast<std::uint32_t>(next - entries);
    out.entries_ = entries;
    return true;
}

bool Decoder::decode_blob(const Shape &shape, Element given, Place place, Node &out)
{
    std::string_view text;
    if (given.get(text) != simdjson::SUCCESS) {
        return reject(shape, given, place);
    }
    buffers_.bytes.clear();
    const auto fault = append_decoded_base64(text, buffers_.bytes);
    if (fault != Base64Fault::none) {
        error_ = wrong_base64_text(text, fault == Base64Fault::length);
        return false;
    }
    char *bytes = allocate<char>(buffers_.bytes.size());
    std::memcpy(bytes, buffers_.bytes.data(), buffers_.bytes.size());
    out.kind_ = Node::Kind::blob;
    out.count_ = static_cast<std::uint32_t>(buffers_.bytes.size());
    out.bytes_ = bytes;
    return true;
}

bool Decoder::decode_scalar(const Shape &shape, Element given, Place place, Node &out)
{
    if (shape.type == Type::string) {
        std::string_view text;
        if (given.get(text) != simdjson::SUCCESS) {
            return reject(shape, given, place);
        }
        out.kind_ = Node::Kind::string;
        out.count_ = static_cast<std::uint32_t>(text.size());
        out.bytes_ = text.data();
    } else if (shape.type == Type::boolean) {
        const auto value = to_boolean(given);
        if (!value) {
            return reject(shape, given, place);
        }
        out.kind_ = Node::Kind::boolean;
        out.boolean_ = *value;
    } else if (shape.type == Type::integer || shape.type == Type::long_integer) {
        const auto value = to_integer(shape, given);
        if (!value) {
            return reject(shape, given, place);
        }
        out.kind_ = Node::Kind::integer;
        out.integer_ = *value;
    } else {
        const auto value = to_real(shape, given);
        if (!value) {
            return reject(shape, given, place);
        }
        out.kind_ = Node::Kind::real;
        out.real_ = *value;
    }
    return true;
}

bool Decoder::finish_attributes(bool decoded, const EncodedAttributes &encoded, Node::Kind kind, Node &out)
{
    if (!decoded) {
        error_ = attributes_.error();
        return false;
    }
    out.kind_ = kind;
    out.overlong_name_ = encoded.overlong_name;
    out.number_spelling_ = encoded.number_spelling;
    out.count_ = static_cast<std::uint32_t>(encoded.bytes.size());
    out.bytes_ = encoded.bytes.data();
    out.fault_ = encoded.fault;
    return true;
}

bool Decoder::reject(const Shape &shape, Element given, Place place)
{
    error_ = wrong_type_text(shape, given, place);
    return false;
}

template <typename T>
T *Decoder::allocate(std::size_t count)
{
    auto *memory = static_cast<T *>(arena_.allocate(std::max<std::size_t>(count, 1) * sizeof(T), alignof(T)));
    std::uninitialized_default_construct_n(memory, count);
    return memory;
}

} // namespace basalt::protocol

// Decodes a parsed document by the shapes of an operation's input. Internal to JsonParser.
#pragma once

#include "protocol/attribute_decoder.h"

namespace basalt::protocol {

/// One use per input. Recursion follows the shapes, which nest finitely; AttributeDecoder bounds its own.
class Decoder {
public:
    /// short_exponents: as OperationModel.
    Decoder(DecodeBuffers &buffers, std::pmr::memory_resource &arena, bool short_exponents)
        : buffers_(buffers),
          arena_(arena),
          attributes_(buffers, arena, short_exponents)
    {}

    /// False: wrong type, see error().
    [[nodiscard]] bool decode(const Shape &shape, simdjson::dom::element given, Place place, Node &out);

    [[nodiscard]] const std::string &error() const noexcept { return error_; }

private:
    using Element = simdjson::dom::element;

    [[nodiscard]] bool decode_structure(const Shape &shape, Element given, Place place, Node &out);
    [[nodiscard]] bool decode_list(const Shape &shape, Element given, Place place, Node &out);
    [[nodiscard]] bool decode_map(const Shape &shape, Element given, Place place, Node &out);
    [[nodiscard]] bool decode_entries(const Shape &shape, simdjson::dom::object given, Node &out);
    [[nodiscard]] bool decode_blob(const Shape &shape, Element given, Place place, Node &out);
    [[nodiscard]] bool decode_scalar(const Shape &shape, Element given, Place place, Node &out);
    bool finish_attributes(bool decoded, const EncodedAttributes &encoded, Node::Kind kind, Node &out);
    bool reject(const Shape &shape, Element given, Place place);
    template <typename T>
    T *allocate(std::size_t count);

    DecodeBuffers &buffers_;
    std::pmr::memory_resource &arena_;
    AttributeDecoder attributes_;
    std::string error_;
};

} // namespace basalt::protocol

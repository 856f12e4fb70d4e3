// JSON attribute values straight into the encoded item form. Internal to the decoder.
#pragma once

#include "codec/item_encoding.h"
#include "model/item_view.h"
#include "protocol/conversion.h"
#include "protocol/document.h"

#include <simdjson.h>

#include <array>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace basalt::protocol {

/// Buffers that outlive a request.
struct DecodeBuffers {
    std::string encoded;
    std::string bytes; // a decoded blob
    std::vector<std::pair<std::string_view, std::uint32_t>> names;
    std::vector<std::string_view> texts;
    std::vector<model::Decimal> numbers;
    std::optional<codec::ItemWriter> writer; // writes to `encoded`

    /// Gives back the memory of each buffer that holds more than that.
    void release_above(std::size_t kept_bytes);
};

/// Which members of a JSON object count: of members with one name the last.
class RepeatedNames {
public:
    RepeatedNames(simdjson::dom::object object, DecodeBuffers &buffers);
    /// Whether the member at that position is overridden by a later one.
    [[nodiscard]] bool overridden(std::uint32_t position) const;
    [[nodiscard]] std::size_t count() const noexcept { return positions_.size(); }

private:
    std::vector<std::uint32_t> positions_; // sorted
};

/// What one value or map of values became.
struct EncodedAttributes {
    Bytes bytes; // in the arena
    const ValueFault *fault = nullptr;
    bool overlong_name = false;
    std::uint16_t number_spelling = 0; // see Node
};

/// Encodes one tree of values at a time. What is encoded is well-formed even when a fault was found; a faulty value is
/// then written as NULL.
class AttributeDecoder {
public:
    /// short_exponents: as OperationModel.
    AttributeDecoder(DecodeBuffers &buffers, std::pmr::memory_resource &arena, bool short_exponents)
        : buffers_(buffers),
          arena_(arena),
          short_exponents_(short_exponents)
    {}

    /// A bare value. False: wrong type, see error().
    [[nodiscard]] bool decode_value(simdjson::dom::element given, Place place, EncodedAttributes &out);
    /// An item. shape: the map's, for the bound of its names.
    [[nodiscard]] bool decode_item(const Shape &shape, simdjson::dom::object given, EncodedAttributes &out);

    [[nodiscard]] const std::string &error() const noexcept { return error_; }

private:
    using Element = simdjson::dom::element;
    /// The members of one AttributeValue by type; absent ones have no value.
    struct Fields {
        std::array<Element, 11> by_type;
        std::uint32_t present = 0; // bits by type
    };

    void start();
    void finish(EncodedAttributes &out);
    [[nodiscard]] bool write_value(Element given, Place place, int level);
    [[nodiscard]] bool write_typed(model::AttributeType type, Element given, int level);
    [[nodiscard]] bool write_conflicting(const Fields &fields, int level);
    [[nodiscard]] bool write_number(Element given);
    [[nodiscard]] bool write_binary(Element given);
    [[nodiscard]] bool write_boolean(model::AttributeType type, Element given);
    [[nodiscard]] bool write_map(Element given, int level);
    [[nodiscard]] bool write_list(Element given, int level);
    [[nodiscard]] bool write_set(model::AttributeType type, Element given);
    [[nodiscard]] bool write_string_set(simdjson::dom::array given);
    [[nodiscard]] bool write_number_set(simdjson::dom::array given);
    [[nodiscard]] bool write_binary_set(simdjson::dom::array given);
    [[nodiscard]] bool write_members(simdjson::dom::object given, std::int64_t max_name, int level);
    /// Has `write` write a value that is not kept, into a buffer of its own.
    template <typename Write>
    [[nodiscard]] bool write_unkept(Write write);
    [[nodiscard]] bool read_base64(const Shape &shape, Element given, std::string &out);
    bool reject(const Shape &shape, Element given, Place place);
    [[nodiscard]] Result<model::Decimal> parse_number(std::string_view text) const;
    void note_spelling(std::string_view text);
    void add_fault(ValueFault::Kind kind, std::string_view message);
    void write_faulty(ValueFault::Kind kind, std::string_view message);

    DecodeBuffers &buffers_;
    std::pmr::memory_resource &arena_;
    const bool short_exponents_;
    codec::ItemWriter *writer_ = nullptr;
    std::string error_;
    const ValueFault *fault_ = nullptr;
    std::optional<std::string_view> too_deep_; // key of the first value that nests too deeply
    std::string_view key_;                     // the top-level attribute being written
    bool overlong_name_ = false;
    std::uint16_t number_spelling_ = 0;
};

} // namespace basalt::protocol

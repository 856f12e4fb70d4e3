// Writes the item layout that model/item_view.h reads, and counts DynamoDB's item size on the way.
#pragma once

#include "base/bytes.h"
#include "model/decimal.h"
#include "model/item_view.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::codec {

/// Appends one item (or one bare value) to a buffer, front to back. The caller nests begin/end correctly and gives each
/// map unique names; element counts are kept here. Not thread-safe.
///
///   ItemWriter w(buffer);
///   w.begin_item();
///   w.name("pk");  w.string("a");
///   w.name("l");   w.begin_list(); w.boolean(true); w.end();
///   w.end();
class ItemWriter {
public:
    /// Appends behind what out already holds. The buffer must outlive the writer.
    explicit ItemWriter(std::string &out);

    void begin_item();
    void begin_map();
    void begin_list();
    /// type: string_set, number_set or binary_set.
    void begin_set(model::AttributeType type);
    /// Closes the innermost item, map, list or set.
    void end();

    /// Name of the next value of a map or item.
    void name(std::string_view name);
    void string(std::string_view text);
    void number(const model::Decimal &value);
    void binary(Bytes bytes);
    void boolean(bool value);
    void null();
    /// Copies an encoded value.
    void value(model::ValueView value);

    /// Members of a set. A member() of a number set must be canonical text already.
    void member(Bytes text_or_bytes);
    void member(const model::Decimal &value);

private:
    enum class Container : std::uint8_t { item, map, list, set, number_set };

    /// An open container: where its length field stands, how many elements it has, and DynamoDB's size of them so far.
    struct Frame {
        std::size_t at = 0;
        std::uint32_t count = 0;
        std::uint32_t size = 0;
        Container container = Container::item;
    };

    void begin(Container container, model::AttributeType type);
    void open(Container container);
    void add_text(model::AttributeType type, Bytes bytes, std::uint32_t size);
    void add_member(Bytes bytes, std::uint32_t size);
    /// Counts a value of that size in the innermost container, if there is one.
    void account(std::uint32_t size);

    std::string &out_;
    std::vector<Frame> frames_;
};

/// DynamoDB's size of one value: S and B their bytes, N by digits, BOOL and NULL 1, sets the sum of their members,
/// L 3 + sum(1 + element), M 3 + sum(1 + name + value).
[[nodiscard]] std::uint32_t value_size_bytes(model::ValueView value);
/// The same for a number given as canonical text.
[[nodiscard]] std::uint32_t number_size_bytes(std::string_view canonical_text);
/// Sum over attributes of name and value.
[[nodiscard]] std::uint32_t map_size_bytes(model::MapView attributes);

/// Whether bytes are exactly one well-formed item: lengths, counts, types, UTF-8, canonical numbers, names of 1 to
/// kMaxAttributeNameBytes that are unique in their map, size field, at most kMaxNestingLevels maps and lists inside one
/// another. Never reads outside; for bytes of unknown origin.
[[nodiscard]] bool is_valid_item(Bytes bytes);

} // namespace basalt::codec

// A decoded request: a tree of the service model's shapes whose attribute values are already in the encoded form.
//
// The order of checks is visible to clients, so it is a sequence of calls:
//   parse_json        is it JSON at all, and an object?
//   find_operation    is the target an operation of the model?       (service_model.h)
//   decode_input      does every member have the type of its shape?   (SerializationException texts)
//   check_constraints required, lengths, ranges, patterns, enums      (one ValidationException for all failures)
// What is wrong inside an attribute value is not reported by these: it is kept as a ValueFault in the tree, because the
// operations report it at their own place in the order.
#pragma once

#include "basalt/result.h"
#include "base/bytes.h"
#include "model/item_view.h"
#include "protocol/service_model.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>

namespace basalt::protocol {

/// The first thing wrong inside an attribute value or a map of them.
struct ValueFault {
    enum class Kind : std::uint8_t {
        number,     // not a number, too many digits, overflow, underflow; an empty number set or one with duplicates
        duplicates, // in a string or binary set
        other,
    };
    Kind kind = Kind::other;
    std::string_view message; // the service's text for PutItem, with its own prefix where it has one
    std::string_view
        key; // the name of the top-level attribute (or ":v") in whose value it was found; empty in a bare value
};

class Node;
struct NodeEntry;

/// One member, element or map value. Lives in the arena given to decode_input and is trivially destructible.
class Node {
public:
    enum class Kind : std::uint8_t {
        absent, // missing or null
        boolean,
        integer,
        real,
        string,
        blob, // base64 decoded
        list, // of anything but attribute values
        map,  // from string to anything but attribute values
        structure,
        attribute_value, // shape AttributeValue
        attributes,      // map from name to AttributeValue: an encoded item
    };

    [[nodiscard]] Kind kind() const noexcept { return kind_; }
    [[nodiscard]] bool present() const noexcept { return kind_ != Kind::absent; }
    explicit operator bool() const noexcept { return present(); }

    /// Member of a structure by the index generated for its shape (service_members.h); an absent node when it was not
    /// sent. On an absent node: an absent node, so that optional nested structures can be walked.
    [[nodiscard]] const Node &operator[](std::size_t member) const noexcept;

    /// string: text; blob: bytes.
    [[nodiscard]] std::string_view text() const;
    /// The text of a string, or otherwise if absent.
    [[nodiscard]] std::string_view text_or(std::string_view otherwise) const;
    [[nodiscard]] std::int64_t integer() const;
    [[nodiscard]] bool boolean_or(bool otherwise) const;
    [[nodiscard]] double real() const;
    /// list: its elements; absent: empty.
    [[nodiscard]] std::span<const Node> elements() const;
    /// map: its entries in document order, keys unique (a repeated key keeps its last value); absent: empty.
    [[nodiscard]] std::span<const NodeEntry> entries() const;
    /// structure: all members, in the model's order.
    [[nodiscard]] std::span<const Node> members() const;
    /// attribute_value. Meaningless when fault() is set.
    [[nodiscard]] model::ValueView value() const;
    /// attributes: the encoded item, header included. Meaningless when fault() is set.
    [[nodiscard]] model::ItemView item() const;
    /// attribute_value and attributes: what is wrong inside, or null.
    [[nodiscard]] const ValueFault *fault() const noexcept;

    /// attributes: whether a name in it, at any depth, is longer than the model allows.
    [[nodiscard]] bool has_overlong_name() const noexcept { return overlong_name_; }

    /// attributes: a hash (15 bits) of the texts of those numbers in it that were not written in canonical form; 0 if
    /// all were. Tells apart spellings of one number.
    [[nodiscard]] std::uint16_t number_spelling() const noexcept { return number_spelling_; }

private:
    friend class Decoder;

    Kind kind_ = Kind::absent;
    bool overlong_name_ = false;
    std::uint16_t number_spelling_ = 0;
    std::uint32_t count_ = 0; // elements, entries, members or bytes
    union {
        std::int64_t integer_ = 0;
        double real_;
        bool boolean_;
        const char *bytes_;
        const Node *nodes_;
        const NodeEntry *entries_;
    };
    const ValueFault *fault_ = nullptr;
};

struct NodeEntry {
    std::string_view key;
    Node value;
};

/// A JSON parser with its buffers; reused from request to request, one per thread. Buffers that a very large request
/// made are given back.
class JsonParser {
public:
    JsonParser();
    ~JsonParser();
    JsonParser(const JsonParser &) = delete;
    JsonParser &operator=(const JsonParser &) = delete;

    /// Whole-document check: UTF-8, grammar, nothing behind the end, an object at the top. Parsed in place when padding
    /// readable bytes (64 or more) follow the body, else a copy is parsed. What it found is valid until the next parse.
    /// Error: serialization, without a message.
    Result<void> parse(std::string_view body, std::size_t padding);

    /// Decodes what parse() accepted as the input of an operation. Node memory comes from arena; strings may point into
    /// the parser or the body: all three must outlive the tree. Unknown members are skipped. Recursion is bounded.
    /// Error: serialization with the service's text, for the first wrong type in document order.
    Result<Node> decode_input(const OperationModel &operation, std::pmr::memory_resource &arena);

    /// Gives back the buffers that a large request made; call it when a tree is done with. What was parsed is gone
    /// then.
    void release_large_buffers();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// All model constraints of an input in the service's reporting order, at most ten reported; before them, the checks of
/// check_control_table_name where the operation has them. Afterwards every required member is present and no element of
/// a list or map is absent. Error: validation, "N validation error(s) detected: ...".
[[nodiscard]] Result<void> check_constraints(const OperationModel &operation, const Node &input);

} // namespace basalt::protocol

// Request bodies. The first byte chooses the operation, the rest is what a client sent: it is refused with a text or
// decoded into a tree of well-formed values, the same whether it is parsed in place or from a copy.
#include "base/check.h"
#include "codec/item_encoding.h"
#include "codec/utf8.h"
#include "fuzz/copied_item.h"
#include "protocol/document.h"
#include "protocol/json_writer.h"
#include "protocol/service_members.h"
#include "protocol/table_name.h"

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

namespace basalt::fuzz {

namespace {

using protocol::Node;
using protocol::NodeEntry;

constexpr std::size_t kPaddingBytes = 64;
constexpr char kPadding = '"'; // what stands behind a body is not part of it

bool has_empty_name(model::MapView attributes);

bool has_empty_name(model::ValueView value)
{
    if (value.type() == model::AttributeType::map) {
        return has_empty_name(value.map());
    }
    if (value.type() == model::AttributeType::list) {
        for (const model::ValueView element : value.list()) {
            if (has_empty_name(element)) {
                return true;
            }
        }
    }
    return false;
}

bool has_empty_name(model::MapView attributes)
{
    for (const model::Attribute attribute : attributes) {
        if (attribute.name.empty() || has_empty_name(attribute.value)) {
            return true;
        }
    }
    return false;
}

// What is written as a response and sent back is the same item.
void check_written(model::ItemView item)
{
    static protocol::JsonParser parser;
    std::string body = "{\"Item\":";
    protocol::JsonWriter(body).attributes(item.attributes());
    body += "}";
    BASALT_CHECK(parser.parse(body, 0));
    std::pmr::monotonic_buffer_resource arena;
    const auto input = parser.decode_input(*protocol::find_operation("DynamoDB_20120810.PutItem"), arena);
    BASALT_CHECK(input);
    const Node &read = (*input)[protocol::put_item_input::item];
    BASALT_CHECK(read.fault() == nullptr);
    BASALT_CHECK(read.item().bytes() == item.bytes());
}

void check_item(model::ItemView item)
{
    if (!has_empty_name(item.attributes())) {
        BASALT_CHECK(codec::is_valid_item(item.bytes()));
        check_written(item);
    }
    BASALT_CHECK(copied(item) == item.bytes());
}

// Any text could be sent as the name of a table.
void check_table_name(std::string_view text)
{
    const auto table = protocol::parse_table_reference(text);
    if (!table) {
        BASALT_CHECK(table.error().code == ErrorCode::validation);
        BASALT_CHECK(codec::is_utf8(table.error().message));
        return;
    }
    BASALT_CHECK(text.ends_with(table->name));
    BASALT_CHECK(table->region.empty() == !protocol::is_arn(text));
}

// Prints every node, so that two trees can be compared, and checks what it passes.
class Printer {
public:
    [[nodiscard]] const std::string &text() const { return text_; }

    void print(const Node &node)
    {
        text_ += std::to_string(static_cast<int>(node.kind()));
        switch (node.kind()) {
        case Node::Kind::absent:
            return;
        case Node::Kind::boolean:
            text_ += node.boolean_or(false) ? "true" : "false";
            return;
        case Node::Kind::integer:
            text_ += std::to_string(node.integer());
            return;
        case Node::Kind::real:
            text_ += std::to_string(node.real());
            return;
        case Node::Kind::string:
            BASALT_CHECK(codec::is_utf8(node.text()));
            text_ += node.text();
            check_table_name(node.text());
            return;
        case Node::Kind::blob:
            text_ += node.text();
            return;
        case Node::Kind::list:
            return print_all(node.elements());
        case Node::Kind::structure:
            return print_all(node.members());
        case Node::Kind::map:
            return print_entries(node);
        case Node::Kind::attribute_value:
        case Node::Kind::attributes:
            return print_attributes(node);
        }
    }

private:
    void print_all(std::span<const Node> nodes)
    {
        text_ += '[';
        for (const Node &node : nodes) {
            print(node);
            text_ += ',';
        }
        text_ += ']';
    }

    void print_entries(const Node &node)
    {
        text_ += '{';
        for (const NodeEntry &entry : node.entries()) {
            BASALT_CHECK(codec::is_utf8(entry.key));
            text_.append(entry.key).append("=");
            print(entry.value);
        }
        text_ += '}';
    }

    void print_attributes(const Node &node)
    {
        if (const protocol::ValueFault *fault = node.fault()) {
            BASALT_CHECK(!fault->message.empty() && codec::is_utf8(fault->message) && codec::is_utf8(fault->key));
            text_.append(fault->message).append(fault->key);
            return;
        }
        if (node.kind() == Node::Kind::attributes) {
            text_ += node.item().bytes();
            check_item(node.item());
        } else {
            text_ += node.value().bytes();
            check_item(model::ItemView(item_of("v", node.value())));
        }
    }

    std::string text_;
};

std::string outcome(const protocol::OperationModel &operation, std::string_view body, std::size_t padding)
{
    static protocol::JsonParser parser;
    if (!parser.parse(body, padding)) {
        return "not JSON";
    }
    std::pmr::monotonic_buffer_resource arena;
    const auto input = parser.decode_input(operation, arena);
    if (!input) {
        BASALT_CHECK(input.error().code == ErrorCode::serialization);
        BASALT_CHECK(!input.error().message.empty() && codec::is_utf8(input.error().message));
        return input.error().message;
    }
    Printer printer;
    printer.print(*input);
    const auto checked = protocol::check_constraints(operation, *input);
    if (!checked) {
        BASALT_CHECK(checked.error().code == ErrorCode::validation);
        BASALT_CHECK(!checked.error().message.empty() && codec::is_utf8(checked.error().message));
    }
    std::string printed = printer.text() + (checked ? "" : checked.error().message);
    parser.release_large_buffers();
    return printed;
}

} // namespace

} // namespace basalt::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace basalt;
    if (size == 0) {
        return 0;
    }
    const auto operations = protocol::operations();
    const protocol::OperationModel &operation = operations[data[0] % operations.size()];
    const std::string_view body(reinterpret_cast<const char *>(data) + 1, size - 1);
    const std::string copied = fuzz::outcome(operation, body, 0);

    std::string padded(body);
    padded.append(fuzz::kPaddingBytes, fuzz::kPadding);
    const std::string in_place =
        fuzz::outcome(operation, std::string_view(padded).substr(0, body.size()), fuzz::kPaddingBytes);
    BASALT_CHECK(copied == in_place);
    return 0;
}

// Writes items front to back; lengths, counts and sizes are filled in when a container closes.
#include "codec/item_encoding.h"

#include "base/check.h"

#include <array>
#include <cstring>
#include <limits>

namespace basalt::codec {

namespace {

using model::AttributeType;

constexpr char kItemFormat = 1;
// length:u32 count:u32
constexpr std::size_t kContainerHeaderBytes = 8;

void write_u32(std::string &out, std::size_t at, std::uint32_t value)
{
    std::memcpy(out.data() + at, &value, sizeof value);
}

// type (0: none) and a varint before the bytes, with one append for both.
void append_text(std::string &out, std::uint8_t type, Bytes bytes)
{
    BASALT_CHECK(bytes.size() <= std::numeric_limits<std::uint32_t>::max());
    std::array<char, 6> head;
    std::size_t used = 0;
    if (type != 0) {
        head[used++] = static_cast<char>(type);
    }
    auto length = static_cast<std::uint32_t>(bytes.size());
    for (; length >= 0x80; length >>= 7U) {
        head[used++] = static_cast<char>(length | 0x80U);
    }
    head[used++] = static_cast<char>(length);
    out.append(head.data(), used);
    out.append(bytes);
}

} // namespace

ItemWriter::ItemWriter(std::string &out)
    : out_(out)
{}

void ItemWriter::begin_item()
{
    BASALT_CHECK(frames_.empty());
    out_.push_back(kItemFormat);
    out_.append(sizeof(std::uint32_t), '\0');
    open(Container::item);
}

void ItemWriter::begin_map()
{
    begin(Container::map, AttributeType::map);
}

void ItemWriter::begin_list()
{
    begin(Container::list, AttributeType::list);
}

void ItemWriter::begin_set(AttributeType type)
{
    BASALT_CHECK(type == AttributeType::string_set || type == AttributeType::number_set ||
                 type == AttributeType::binary_set);
    begin(type == AttributeType::number_set ? Container::number_set : Container::set, type);
}

void ItemWriter::begin(Container container, AttributeType type)
{
    out_.push_back(static_cast<char>(type));
    open(container);
}

void ItemWriter::open(Container container)
{
    frames_.push_back(Frame{.at = out_.size(), .container = container});
    out_.append(kContainerHeaderBytes, '\0');
}

void ItemWriter::end()
{
    BASALT_CHECK(!frames_.empty());
    const Frame frame = frames_.back();
    frames_.pop_back();
    const std::size_t length = out_.size() - frame.at - kContainerHeaderBytes;
    BASALT_CHECK(length <= std::numeric_limits<std::uint32_t>::max());
    write_u32(out_, frame.at, static_cast<std::uint32_t>(length));
    write_u32(out_, frame.at + sizeof(std::uint32_t), frame.count);
    switch (frame.container) {
    case Container::item:
        write_u32(out_, frame.at - sizeof(std::uint32_t), frame.size);
        break;
    case Container::map:
    case Container::list:
        account(3 + frame.count + frame.size);
        break;
    case Container::set:
    case Container::number_set:
        account(frame.size);
        break;
    }
}

void ItemWriter::name(std::string_view name)
{
    BASALT_CHECK(!frames_.empty());
    append_text(out_, 0, name);
    frames_.back().size += static_cast<std::uint32_t>(name.size());
}

void ItemWriter::string(std::string_view text)
{
    add_text(AttributeType::string, text, static_cast<std::uint32_t>(text.size()));
}

void ItemWriter::number(const model::Decimal &value)
{
    std::array<char, model::Decimal::kMaxTextBytes> text;
    add_text(AttributeType::number, Bytes(text.data(), value.write_text(text.data())), value.size_bytes());
}

void ItemWriter::binary(Bytes bytes)
{
    add_text(AttributeType::binary, bytes, static_cast<std::uint32_t>(bytes.size()));
}

void ItemWriter::boolean(bool value)
{
    out_.push_back(static_cast<char>(AttributeType::boolean));
    out_.push_back(value ? '\1' : '\0');
    account(1);
}

void ItemWriter::null()
{
    out_.push_back(static_cast<char>(AttributeType::null));
    account(1);
}

void ItemWriter::value(model::ValueView value)
{
    out_.append(value.bytes());
    if (!frames_.empty()) {
        account(value_size_bytes(value));
    }
}

void ItemWriter::member(Bytes text_or_bytes)
{
    BASALT_CHECK(!frames_.empty());
    add_member(text_or_bytes, frames_.back().container == Container::number_set
                                  ? number_size_bytes(text_or_bytes)
                                  : static_cast<std::uint32_t>(text_or_bytes.size()));
}

void ItemWriter::member(const model::Decimal &value)
{
    std::array<char, model::Decimal::kMaxTextBytes> text;
    add_member(Bytes(text.data(), value.write_text(text.data())), value.size_bytes());
}

void ItemWriter::add_text(AttributeType type, Bytes bytes, std::uint32_t size)
{
    append_text(out_, static_cast<std::uint8_t>(type), bytes);
    account(size);
}

void ItemWriter::add_member(Bytes bytes, std::uint32_t size)
{
    append_text(out_, 0, bytes);
    account(size);
}

void ItemWriter::account(std::uint32_t size)
{
    if (!frames_.empty()) {
        frames_.back().size += size;
        ++frames_.back().count;
    }
}

} // namespace basalt::codec

// Bytes of unknown origin as an item, as a table description, as a numeric key and as the text of a number; and as
// orders to a writer of items or table descriptions, whose bytes are then damaged in one place.
#include "base/check.h"
#include "codec/item_encoding.h"
#include "codec/key_encoding.h"
#include "codec/table_encoding.h"
#include "fuzz/copied_item.h"
#include "fuzz/ordered_item.h"
#include "fuzz/ordered_table.h"
#include "model/decimal.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace basalt::fuzz {

namespace {

// S, N and B can be keys.
void check_key_part(model::ValueView value)
{
    if (value.type() > model::AttributeType::binary) {
        return;
    }
    std::string part;
    codec::append_key_part(value, part);
    BASALT_CHECK(codec::partition_hash(part) == codec::partition_hash(part));
    if (value.type() == model::AttributeType::number) {
        const auto number = codec::decode_number_part(part);
        BASALT_CHECK(number && number->to_string() == value.text());
    } else {
        BASALT_CHECK(part == value.text());
    }
}

void check_item(Bytes bytes)
{
    if (!codec::is_valid_item(bytes)) {
        return;
    }
    const model::ItemView item(bytes);
    BASALT_CHECK(copied(item) == bytes);
    BASALT_CHECK(codec::map_size_bytes(item.attributes()) == item.size_bytes());
    std::uint32_t count = 0;
    for (const model::Attribute attribute : item.attributes()) {
        ++count;
        const auto found = item.find(attribute.name);
        BASALT_CHECK(found && found->bytes() == attribute.value.bytes());
        BASALT_CHECK(codec::is_valid_item(item_of(attribute.name, attribute.value)));
        check_key_part(attribute.value);
    }
    BASALT_CHECK(count == item.attributes().count());

    const auto table = codec::decode_table(bytes);
    if (table) {
        const std::string encoded = codec::encode_table(*table);
        const auto again = codec::decode_table(encoded);
        BASALT_CHECK(again && codec::encode_table(*again) == encoded);
    }
}

void check_number_part(Bytes part)
{
    const auto number = codec::decode_number_part(part);
    if (!number) {
        return;
    }
    std::string written;
    codec::append_number_part(*number, written);
    BASALT_CHECK(written == part);
}

void check_number_text(std::string_view text)
{
    const auto number = model::Decimal::parse(text);
    if (!number) {
        BASALT_CHECK(!number.error().message.empty());
        return;
    }
    const std::string canonical = number->to_string();
    BASALT_CHECK(canonical.size() <= model::Decimal::kMaxTextBytes);
    const auto again = model::Decimal::parse(canonical);
    BASALT_CHECK(again && *again == *number && again->to_string() == canonical);
    BASALT_CHECK(number->size_bytes() == codec::number_size_bytes(canonical));

    std::string part;
    codec::append_number_part(*number, part);
    const auto decoded = codec::decode_number_part(part);
    BASALT_CHECK(decoded && *decoded == *number);
}

// Two texts divided by a space: order, sum and difference agree with one another and with the order of the keys.
void check_number_pair(std::string_view text)
{
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) {
        return;
    }
    const auto left = model::Decimal::parse(text.substr(0, space));
    const auto right = model::Decimal::parse(text.substr(space + 1));
    if (!left || !right) {
        return;
    }
    std::string left_part;
    std::string right_part;
    codec::append_number_part(*left, left_part);
    codec::append_number_part(*right, right_part);
    BASALT_CHECK((*left <=> *right) == (left_part <=> right_part));

    const auto sum = left->add(*right);
    const auto swapped = right->add(*left);
    BASALT_CHECK(sum.has_value() == swapped.has_value());
    if (sum) {
        BASALT_CHECK(*sum == *swapped);
        const auto back = sum->subtract(*right);
        BASALT_CHECK(!back || *back == *left);
    }
    const auto difference = left->subtract(*right);
    const auto reversed = right->subtract(*left);
    BASALT_CHECK(difference.has_value() == reversed.has_value());
    if (difference) {
        BASALT_CHECK(difference->is_zero() == (*left == *right));
        BASALT_CHECK(difference->is_negative() == (*left < *right));
        BASALT_CHECK(reversed->coefficient() == difference->coefficient());
    }
}

void check_damaged(std::string bytes, std::size_t place, char damage)
{
    char &damaged = bytes[place % bytes.size()];
    damaged = static_cast<char>(damaged ^ damage);
    check_item(bytes);
}

void check_written(Bytes bytes)
{
    Orders orders(bytes);
    const std::size_t place = std::size_t{orders.byte()} << 8U | orders.byte();
    const auto damage = static_cast<char>(orders.byte());
    if (orders.flag()) {
        const std::string table = codec::encode_table(ordered_table(orders));
        const auto decoded = codec::decode_table(table);
        BASALT_CHECK(decoded && codec::encode_table(*decoded) == table);
        check_item(table);
        check_damaged(table, place, damage);
    } else {
        const std::string item = ordered_item(orders);
        BASALT_CHECK(codec::is_valid_item(item));
        check_item(item);
        check_damaged(item, place, damage);
    }
}

} // namespace

} // namespace basalt::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    basalt::fuzz::check_item(bytes);
    basalt::fuzz::check_number_part(bytes);
    basalt::fuzz::check_number_text(bytes);
    basalt::fuzz::check_number_pair(bytes);
    basalt::fuzz::check_written(bytes);
    return 0;
}

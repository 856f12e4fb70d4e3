// The written layout byte for byte, and random items written, read back and measured.
#include "codec/item_encoding.h"
#include "unit/codec/random_items.h"

#include <gtest/gtest.h>

namespace basalt::codec {
namespace {

using namespace std::string_literals;
using model::AttributeType;
using testing::Node;

TEST(ItemEncoding, WritesTheDocumentedBytes)
{
    std::string bytes = "before";
    ItemWriter writer(bytes);
    writer.begin_item();
    writer.name("pk");
    writer.string("a");
    writer.name("n");
    writer.number(model::Decimal(-10));
    writer.name("l");
    writer.begin_list();
    writer.boolean(true);
    writer.null();
    writer.begin_map();
    writer.name("b");
    writer.binary("\0"s);
    writer.end();
    writer.end();
    writer.name("s");
    writer.begin_set(AttributeType::number_set);
    writer.member(model::Decimal(2));
    writer.member("0.5");
    writer.end();
    writer.end();

    const std::string map = "\6\5\0\0\0\1\0\0\0\1b\3\1\0"s;
    const std::string list = "\7\x11\0\0\0\3\0\0\0\4\1\5"s + map;
    const std::string set = "\x9\6\0\0\0\2\0\0\0\1"s + "2\3"s + "0.5";
    const std::string entries = "\2pk\1\1a"s + "\1n\2\3-10"s + "\1l"s + list + "\1s"s + set;
    ASSERT_EQ(entries.size(), 58U);
    // pk 2 + 1, n 1 + 3, l 1 + (3 + 1+1 + 1+1 + 1+(3 + 1+1+1)), s 1 + 2 + 2: 27 bytes.
    EXPECT_EQ(bytes, "before\1\x1B\0\0\0\x3A\0\0\0\4\0\0\0"s + entries);
}

TEST(ItemEncoding, RoundTripsRandomItems)
{
    constexpr std::uint64_t kSeed = 4711;
    SCOPED_TRACE(kSeed);
    testing::RandomItems random(kSeed);
    for (int i = 0; i < 3000; ++i) {
        const Node item = random.item();
        const std::string bytes = testing::encode_item(item);
        const model::ItemView view{Bytes(bytes)};
        ASSERT_EQ(testing::decode_map(view.attributes()), item);
        ASSERT_EQ(view.attributes().count(), item.entries.size());
        for (const auto &[name, value] : item.entries) {
            ASSERT_EQ(testing::decode_value(view.find(name).value()), value);
        }
        ASSERT_EQ(view.find("no such name, ever"), std::nullopt);
    }
}

TEST(ItemEncoding, CountsTheSizeOfTheService)
{
    constexpr std::uint64_t kSeed = 99;
    SCOPED_TRACE(kSeed);
    testing::RandomItems random(kSeed);
    for (int i = 0; i < 3000; ++i) {
        const Node item = random.item();
        const std::string bytes = testing::encode_item(item);
        const model::ItemView view{Bytes(bytes)};
        ASSERT_EQ(view.size_bytes(), testing::obvious_item_size(item));
        ASSERT_EQ(map_size_bytes(view.attributes()), view.size_bytes());
        for (const auto &[name, value] : item.entries) {
            ASSERT_EQ(value_size_bytes(view.find(name).value()), testing::obvious_size(value));
        }
    }
}

TEST(ItemEncoding, CopiesValues)
{
    constexpr std::uint64_t kSeed = 5;
    SCOPED_TRACE(kSeed);
    testing::RandomItems random(kSeed);
    for (int i = 0; i < 500; ++i) {
        const std::string bytes = testing::encode_item(random.item());
        std::string copy;
        ItemWriter writer(copy);
        writer.begin_item();
        for (const model::Attribute attribute : model::ItemView(bytes).attributes()) {
            writer.name(attribute.name);
            writer.value(attribute.value);
        }
        writer.end();
        ASSERT_EQ(copy, bytes);
    }
}

TEST(ItemEncoding, WritesBareValues)
{
    std::string bytes;
    ItemWriter writer(bytes);
    writer.string("x");
    EXPECT_EQ(bytes, "\1\1x");
    const std::string first = bytes;
    writer.value(model::ValueView(first));
    EXPECT_EQ(bytes, "\1\1x\1\1x");
}

TEST(ItemEncodingDeathTest, AnUnopenedContainerDoesNotClose)
{
    std::string bytes;
    ItemWriter writer(bytes);
    EXPECT_DEATH(writer.end(), "broken invariant");
    EXPECT_DEATH(writer.name("a"), "broken invariant");
    EXPECT_DEATH(writer.begin_set(AttributeType::list), "broken invariant");
}

} // namespace
} // namespace basalt::codec

// What is_valid_item takes and refuses, with mutated bytes in blocks of their exact size.
#include "codec/utf8.h"
#include "model/limits.h"
#include "unit/codec/random_items.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

namespace basalt::codec {
namespace {

using namespace std::string_literals;
using model::AttributeType;
using testing::Node;

// In a heap block of exactly that size, so that a sanitizer sees every read outside.
bool is_valid(const std::string &bytes)
{
    const auto block = std::make_unique<char[]>(bytes.size());
    std::memcpy(block.get(), bytes.data(), bytes.size());
    const Bytes exact(block.get(), bytes.size());
    if (!is_valid_item(exact)) {
        return false;
    }
    // What is accepted can be walked to the end.
    const model::ItemView item(exact);
    EXPECT_EQ(testing::obvious_item_size(testing::decode_map(item.attributes())), item.size_bytes());
    return true;
}

std::string u32(std::size_t value)
{
    std::string bytes;
    for (unsigned i = 0; i < 4; ++i) {
        bytes.push_back(static_cast<char>(value >> (8 * i)));
    }
    return bytes;
}

// An item with one attribute "a".
std::string item_of(const std::string &value, std::size_t value_size)
{
    const std::string entries = "\1a" + value;
    return "\1" + u32(1 + value_size) + u32(entries.size()) + u32(1) + entries;
}

std::string number_of(const std::string &text, std::size_t size)
{
    return item_of("\2" + std::string(1, static_cast<char>(text.size())) + text, size);
}

// A null inside that many lists or maps.
Node nested(int levels, AttributeType type)
{
    Node node;
    for (int i = 0; i < levels; ++i) {
        Node outer;
        outer.type = type;
        if (type == AttributeType::list) {
            outer.elements.push_back(std::move(node));
        } else {
            outer.entries.emplace_back("m", std::move(node));
        }
        node = std::move(outer);
    }
    return node;
}

TEST(ItemValidation, AcceptsWhatTheWriterWrites)
{
    constexpr std::uint64_t kSeed = 12;
    SCOPED_TRACE(kSeed);
    testing::RandomItems random(kSeed);
    for (int i = 0; i < 2000; ++i) {
        ASSERT_TRUE(is_valid(testing::encode_item(random.item())));
    }
    EXPECT_TRUE(is_valid(testing::encode_item(Node())));
}

TEST(ItemValidation, RefusesEveryOtherLength)
{
    testing::RandomItems random(3);
    for (int i = 0; i < 100; ++i) {
        std::string bytes = testing::encode_item(random.item(2));
        bytes.resize(std::min<std::size_t>(bytes.size(), 1000));
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            ASSERT_FALSE(is_valid(bytes.substr(0, length)));
        }
        ASSERT_FALSE(is_valid(bytes + '\0'));
    }
}

TEST(ItemValidation, SurvivesMutations)
{
    constexpr std::uint64_t kSeed = 2718;
    SCOPED_TRACE(kSeed);
    testing::RandomItems random(kSeed);
    int accepted = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string bytes = testing::encode_item(random.item(3));
        for (std::size_t changes = 1 + random.below(4); changes != 0; --changes) {
            const std::size_t at = random.below(bytes.size());
            switch (random.below(5)) {
            case 0:
                bytes[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
                break;
            case 2:
                bytes[at] = static_cast<char>(random.below(11));
                break;
            case 3:
                bytes.insert(at, 1, static_cast<char>(random.below(256)));
                break;
            default:
                bytes.erase(at, 1 + random.below(3));
                bytes += bytes.empty() ? "\1" : "";
            }
        }
        accepted += is_valid(bytes) ? 1 : 0;
    }
    // Changed letters and bytes inside values stay well-formed; changed structure does not.
    EXPECT_GT(accepted, 100);
    EXPECT_LT(accepted, 10'000);
}

TEST(ItemValidation, RefusesWhatTheLayoutForbids)
{
    const std::string good = item_of("\1\1x", 1);
    ASSERT_TRUE(is_valid(good));
    EXPECT_FALSE(is_valid("\2" + good.substr(1))) << "format";
    EXPECT_FALSE(is_valid(item_of("\1\1x", 2))) << "size field";
    EXPECT_FALSE(is_valid(item_of("\0\1x"s, 1))) << "type 0";
    EXPECT_FALSE(is_valid(item_of("\x0B\1x"s, 1))) << "type 11";
    EXPECT_FALSE(is_valid(item_of("\4\2"s, 1))) << "BOOL 2";
    EXPECT_TRUE(is_valid(item_of("\4\1"s, 1)));
    EXPECT_FALSE(is_valid(item_of("\1\x81\0x"s, 1))) << "length longer than need be";
    EXPECT_FALSE(is_valid(item_of("\1\xFF\xFF\xFF\xFF\xFFx"s, 1))) << "length of five continued bytes";
    EXPECT_FALSE(is_valid(item_of("\1\xFF\xFF\xFF\xFF\x0Fx"s, 1))) << "length past the end";
    EXPECT_FALSE(is_valid(item_of("\1\1\xff"s, 1))) << "UTF-8 of a string";
    EXPECT_TRUE(is_valid(item_of("\3\1\xff"s, 1)));
    EXPECT_FALSE(is_valid(item_of("\x8"s + u32(2) + u32(1) + "\1\xff"s, 1))) << "UTF-8 of a set member";
    EXPECT_FALSE(is_valid(item_of("\7"s + u32(1) + u32(2) + "\5"s, 5))) << "count of a list";
    EXPECT_FALSE(is_valid(item_of("\x8"s + u32(2) + u32(2) + "\1x"s, 1))) << "count of a set";
    EXPECT_FALSE(is_valid(item_of("\7"s + u32(9) + u32(1) + "\5"s, 5))) << "length of a list";

    const auto entries = [](const std::string &bytes, std::size_t count, std::size_t size) {
        return "\1" + u32(size) + u32(bytes.size()) + u32(count) + bytes;
    };
    EXPECT_TRUE(is_valid(entries("\1a\5\1b\5"s, 2, 4)));
    EXPECT_FALSE(is_valid(entries("\1a\5\1b\5"s, 3, 4))) << "count of a map";
    EXPECT_FALSE(is_valid(entries("\1a\5\1a\5"s, 2, 4))) << "a name twice";
    EXPECT_FALSE(is_valid(entries("\0\5"s, 1, 1))) << "an empty name";
    EXPECT_FALSE(is_valid(entries("\1\xC0\5"s, 1, 2))) << "UTF-8 of a name";
    const std::string longest(65'535, 'n');
    EXPECT_TRUE(is_valid(entries("\xFF\xFF\x03"s + longest + "\5", 1, 65'536)));
    EXPECT_FALSE(is_valid(entries("\x80\x80\x04"s + longest + "n\5", 1, 65'537))) << "a name of 65,536 bytes";
}

TEST(ItemValidation, RefusesNumbersThatAreNotCanonical)
{
    EXPECT_TRUE(is_valid(number_of("-12.5", 4)));
    EXPECT_TRUE(is_valid(number_of("0", 1)));
    for (const char *text :
         {"", "-0", "+1", "01", "1.0", ".5", "5.", "1e2", "abc", " 1", "123456789012345678901234567890123456789"}) {
        for (std::size_t size = 0; size < 25; ++size) {
            EXPECT_FALSE(is_valid(number_of(text, size))) << text;
        }
    }
    const std::string set = "\x9"s + u32(4) + u32(1) + "\3"s;
    EXPECT_TRUE(is_valid(item_of(set + "100", 2)));
    EXPECT_FALSE(is_valid(item_of(set + "1.0", 2)));
}

TEST(ItemValidation, BoundsNesting)
{
    for (const AttributeType type : {AttributeType::list, AttributeType::map}) {
        Node item;
        item.type = AttributeType::map;
        item.entries.emplace_back("a", nested(model::kMaxNestingLevels, type));
        EXPECT_TRUE(is_valid(testing::encode_item(item)));
        item.entries.front().second = nested(model::kMaxNestingLevels + 1, type);
        EXPECT_FALSE(is_valid(testing::encode_item(item)));
        item.entries.front().second = nested(2000, type);
        EXPECT_FALSE(is_valid(testing::encode_item(item)));
    }
}

TEST(Utf8, FollowsUnicode)
{
    for (const std::string &text : {""s, "plain ascii, longer than a word"s, "\0"s, "\x7F"s, "\xC2\x80"s, "\xDF\xBF"s,
                                    "\xE0\xA0\x80"s, "\xED\x9F\xBF"s, "\xEE\x80\x80"s, "\xEF\xBF\xBF"s,
                                    "\xF0\x90\x80\x80"s, "\xF4\x8F\xBF\xBF"s, "sevenby\xC3\xA4seven"s}) {
        EXPECT_TRUE(is_utf8(text)) << ::testing::PrintToString(text);
    }
    for (const std::string &text :
         {"\x80"s, "\xBF"s, "\xC0\x80"s, "\xC1\xBF"s, "\xC2"s, "\xC2\x41"s, "\xE0\x9F\xBF"s, "\xE0\xA0"s,
          "\xED\xA0\x80"s, "\xED\xBF\xBF"s, "\xF0\x8F\xBF\xBF"s, "\xF4\x90\x80\x80"s, "\xF5\x80\x80\x80"s, "\xFF"s,
          "\xF0\x90\x80"s, "\xE1\x80\xC0"s, "\xF1\x80\x80\x41"s, "sevenby\xC3"s, "eight by\xE4"s}) {
        EXPECT_FALSE(is_utf8(text)) << ::testing::PrintToString(text);
    }
}

} // namespace
} // namespace basalt::codec

// Key parts keep the order of values and decode; the partition hash is the service's.
#include "codec/key_encoding.h"
#include "unit/codec/random_items.h"
#include "unit/model/random_decimals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <string>
#include <utility>
#include <vector>

namespace basalt::codec {
namespace {

using namespace std::string_literals;
using model::AttributeType;
using model::Decimal;

Decimal number(const std::string &text)
{
    return Decimal::parse(text).value();
}

std::string part_of(const Decimal &value)
{
    std::string part;
    append_number_part(value, part);
    return part;
}

std::string part_of(const std::string &number_text)
{
    return part_of(number(number_text));
}

// The part of an S, N or B value.
std::string part_of(AttributeType type, const std::string &text)
{
    std::string value;
    ItemWriter writer(value);
    if (type == AttributeType::string) {
        writer.string(text);
    } else if (type == AttributeType::binary) {
        writer.binary(text);
    } else {
        writer.number(number(text));
    }
    std::string part;
    append_key_part(model::ValueView(value), part);
    return part;
}

std::string nines(std::size_t count)
{
    return std::string(count, '9');
}

TEST(KeyEncoding, WritesTheDocumentedNumberBytes)
{
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"0", "\x80"s},
        {"1", "\xC1\x02"s},
        {"10", "\xC1\x0B"s},
        {"99", "\xC1\x64"s},
        {"100", "\xC2\x02"s},
        {"123.4", "\xC2\x02\x18\x29"s},
        {"0.5", "\xC0\x33"s},
        {"0.05", "\xC0\x06"s},
        {"0.005", "\xBF\x33"s},
        {"1e-130", "\x80\x02"s},
        {"1e125", "\xFF\x0B"s},
        {"-1", "\x3E\x64\x66"s},
        {"-123.4", "\x3D\x64\x4E\x3D\x66"s},
        {"-1e125", "\x00\x5B\x66"s},
        {"-1e-130", "\x7F\x64\x66"s},
        {nines(38), "\xD3"s + std::string(19, '\x64')},
        {"-" + nines(38), "\x2C"s + std::string(19, '\x02') + "\x66"},
        {nines(37) + ".9", "\xD3\x0A"s + std::string(18, '\x64') + "\x5B"},
        {"-" + nines(37) + ".9", "\x2C\x5C"s + std::string(18, '\x02') + "\x0B"},
    };
    for (const auto &[text, bytes] : cases) {
        EXPECT_EQ(part_of(text), bytes) << text;
        EXPECT_EQ(part_of(AttributeType::number, text), bytes) << text;
    }
}

TEST(KeyEncoding, NumberPartsSortByValue)
{
    constexpr std::uint64_t kSeed = 130'125;
    SCOPED_TRACE(kSeed);
    model::testing::RandomDecimals random(kSeed);
    std::vector<Decimal> values = {Decimal(), number("1e-130"), number("-1e-130"), number(nines(38) + "e88"),
                                   number("-" + nines(38) + "e88")};
    for (int i = 0; i < 30'000; ++i) {
        values.push_back(random.next());
    }
    std::sort(values.begin(), values.end());
    for (std::size_t i = 1; i < values.size(); ++i) {
        const std::string left = part_of(values[i - 1]);
        const std::string right = part_of(values[i]);
        ASSERT_EQ(left <=> right, values[i - 1] <=> values[i])
            << values[i - 1].to_string() << " and " << values[i].to_string();
    }
}

// Close neighbours: the same digits cut short, changed at the end or moved by one power of ten.
TEST(KeyEncoding, NeighbouringNumbersSortByValue)
{
    constexpr std::uint64_t kSeed = 7;
    SCOPED_TRACE(kSeed);
    model::testing::RandomDecimals random(kSeed);
    for (int i = 0; i < 20'000; ++i) {
        const std::string digits = random.digits();
        const std::string sign = random.below(2) == 0 ? "-" : "";
        const int magnitude = random.magnitude();
        const auto spelled = [&sign](const std::string &all, int power) {
            return number(sign + all.substr(0, 1) + "." + all.substr(1) + "0e" + std::to_string(power));
        };
        const Decimal value = spelled(digits, magnitude);
        std::vector<Decimal> others = {spelled(digits.substr(0, 1 + random.below(digits.size())), magnitude),
                                       spelled(digits, std::min(magnitude + 1, Decimal::kMaxMagnitude))};
        std::string changed = digits;
        changed[random.below(digits.size())] = static_cast<char>('1' + random.below(9));
        others.push_back(spelled(changed, magnitude));
        for (const Decimal &other : others) {
            ASSERT_EQ(Bytes(part_of(value)) <=> Bytes(part_of(other)), value <=> other)
                << value.to_string() << " and " << other.to_string();
        }
    }
}

TEST(KeyEncoding, NumberPartsDecode)
{
    constexpr std::uint64_t kSeed = 8;
    SCOPED_TRACE(kSeed);
    model::testing::RandomDecimals random(kSeed);
    for (int i = 0; i < 30'000; ++i) {
        const Decimal value = random.next();
        const auto decoded = decode_number_part(part_of(value));
        ASSERT_TRUE(decoded.has_value()) << value.to_string();
        ASSERT_EQ(*decoded, value) << value.to_string();
    }
}

// Each number has one part: whatever decodes is what the number encodes to.
TEST(KeyEncoding, OnlyNumberPartsDecode)
{
    constexpr std::uint64_t kSeed = 9;
    SCOPED_TRACE(kSeed);
    model::testing::RandomDecimals random(kSeed);
    int decoded_count = 0;
    for (int i = 0; i < 100'000; ++i) {
        std::string part = part_of(random.next());
        const std::size_t at = random.below(part.size());
        switch (random.below(4)) {
        case 0:
            part[at] = static_cast<char>(random.below(256));
            break;
        case 1:
            part.insert(at, 1, static_cast<char>(random.below(104)));
            break;
        case 2:
            part.erase(at, 1);
            break;
        default:
            part.push_back(static_cast<char>(random.below(104)));
        }
        const auto decoded = decode_number_part(part);
        if (decoded) {
            ++decoded_count;
            ASSERT_EQ(part_of(*decoded), part);
        } else {
            ASSERT_EQ(decoded.error().code, ErrorCode::corruption);
        }
    }
    EXPECT_GT(decoded_count, 1000);
    for (const std::string &part :
         {""s, "\x80\x01"s, "\xC1"s, "\x3E"s, "\x3E\x66"s, "\x3E\x64"s, "\xC1\x01\x02"s, "\xC1\x02\x01"s, "\xC1\x66"s,
          "\xC1" + std::string(20, '\x02'), "\xC1" + std::string(21, '\x02')}) {
        EXPECT_FALSE(decode_number_part(part).has_value()) << ::testing::PrintToString(part);
    }
}

TEST(KeyEncoding, StringAndBinaryPartsAreTheirBytes)
{
    constexpr std::uint64_t kSeed = 10;
    SCOPED_TRACE(kSeed);
    testing::RandomItems random(kSeed);
    for (int i = 0; i < 2000; ++i) {
        const std::string text = random.utf8(20);
        ASSERT_EQ(part_of(AttributeType::string, text), text);
        const std::string left = part_of(AttributeType::binary, random.bytes(4));
        const std::string right = part_of(AttributeType::binary, random.bytes(4));
        const bool less =
            std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(), [](char a, char b) {
                return static_cast<unsigned char>(a) < static_cast<unsigned char>(b);
            });
        ASSERT_EQ(left < right, less);
    }
}

TEST(KeyEncodingDeathTest, OtherTypesAbort)
{
    std::string part;
    EXPECT_DEATH(append_key_part(model::ValueView("\5"), part), "broken invariant");
}

std::uint64_t hash_of(AttributeType type, const std::string &text)
{
    return partition_hash(part_of(type, text));
}

TEST(PartitionHash, IsTheFirstHalfOfTheDigest)
{
    // md5sum of "Outliers", "Outliersa" and "Outliers" followed by 200 times "x".
    EXPECT_EQ(partition_hash(""), 0x65A4C05294BE8932U);
    EXPECT_EQ(partition_hash("a"), 0xF6558E516275DEE2U);
    EXPECT_EQ(partition_hash(std::string(200, 'x')), 0x06B51BC5248845A0U);
}

// The orders in which the service scans these keys.
TEST(PartitionHash, OrdersPartitionsAsTheServiceDoes)
{
    const std::vector<std::pair<AttributeType, std::vector<std::string>>> orders = {
        {AttributeType::string,
         {"2", "8", "9", "1", "6", "hello", "0", "5", "4", "\u00e4\u00e1\u00f6\u00fc", "aardman", "7", "3", "zapf"}},
        {AttributeType::number,
         {"7", "999.9", "8", "3", "2", "-999.9", "9", "4", "-0.09", "6", "1", "0", "0.012345", "5"}},
    };
    for (const auto &[type, keys] : orders) {
        for (std::size_t i = 1; i < keys.size(); ++i) {
            EXPECT_LT(hash_of(type, keys[i - 1]), hash_of(type, keys[i])) << keys[i - 1] << " before " << keys[i];
        }
    }
}

// Where the service puts these keys when a Scan has 4096 segments.
TEST(PartitionHash, DecidesTheSegment)
{
    const auto segment = [](AttributeType type, const std::string &text) { return hash_of(type, text) >> 52U; };
    EXPECT_EQ(segment(AttributeType::string, "3635"), 0U);
    EXPECT_EQ(segment(AttributeType::string, "228"), 0U);
    EXPECT_EQ(segment(AttributeType::string, "1668"), 1U);
    EXPECT_EQ(segment(AttributeType::string, "3435"), 4U);
    EXPECT_EQ(segment(AttributeType::number, "251"), 1U);
    EXPECT_EQ(segment(AttributeType::number, "2388"), 4095U);
}

} // namespace
} // namespace basalt::codec

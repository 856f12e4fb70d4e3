#include "storage/row_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace basalt::storage {
namespace {

using namespace std::string_literals;

constexpr KeyspaceId kKeyspace = make_keyspace_id(KeyspaceKind::items, 0x0ABBCCD);

std::string row_key(const Key &key, KeyspaceId keyspace = kKeyspace)
{
    std::string out;
    append_row_key(keyspace, key, out);
    return out;
}

TEST(RowKey, HasTheLayoutOnDisk)
{
    EXPECT_EQ(row_key({0x0102030405060708, "a\0b"s, "", ""}), "\x10\xAB\xBC\xCD\x01\x02\x03\x04\x05\x06\x07\x08"
                                                              "a\0\xFF"
                                                              "b\0\x01"
                                                              "\0\x01"s);
    EXPECT_EQ(row_key({~std::uint64_t{0}, "", "s", "tail\0"s}), "\x10\xAB\xBC\xCD\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"
                                                                "\0\x01"
                                                                "s\0\x01"
                                                                "tail\0"s);
}

TEST(RowKey, IsAppended)
{
    std::string out = "before";
    append_row_key(kKeyspace, {1, "p"}, out);
    EXPECT_EQ(out, "before" + row_key({1, "p"}));
}

TEST(RowKey, OrdersAsItsPartsDo)
{
    using Parts = std::tuple<std::uint64_t, std::string, std::string, std::string>;
    std::mt19937 random(17);
    const auto part = [&] {
        static constexpr char kBytes[] = {'\x00', '\x01', '\x02', 'a', '\xFE', '\xFF'};
        std::string out;
        for (auto length = random() % 4; length > 0; --length) {
            out.push_back(kBytes[random() % sizeof(kBytes)]);
        }
        return out;
    };
    std::vector<Parts> rows;
    for (int i = 0; i < 500; ++i) {
        rows.emplace_back(random() % 3 == 0 ? random() % 3 : ~std::uint64_t{0} - random() % 3, part(), part(), part());
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto key = [](const Parts &parts) {
            return row_key({std::get<0>(parts), std::get<1>(parts), std::get<2>(parts), std::get<3>(parts)});
        };
        EXPECT_LT(key(rows[i - 1]), key(rows[i])) << i;
    }
}

TEST(RowKey, ComesApartAsItWasMade)
{
    for (const std::string &part : {""s, "p"s, "\0"s, "\0\x01"s, "\0\xFF\0"s, "\xFF\x01"s}) {
        for (const std::string &other : {""s, "s\0"s, "\x01\0"s}) {
            const Key key{0x0102030405060708, part, other, part};
            const auto parts = parse_row_key(row_key(key));
            ASSERT_TRUE(parts);
            EXPECT_EQ(parts->keyspace, kKeyspace);
            EXPECT_EQ(parts->hash, key.hash);
            EXPECT_EQ(parts->partition, part);
            EXPECT_EQ(parts->sort, other);
            EXPECT_EQ(parts->tail, part);
        }
    }
}

TEST(RowKey, OtherBytesDoNotComeApart)
{
    const std::string sound = row_key({5, "p", "s"});
    for (std::size_t bytes = 0; bytes < sound.size(); ++bytes) {
        EXPECT_FALSE(parse_row_key(sound.substr(0, bytes))) << bytes;
    }
    EXPECT_TRUE(parse_row_key(sound));
    std::string wrong_escape = sound;
    wrong_escape[kRowPrefixBytes + 2] = '\x02';
    EXPECT_FALSE(parse_row_key(wrong_escape));
}

TEST(RowRange, OfOnePartitionStaysInsideItsPrefix)
{
    const std::string prefix = row_key({5, ""}).substr(0, kRowPrefixBytes);
    for (const std::string &partition : {""s, "p"s, "\xFF\xFF"s, "\0"s}) {
        for (const std::string &sort : {""s, "s"s, "\xFF\xFF\xFF"s, "\0\xFF"s}) {
            Range range;
            range.first_hash = range.last_hash = 5;
            range.partition = partition;
            std::vector<Range> ranges(5, range);
            ranges[1].sort_prefix = sort;
            ranges[2].lower = SortBound{sort, false};
            ranges[3].upper = SortBound{sort, true};
            ranges[4].after = Key{5, partition, sort, "\xFF"};
            for (const Range &each : ranges) {
                const RowRange rows = row_range(kKeyspace, each);
                EXPECT_TRUE(rows.one_prefix);
                EXPECT_TRUE(rows.lower.starts_with(prefix));
                EXPECT_TRUE(rows.upper.starts_with(prefix));
                EXPECT_FALSE(rows.empty());
            }
        }
    }
}

TEST(RowRange, OfHashesEndsBehindTheLast)
{
    Range range;
    range.first_hash = 0;
    range.last_hash = 255;
    RowRange rows = row_range(kKeyspace, range);
    EXPECT_FALSE(rows.one_prefix);
    EXPECT_LE(rows.lower, row_key({0, ""}));
    EXPECT_GT(rows.upper, row_key({255, std::string(10, '\xFF'), std::string(10, '\xFF')}));
    EXPECT_LE(rows.upper, row_key({256, ""}));
    range.last_hash = ~std::uint64_t{0};
    rows = row_range(kKeyspace, range);
    EXPECT_GT(rows.upper, row_key({~std::uint64_t{0}, std::string(10, '\xFF')}));
    EXPECT_LE(rows.upper, row_key({0, ""}, make_keyspace_id(KeyspaceKind::items, 0x0ABBCCE)));
    range.first_hash = 7;
    range.last_hash = 6;
    EXPECT_TRUE(row_range(kKeyspace, range).empty());
}

TEST(RowRange, OfTheLastPossibleKeyspaceHasNoUpperBound)
{
    const auto last = static_cast<KeyspaceId>(~std::uint32_t{0});
    EXPECT_EQ(keyspace_range(last).upper, "");
    EXPECT_FALSE(keyspace_range(last).empty());
}

} // namespace
} // namespace basalt::storage

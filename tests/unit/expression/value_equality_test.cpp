// Equality of values against its definition, and values that are made to look equal.
#include "codec/item_encoding.h"
#include "expression/value_equality.h"
#include "unit/expression/item_notation.h"
#include "unit/expression/json_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace basalt::expression {
namespace {

using model::AttributeType;
using model::ValueView;

std::string attribute(std::string_view value)
{
    return std::string(R"({"v": )").append(value).append("}");
}

bool equal_values(ValueView left, ValueView right)
{
    const LiteralFingerprints none{Tree()};
    ValueEquality equal(none);
    const bool first = equal(left, right);
    EXPECT_EQ(equal(left, right), first) << "what is remembered";
    return first;
}

bool equal(std::string_view left, std::string_view right)
{
    const JsonAttributes a(attribute(left));
    const JsonAttributes b(attribute(right));
    EXPECT_EQ(equal_values(a["v"], b["v"]), equal_values(b["v"], a["v"])) << left << " " << right;
    return equal_values(a["v"], b["v"]);
}

TEST(ValueEquality, Equal)
{
    for (const auto &[left, right] : {
             std::pair{R"({"S":""})", R"({"S":""})"},
             {R"({"S":"a"})", R"({"S":"a"})"},
             {R"({"N":"1.50"})", R"({"N":"15e-1"})"},
             {R"({"N":"-0"})", R"({"N":"0.00"})"},
             {R"({"BOOL":true})", R"({"BOOL":true})"},
             {R"({"NULL":true})", R"({"NULL":true})"},
             {R"({"SS":["a","b","c"]})", R"({"SS":["c","a","b"]})"},
             {R"({"NS":["1","2.0"]})", R"({"NS":["2","1.0"]})"},
             {R"({"BS":["a","b"]})", R"({"BS":["b","a"]})"},
             {R"({"L":[]})", R"({"L":[]})"},
             {R"({"L":[{"S":"a"},{"N":"1"}]})", R"({"L":[{"S":"a"},{"N":"1.0"}]})"},
             {R"({"M":{}})", R"({"M":{}})"},
             {R"({"M":{"a":{"N":"1"},"b":{"SS":["x","y"]}}})", R"({"M":{"b":{"SS":["y","x"]},"a":{"N":"1"}}})"},
             {R"({"L":[{"M":{"a":{"N":"1"},"b":{"L":[{"SS":["x","y"]}]}}}]})",
              R"({"L":[{"M":{"b":{"L":[{"SS":["y","x"]}]},"a":{"N":"1"}}}]})"},
         }) {
        EXPECT_TRUE(equal(left, right)) << left << " " << right;
    }
}

TEST(ValueEquality, Different)
{
    for (const auto &[left, right] : {
             std::pair{R"({"S":"a"})", R"({"S":"A"})"},
             {R"({"S":"a"})", R"({"B":"a"})"},
             {R"({"S":"1"})", R"({"N":"1"})"},
             {R"({"S":""})", R"({"NULL":true})"},
             {R"({"N":"1"})", R"({"N":"1.0000000000000000000000000000000000001"})"},
             {R"({"BOOL":true})", R"({"BOOL":false})"},
             {R"({"SS":["a","b"]})", R"({"SS":["a","b","c"]})"},
             {R"({"SS":["a","b"]})", R"({"SS":["a","c"]})"},
             {R"({"SS":["1"]})", R"({"NS":["1"]})"},
             {R"({"SS":["a"]})", R"({"BS":["a"]})"},
             {R"({"SS":["a"]})", R"({"L":[{"S":"a"}]})"},
             {R"({"L":[{"S":"a"},{"S":"b"}]})", R"({"L":[{"S":"b"},{"S":"a"}]})"},
             {R"({"L":[{"S":"a"}]})", R"({"L":[{"S":"a"},{"S":"a"}]})"},
             {R"({"L":[]})", R"({"M":{}})"},
             {R"({"M":{"a":{"N":"1"}}})", R"({"M":{"b":{"N":"1"}}})"},
             {R"({"M":{"a":{"N":"1"}}})", R"({"M":{"a":{"N":"2"}}})"},
             {R"({"M":{"a":{"N":"1"}}})", R"({"M":{"a":{"N":"1"},"b":{"N":"1"}}})"},
             {R"({"L":[{"M":{"a":{"SS":["x"]}}}]})", R"({"L":[{"M":{"a":{"SS":["y"]}}}]})"},
         }) {
        EXPECT_FALSE(equal(left, right)) << left << " " << right;
    }
}

/// A set or map of members 0 to count - 1 in an order of their own; of a map, member `odd` has another value.
std::string large(model::AttributeType type, std::uint32_t count, std::uint32_t seed, std::uint32_t odd = 0xFFFF'FFFF)
{
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    std::string bytes;
    codec::ItemWriter writer(bytes);
    if (type == model::AttributeType::map) {
        writer.begin_map();
    } else {
        writer.begin_set(type);
    }
    for (const std::uint32_t member : order) {
        const std::string text = std::to_string(member == odd ? count : member);
        if (type == model::AttributeType::map) {
            writer.name(std::to_string(member));
            writer.string(text);
        } else {
            writer.member(std::string_view(text));
        }
    }
    writer.end();
    return bytes;
}

TEST(ValueEquality, OfManyMembersInAnyOrder)
{
    for (const AttributeType type : {AttributeType::string_set, AttributeType::number_set, AttributeType::map}) {
        for (const std::uint32_t count : {7U, 8U, 9U, 10U, 1000U, 100'000U}) {
            const std::string left = large(type, count, 1);
            const std::string same = large(type, count, 2);
            const std::string other = large(type, count, 3, count / 2);
            EXPECT_TRUE(equal_values(ValueView(left), ValueView(same))) << count;
            EXPECT_FALSE(equal_values(ValueView(left), ValueView(other))) << count;
        }
    }
}

TEST(ValueEquality, NestedDeep)
{
    const auto nested = [](std::string_view innermost) {
        std::string json(innermost);
        for (int i = 0; i < 31; ++i) {
            json = i % 2 == 0 ? R"({"L":[)" + json + "]}" : R"({"M":{"a":)" + json + "}}";
        }
        return json;
    };
    EXPECT_TRUE(equal(nested(R"({"SS":["a","b"]})"), nested(R"({"SS":["b","a"]})")));
    EXPECT_FALSE(equal(nested(R"({"SS":["a","b"]})"), nested(R"({"SS":["b","c"]})")));
}

/// The definition, pair by pair.
bool are_equal(ValueView left, ValueView right);

bool all_in(model::SetView left, model::SetView right)
{
    for (const Bytes member : left) {
        bool found = false;
        for (const Bytes other : right) {
            found = found || member == other;
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

bool all_in(model::MapView left, model::MapView right)
{
    for (const model::Attribute attribute : left) {
        bool found = false;
        for (const model::Attribute other : right) {
            found = found || (attribute.name == other.name && are_equal(attribute.value, other.value));
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

std::vector<ValueView> elements_of(model::ListView list)
{
    std::vector<ValueView> elements;
    for (const ValueView element : list) {
        elements.push_back(element);
    }
    return elements;
}

bool are_equal(ValueView left, ValueView right)
{
    if (left.type() != right.type()) {
        return false;
    }
    switch (left.type()) {
    case AttributeType::boolean:
        return left.boolean() == right.boolean();
    case AttributeType::null:
        return true;
    case AttributeType::map:
        return all_in(left.map(), right.map()) && all_in(right.map(), left.map());
    case AttributeType::list:
        return std::ranges::equal(elements_of(left.list()), elements_of(right.list()), are_equal);
    case AttributeType::string_set:
    case AttributeType::number_set:
    case AttributeType::binary_set:
        return all_in(left.set(), right.set()) && all_in(right.set(), left.set());
    default:
        return left.text() == right.text();
    }
}

/// Random values, and others that are equal to them or nearly so.
class ValueMaker {
public:
    explicit ValueMaker(std::uint32_t seed)
        : random_(seed)
    {}

    std::string make(int levels)
    {
        std::string bytes;
        codec::ItemWriter writer(bytes);
        write(writer, levels);
        return bytes;
    }

    /// Sets and maps in another order; if changed, some text among its members is another one of the same length.
    std::string shuffled(ValueView value, bool changed)
    {
        std::string bytes;
        codec::ItemWriter writer(bytes);
        change_ = changed;
        copy(writer, value);
        return bytes;
    }

private:
    /// Lengths around those at which comparison takes another way.
    std::size_t count() { return random_() % 3 == 0 ? random_() % 60 : random_() % 6; }

    std::string text() { return std::string(1 + random_() % 12, static_cast<char>('a' + random_() % 3)); }

    void write(codec::ItemWriter &writer, int levels)
    {
        switch (random_() % (levels > 0 ? 8 : 5)) {
        case 0:
            return writer.string(text());
        case 1:
            return writer.number(model::Decimal(static_cast<std::int64_t>(random_() % 200)));
        case 2:
            return random_() % 2 == 0 ? writer.boolean(random_() % 2 == 0) : writer.null();
        case 3:
        case 4:
            return write_set(writer, random_() % 2 == 0 ? AttributeType::string_set : AttributeType::binary_set);
        case 5:
            writer.begin_list();
            for (std::size_t left = count(); left > 0; --left) {
                write(writer, levels - 1);
            }
            return writer.end();
        default:
            writer.begin_map();
            for (std::size_t left = count(); left > 0; --left) {
                writer.name(std::to_string(left));
                write(writer, levels - 1);
            }
            return writer.end();
        }
    }

    void write_set(codec::ItemWriter &writer, AttributeType type)
    {
        writer.begin_set(type);
        for (std::size_t left = 1 + count(); left > 0; --left) {
            writer.member(text() + std::to_string(left));
        }
        writer.end();
    }

    std::string copied(Bytes text)
    {
        std::string copy(text);
        if (change_ && !copy.empty() && random_() % 4 == 0) {
            copy.front() = 'z';
            change_ = false;
        }
        return copy;
    }

    void copy(codec::ItemWriter &writer, ValueView value)
    {
        switch (value.type()) {
        case AttributeType::string:
            return writer.string(copied(value.text()));
        case AttributeType::map:
            return copy_map(writer, value.map());
        case AttributeType::list:
            writer.begin_list();
            for (const ValueView element : value.list()) {
                copy(writer, element);
            }
            return writer.end();
        case AttributeType::string_set:
        case AttributeType::binary_set:
            return copy_set(writer, value);
        default:
            return writer.value(value);
        }
    }

    void copy_map(codec::ItemWriter &writer, model::MapView map)
    {
        std::vector<model::Attribute> attributes;
        for (const model::Attribute attribute : map) {
            attributes.push_back(attribute);
        }
        std::ranges::shuffle(attributes, random_);
        writer.begin_map();
        for (const model::Attribute &attribute : attributes) {
            writer.name(attribute.name);
            copy(writer, attribute.value);
        }
        writer.end();
    }

    void copy_set(codec::ItemWriter &writer, ValueView set)
    {
        std::vector<std::string> members;
        for (const Bytes member : set.set()) {
            members.push_back(copied(member));
        }
        std::ranges::shuffle(members, random_);
        writer.begin_set(set.type());
        for (const std::string &member : members) {
            writer.member(member);
        }
        writer.end();
    }

    std::mt19937 random_;
    bool change_ = false;
};

/// A tree that names these values.
Tree tree_of(const std::vector<std::string> &values)
{
    Tree tree;
    for (const std::string &value : values) {
        tree.add(Node{.kind = NodeKind::value, .value = value});
    }
    return tree;
}

TEST(ValueEquality, AgreesWithItsDefinition)
{
    constexpr std::uint32_t kSeed = 77'031;
    std::printf("seed %u\n", kSeed);
    ValueMaker maker(kSeed);
    int equal_pairs = 0;
    int near_misses = 0;
    for (int round = 0; round < 24; ++round) {
        std::vector<std::string> values;
        for (int i = 0; i < 6; ++i) {
            const std::string value = maker.make(round % 4);
            values.push_back(value);
            for (const bool changed : {false, false, true, true}) {
                values.push_back(maker.shuffled(ValueView(value), changed));
            }
        }
        const LiteralFingerprints none{Tree()};
        const LiteralFingerprints literals(tree_of(values));
        ValueEquality of_items(none);
        ValueEquality of_literals(literals);
        for (const std::string &left : values) {
            for (const std::string &right : values) {
                const ValueView a(left);
                const ValueView b(right);
                const bool expected = are_equal(a, b);
                ASSERT_EQ(of_items(a, b), expected) << notation_of(a) << "\n" << notation_of(b);
                ASSERT_EQ(of_literals(a, b), expected) << notation_of(a) << "\n" << notation_of(b);
                ASSERT_EQ(fingerprint(a) == fingerprint(b), expected) << notation_of(a) << "\n" << notation_of(b);
                equal_pairs += expected && left != right ? 1 : 0;
                near_misses += !expected && left.size() == right.size() && left.size() > kMaxFewBytes ? 1 : 0;
            }
        }
    }
    EXPECT_GT(equal_pairs, 500);
    EXPECT_GT(near_misses, 500);
}

TEST(Fingerprints, OfLiteralsAreFoundByAddress)
{
    const std::vector<std::string> values{large(AttributeType::string_set, 100, 1), large(AttributeType::map, 100, 1),
                                          large(AttributeType::number_set, 3, 1)};
    const std::string copy = values.front();
    const LiteralFingerprints kept(tree_of(values));
    EXPECT_EQ(kept.find(ValueView(values[0])), fingerprint(ValueView(values[0])));
    EXPECT_EQ(kept.find(ValueView(values[1])), fingerprint(ValueView(values[1])));
    EXPECT_FALSE(kept.find(ValueView(values[2]))) << "compared faster than hashed";
    EXPECT_FALSE(kept.find(ValueView(copy)));
}

/// A set or map of 40 of what the function writes for 0 to 39.
template <typename Write>
std::string forty(AttributeType type, Write write)
{
    std::string bytes;
    codec::ItemWriter writer(bytes);
    type == AttributeType::map ? writer.begin_map() : writer.begin_set(type);
    for (int i = 0; i < 40; ++i) {
        write(writer, i);
    }
    writer.end();
    return bytes;
}

TEST(ValueEquality, SameBytesInOtherMembers)
{
    const auto numbered = [](int i) { return std::to_string(100 + i); };
    // Each pair has the same letters, the same number of members and encodings of the same length.
    const std::string one = forty(AttributeType::string_set, [&](codec::ItemWriter &writer, int i) {
        writer.member(std::string(i % 2 == 0 ? "ab" : "c") + numbered(i));
    });
    const std::string moved = forty(AttributeType::string_set, [&](codec::ItemWriter &writer, int i) {
        writer.member(std::string(i % 2 == 0 ? "a" : "bc") + numbered(i));
    });
    const std::string mirrored = forty(AttributeType::string_set, [&](codec::ItemWriter &writer, int i) {
        writer.member(numbered(i) + (i % 2 == 0 ? "ab" : "c"));
    });
    for (const std::string &other : {moved, mirrored}) {
        EXPECT_EQ(one.size(), other.size());
        EXPECT_FALSE(equal_values(ValueView(one), ValueView(other)));
        EXPECT_TRUE(equal_values(ValueView(other), ValueView(other)));
    }
    // The same names and the same values, paired otherwise.
    const auto map_of = [&](int shift) {
        return forty(AttributeType::map, [&](codec::ItemWriter &writer, int i) {
            writer.name(numbered(i));
            writer.string(numbered((i + shift) % 40));
        });
    };
    EXPECT_FALSE(equal_values(ValueView(map_of(0)), ValueView(map_of(1))));
    // Sets that only a map's name tells apart.
    const auto map_of_sets = [&](int shift) {
        return forty(AttributeType::map, [&](codec::ItemWriter &writer, int i) {
            writer.name(numbered(i));
            writer.begin_set(AttributeType::string_set);
            writer.member(numbered((i + shift) % 40));
            writer.member(numbered(50 + i));
            writer.end();
        });
    };
    EXPECT_FALSE(equal_values(ValueView(map_of_sets(0)), ValueView(map_of_sets(1))));
}

} // namespace
} // namespace basalt::expression

// Ranges of keys with several sort attributes, against the order of the values themselves.
#include "codec/item_encoding.h"
#include "codec/key_encoding.h"
#include "engine/index_entry.h"
#include "expression/value_order.h"
#include "operations/query_range.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

namespace basalt::operations {
namespace {

using expression::KeyClause;
using expression::KeyOperator;
using model::AttributeType;

/// A value with its bytes.
std::string encoded(AttributeType type, const std::string &text)
{
    std::string item;
    codec::ItemWriter writer(item);
    writer.begin_item();
    writer.name("v");
    switch (type) {
    case AttributeType::number:
        writer.number(model::Decimal::parse(text).value());
        break;
    case AttributeType::binary:
        writer.binary(text);
        break;
    default:
        writer.string(text);
    }
    writer.end();
    return item;
}

model::ValueView value_of(const std::string &item)
{
    return model::ItemView(item).attributes().find("v").value();
}

/// What the store promises for bounds and prefixes of one partition.
bool contains(const storage::Range &range, const std::string &sort)
{
    if (range.sort_prefix) {
        return sort.starts_with(*range.sort_prefix);
    }
    const bool above =
        !range.lower || sort > range.lower->sort || (range.lower->inclusive && sort == range.lower->sort);
    const bool below =
        !range.upper || sort < range.upper->sort || (range.upper->inclusive && sort == range.upper->sort);
    return above && below;
}

bool meets(const KeyClause &clause, model::ValueView value)
{
    const auto order = expression::compare_values(value, clause.value);
    switch (clause.op) {
    case KeyOperator::equal:
        return order == 0;
    case KeyOperator::less:
        return order < 0;
    case KeyOperator::less_or_equal:
        return order <= 0;
    case KeyOperator::greater:
        return order > 0;
    case KeyOperator::greater_or_equal:
        return order >= 0;
    case KeyOperator::between:
        return order >= 0 && expression::compare_values(value, *clause.upper) <= 0;
    default:
        return value.text().starts_with(clause.value.text());
    }
}

KeyClause clause_on(std::string_view attribute, model::ValueView value)
{
    return {.attribute = attribute, .op = KeyOperator::equal, .value = value, .upper = std::nullopt};
}

/// The sort part of an index row.
std::string sort_key(const std::vector<model::ValueView> &values)
{
    std::string sort;
    for (const auto value : values) {
        std::string part;
        codec::append_key_part(value, part);
        if (values.size() == 1) {
            return part;
        }
        codec::append_ended(part, sort);
    }
    return sort;
}

class QueryRangeTest : public testing::Test {
protected:
    /// One hash attribute h, and for each range attribute the values to choose from.
    struct Schema {
        model::KeySchema keys;
        std::vector<std::vector<std::string>> values;
    };

    /// Values that are near each other in every way that an encoding could mix up.
    static std::vector<std::string> values(AttributeType type)
    {
        using namespace std::string_literals;
        const auto texts =
            type == AttributeType::number
                ? std::vector{"-1e125"s, "-10"s,  "-1"s, "-0.99"s, "0"s,   "1e-130"s, "0.5"s,
                              "1"s,      "1.01"s, "2"s,  "99"s,    "100"s, "1e125"s}
                : std::vector{"\0"s,    "\0\0"s,  "\0\1"s,  "\0\2"s, "\0a"s, "\1"s,    "\2"s, "a"s, "a\0"s,
                              "a\0\0"s, "a\0\1"s, "a\0\2"s, "a\0b"s, "a\1"s, "a\x7f"s, "ab"s, "b"s};
        std::vector<std::string> found;
        for (const auto &text : texts) {
            found.push_back(encoded(type, text));
        }
        if (type == AttributeType::binary) {
            found.push_back(encoded(type, "a\xff"s));
            found.push_back(encoded(type, "\xff"s));
            found.push_back(encoded(type, "\0\xff"s));
        }
        return found;
    }

    const std::string &pick(const std::vector<std::string> &from) { return from[random_() % from.size()]; }

    Schema random_schema()
    {
        static constexpr std::array kTypes{AttributeType::string, AttributeType::number, AttributeType::binary};
        Schema schema;
        schema.keys.hash.push_back({"h", AttributeType::string});
        const std::size_t attributes = 1 + random_() % 4;
        for (std::size_t i = 0; i < attributes; ++i) {
            schema.keys.range.push_back({"r" + std::to_string(i), kTypes[random_() % kTypes.size()]});
            schema.values.push_back(values(schema.keys.range.back().type));
        }
        return schema;
    }

    /// One on h and some on the first range attributes.
    std::vector<KeyClause> random_clauses(const Schema &schema)
    {
        static constexpr std::array kOperators{KeyOperator::equal,
                                               KeyOperator::less,
                                               KeyOperator::less_or_equal,
                                               KeyOperator::greater,
                                               KeyOperator::greater_or_equal,
                                               KeyOperator::between,
                                               KeyOperator::begins_with};
        std::vector<KeyClause> clauses{clause_on("h", value_of(hash_))};
        const std::size_t used = 1 + random_() % schema.keys.range.size();
        for (std::size_t i = 0; i < used; ++i) {
            clauses.push_back(clause_on(schema.keys.range[i].name, value_of(pick(schema.values[i]))));
        }
        auto &last = clauses.back();
        last.op = kOperators[random_() % kOperators.size()];
        if (last.op == KeyOperator::begins_with && last.value.type() == AttributeType::number) {
            last.op = KeyOperator::less;
        }
        if (last.op == KeyOperator::between) {
            last.upper = value_of(pick(schema.values[used - 1]));
        }
        return clauses;
    }

    /// Mostly with what the equalities ask for: otherwise hardly a row would get as far as the last clause.
    std::vector<model::ValueView> random_row(const Schema &schema, const std::vector<KeyClause> &clauses)
    {
        std::vector<model::ValueView> row;
        for (std::size_t i = 0; i < schema.values.size(); ++i) {
            const bool follows = i + 2 < clauses.size() && random_() % 8 != 0;
            row.push_back(follows ? clauses[i + 1].value : value_of(pick(schema.values[i])));
        }
        return row;
    }

    const std::string hash_ = encoded(AttributeType::string, "h");
    std::mt19937 random_{20241};
};

TEST_F(QueryRangeTest, HoldsTheSortKeysThatMeetTheClauses)
{
    std::size_t inside = 0;
    std::size_t outside = 0;
    for (int round = 0; round < 2000; ++round) {
        const Schema schema = random_schema();
        const auto clauses = random_clauses(schema);
        KeyCondition condition;
        condition.partition.push_back(&clauses.front());
        for (std::size_t i = 1; i < clauses.size(); ++i) {
            condition.sort.push_back(&clauses[i]);
        }
        QueryRange query(condition, schema.keys);
        EXPECT_EQ(query.range().partition, "h");
        for (int row = 0; row < 100; ++row) {
            const auto values = random_row(schema, clauses);
            bool expected = true;
            for (std::size_t i = 1; i < clauses.size(); ++i) {
                expected = expected && meets(clauses[i], values[i - 1]);
            }
            ASSERT_EQ(contains(query.range(), sort_key(values)), expected) << "round " << round << ", row " << row;
            ++(expected ? inside : outside);
        }
    }
    EXPECT_GT(inside, 30'000U);
    EXPECT_GT(outside, 30'000U);
}

TEST_F(QueryRangeTest, SeveralHashAttributesMakeOnePartition)
{
    const auto first = encoded(AttributeType::string, std::string("a\0", 2));
    const auto second = encoded(AttributeType::number, "5");
    const std::vector<KeyClause> clauses{clause_on("g", value_of(first)), clause_on("h", value_of(second))};
    KeyCondition condition;
    condition.partition = {&clauses[0], &clauses[1]};
    model::IndexDescription index;
    index.keys.hash = {{"g", AttributeType::string}, {"h", AttributeType::number}};
    QueryRange query(condition, index.keys);

    std::string item;
    codec::ItemWriter writer(item);
    writer.begin_item();
    writer.name("k");
    writer.string("key");
    writer.name("h");
    writer.value(value_of(second));
    writer.name("g");
    writer.value(value_of(first));
    writer.end();
    model::TableDescription table;
    table.keys.hash = {{"k", AttributeType::string}};
    const auto row = engine::global_index_key(table, index, model::ItemView(item).attributes());
    EXPECT_EQ(query.range().partition, row.partition);
    EXPECT_EQ(query.range().first_hash, row.hash);
    EXPECT_EQ(query.range().last_hash, row.hash);
    EXPECT_FALSE(query.range().lower);
    EXPECT_FALSE(query.range().upper);
}

} // namespace
} // namespace basalt::operations

// Order of values.
#include "expression/value_order.h"
#include "model/decimal.h"
#include "unit/expression/json_values.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

namespace basalt::expression {
namespace {

std::string attribute(std::string_view value)
{
    return std::string(R"({"v": )").append(value).append("}");
}

std::partial_ordering compared(std::string_view left, std::string_view right)
{
    const JsonAttributes a(attribute(left));
    const JsonAttributes b(attribute(right));
    EXPECT_EQ(compare_values(a["v"], b["v"]), 0 <=> compare_values(b["v"], a["v"])) << left << " " << right;
    return compare_values(a["v"], b["v"]);
}

TEST(CompareValues, OrderedTypes)
{
    EXPECT_EQ(compared(R"({"S":"a"})", R"({"S":"b"})"), std::partial_ordering::less);
    EXPECT_EQ(compared(R"({"S":"a"})", R"({"S":"ab"})"), std::partial_ordering::less);
    EXPECT_EQ(compared(R"({"S":""})", R"({"S":"a"})"), std::partial_ordering::less);
    EXPECT_EQ(compared(R"({"S":"Z"})", R"({"S":"a"})"), std::partial_ordering::less);
    EXPECT_EQ(compared(R"({"S":"z"})", "{\"S\":\"\xC3\xA9\"}"), std::partial_ordering::less);
    EXPECT_EQ(compared(R"({"B":"a"})", "{\"B\":\"\xC3\xA9\"}"), std::partial_ordering::less);
    EXPECT_EQ(compared(R"({"S":"a"})", R"({"S":"a"})"), std::partial_ordering::equivalent);
    EXPECT_EQ(compared(R"({"N":"10"})", R"({"N":"9"})"), std::partial_ordering::greater);
}

TEST(CompareValues, EverythingElseIsUnordered)
{
    constexpr std::array<std::string_view, 10> kValues{
        R"({"S":"1"})",    R"({"N":"1"})",    R"({"B":"1"})",    R"({"BOOL":true})", R"({"NULL":true})",
        R"({"SS":["1"]})", R"({"NS":["1"]})", R"({"BS":["1"]})", R"({"L":[]})",      R"({"M":{}})"};
    for (std::size_t i = 0; i < kValues.size(); ++i) {
        for (std::size_t j = 0; j < kValues.size(); ++j) {
            const bool ordered = i == j && i < 3;
            EXPECT_EQ(compared(kValues[i], kValues[j]),
                      ordered ? std::partial_ordering::equivalent : std::partial_ordering::unordered)
                << kValues[i] << " " << kValues[j];
        }
    }
}

TEST(CompareNumbers, Known)
{
    const std::vector<std::string> ascending = {
        "-" + std::string(38, '9') + std::string(88, '0'),
        "-100",
        "-99.5",
        "-99",
        "-10",
        "-9",
        "-1.5",
        "-1.05",
        "-1",
        "-0.5",
        "-0.05",
        "-0.0" + std::string(128, '0') + "1",
        "0",
        "0.0" + std::string(128, '0') + "1",
        "0.05",
        "0.5",
        "0.51",
        "1",
        "1.05",
        "1.5",
        "9",
        "10",
        "99",
        "99.5",
        "100",
        "1" + std::string(125, '0'),
    };
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        for (std::size_t j = 0; j < ascending.size(); ++j) {
            EXPECT_EQ(compare_numbers(ascending[i], ascending[j]), i <=> j) << ascending[i] << " " << ascending[j];
        }
    }
}

TEST(CompareNumbers, AsDecimalsDo)
{
    constexpr std::uint32_t kSeed = 38'130;
    std::printf("seed %u\n", kSeed);
    std::mt19937 random(kSeed);
    std::vector<model::Decimal> numbers;
    while (numbers.size() < 700) {
        const bool few_digits = random() % 2 == 0;
        const model::uint128 coefficient = few_digits ? random() % 30 : model::uint128{random()} * random() * random();
        const auto exponent = static_cast<int>(random() % (few_digits ? 6 : 200)) - (few_digits ? 3 : 100);
        if (const auto number = model::Decimal::from_parts(random() % 2 == 0, coefficient, exponent)) {
            numbers.push_back(*number);
        }
    }
    for (const model::Decimal &left : numbers) {
        for (const model::Decimal &right : numbers) {
            ASSERT_EQ(compare_numbers(left.to_string(), right.to_string()), left <=> right)
                << left.to_string() << " " << right.to_string();
        }
    }
}

} // namespace
} // namespace basalt::expression

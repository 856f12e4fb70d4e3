// The 38-digit number: reading, printing, order, arithmetic and size, above all at the edges of its range.
#include "model/decimal.h"
#include "unit/model/random_decimals.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace basalt::model {
namespace {

const std::string kNotANumber = "The parameter cannot be converted to a numeric value";
const std::string kTooManyDigits = "Attempting to store more than 38 significant digits in a Number";
const std::string kOverflow =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
const std::string kUnderflow =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";

// The canonical text, or "! " and the message.
std::string outcome(const Result<Decimal> &result)
{
    if (result) {
        return result->to_string();
    }
    EXPECT_EQ(result.error().code, ErrorCode::validation);
    return "! " + result.error().message;
}

std::string parsed(std::string_view text)
{
    return outcome(Decimal::parse(text));
}

Decimal number(std::string_view text)
{
    return Decimal::parse(text).value();
}

std::string zeros(std::size_t count)
{
    return std::string(count, '0');
}

std::string nines(std::size_t count)
{
    return std::string(count, '9');
}

TEST(Decimal, PrintsPlainCanonicalText)
{
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"0", "0"},
        {"-0", "0"},
        {"+0.000", "0"},
        {"000", "0"},
        {"0e125", "0"},
        {"0.0e126", "0"},
        {"0e-130", "0"},
        {"7", "7"},
        {"+7", "7"},
        {"-7", "-7"},
        {"007", "7"},
        {".5", "0.5"},
        {"5.", "5"},
        {"-.5e1", "-5"},
        {"1.e5", "100000"},
        {"1E+2", "100"},
        {"1e002", "100"},
        {"12.500", "12.5"},
        {"0.0012", "0.0012"},
        {"1234567.89e-2", "12345.6789"},
        {"1e-130", "0." + zeros(129) + "1"},
        {"-1e125", "-1" + zeros(125)},
        {nines(38) + "e88", nines(38) + zeros(88)},
        {"9." + nines(37) + "e-130", "0." + zeros(129) + nines(38)},
        {"-0.1e126", "-1" + zeros(125)},
        {"10e-131", "0." + zeros(129) + "1"},
        {"18446744073709551616", "18446744073709551616"},
        {nines(19) + "." + nines(19), nines(19) + "." + nines(19)},
        {"1" + zeros(36) + "1", "1" + zeros(36) + "1"},
        {"-00001.23456789012345678901234567890123456780000", "-1.2345678901234567890123456789012345678"},
    };
    for (const auto &[text, canonical] : cases) {
        EXPECT_EQ(parsed(text), canonical) << text;
        EXPECT_EQ(parsed(canonical), canonical);
    }
}

TEST(Decimal, RefusesWhatIsNotANumber)
{
    EXPECT_EQ(parsed(""), "! " + kNotANumber);
    for (const char *text : {" ",
                             " 1",
                             "1 ",
                             "a",
                             "-",
                             "+",
                             ".",
                             "-.",
                             "e5",
                             ".e5",
                             "1e",
                             "1e+",
                             "1e-",
                             "1e+-5",
                             "1e++5",
                             "--1",
                             "+-1",
                             "1.2.3",
                             "1,5",
                             "0x10",
                             "NaN",
                             "Infinity",
                             "-Infinity",
                             "1_000",
                             "1e5.0",
                             "1e5 ",
                             "1d",
                             "1f",
                             "\xD9\xA1",
                             "1e9223372036854775808",
                             "1e-9223372036854775809",
                             "0e9223372036854775808"}) {
        EXPECT_EQ(parsed(text), "! " + kNotANumber + ": " + text);
    }
    EXPECT_EQ(parsed(std::string_view("1\0", 2)), "! " + kNotANumber + ": " + std::string("1\0", 2));
}

TEST(Decimal, RefusesWhatIsOutOfRange)
{
    for (const std::string &text : std::vector<std::string>{
             "1e126", "-1e126", "10e125", "1" + zeros(126), "0e126", "00e126", "1e2147483648", "1e99999999999",
             "1e9223372036854775807", "0e9223372036854775807", nines(39) + "e100"}) {
        EXPECT_EQ(parsed(text), "! " + kOverflow) << text;
    }
    for (const std::string &text :
         std::vector<std::string>{"1e-131", "-1e-131", "0.9e-130", "0." + zeros(130) + "1", "0e-131", "1e-99999999999",
                                  "1e-9223372036854775808", "0e-9223372036854775808", nines(39) + "e-200"}) {
        EXPECT_EQ(parsed(text), "! " + kUnderflow) << text;
    }
    for (const std::string &text : std::vector<std::string>{"1" + nines(38), "-1." + nines(38), "1" + zeros(37) + "1",
                                                            nines(39) + "e80", "1." + zeros(37) + "1"}) {
        EXPECT_EQ(parsed(text), "! " + kTooManyDigits) << text;
    }
}

TEST(Decimal, ReadsMegabytesOfDigits)
{
    constexpr std::size_t kMany = 16'000'000;
    EXPECT_EQ(parsed(zeros(kMany) + "12.50" + zeros(kMany)), "12.5");
    EXPECT_EQ(parsed("0." + zeros(kMany) + "1e" + std::to_string(kMany)), "0.1");
    EXPECT_EQ(parsed("1" + zeros(kMany) + "e-" + std::to_string(kMany)), "1");
    EXPECT_EQ(parsed("5e" + zeros(kMany) + "1"), "50");
    EXPECT_EQ(parsed(nines(kMany)), "! " + kOverflow);
    EXPECT_EQ(parsed("0." + nines(kMany)), "! " + kTooManyDigits);
    EXPECT_EQ(parsed("1e" + nines(kMany)), "! " + kNotANumber + ": 1e" + nines(kMany));
}

TEST(Decimal, HoldsIntegers)
{
    for (const std::int64_t value :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{100},
          std::int64_t{-1'000'000'000'000'000'000}, std::int64_t{123'456'789}, std::numeric_limits<std::int64_t>::max(),
          std::numeric_limits<std::int64_t>::min()}) {
        EXPECT_EQ(Decimal(value).to_string(), std::to_string(value));
        EXPECT_EQ(Decimal(value), number(std::to_string(value)));
    }
}

TEST(Decimal, ComparesByValue)
{
    const std::vector<std::string> ascending = {"-" + nines(38) + "e88",
                                                "-1e125",
                                                "-" + nines(38),
                                                "-100",
                                                "-10.5",
                                                "-10",
                                                "-9." + nines(37),
                                                "-1",
                                                "-0.9",
                                                "-1e-129",
                                                "-9e-130",
                                                "-1e-130",
                                                "0",
                                                "1e-130",
                                                "1.5e-130",
                                                "2e-130",
                                                "1e-129",
                                                "0.9",
                                                "1",
                                                "1." + zeros(36) + "1",
                                                "9." + nines(37),
                                                "10",
                                                "10.5",
                                                "100",
                                                "1" + zeros(36) + "1",
                                                nines(38),
                                                "1e38",
                                                "1e125",
                                                nines(38) + "e88"};
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        for (std::size_t j = 0; j < ascending.size(); ++j) {
            EXPECT_EQ(number(ascending[i]) <=> number(ascending[j]), i <=> j)
                << ascending[i] << " and " << ascending[j];
            EXPECT_EQ(number(ascending[i]) == number(ascending[j]), i == j);
        }
    }
    EXPECT_EQ(number("1.640e1"), number("16.4"));
    EXPECT_EQ(number("-0"), number("0e5"));
}

TEST(Decimal, AddsExactly)
{
    const std::vector<std::pair<std::pair<std::string, std::string>, std::string>> cases = {
        {{"0", "0"}, "0"},
        {{"0", "-3.5"}, "-3.5"},
        {{"3.5", "0"}, "3.5"},
        {{"0.1", "0.2"}, "0.3"},
        {{"5", "-5"}, "0"},
        {{"1", "-1.5"}, "-0.5"},
        {{"1.5", "-1"}, "0.5"},
        {{"99", "1"}, "100"},
        {{"1", "10000000000000000000000"}, "10000000000000000000001"},
        {{nines(38), "1"}, "1" + zeros(38)},
        {{nines(38), nines(38)}, "! " + kOverflow},
        {{nines(38), "2"}, "! " + kOverflow},
        {{"1e38", "-1"}, nines(38)},
        {{"1e38", "1"}, "! " + kOverflow},
        {{"1e39", "-1"}, "! " + kOverflow},
        {{"3e38", "-1"}, "! " + kOverflow},
        {{"1e125", "1e-130"}, "! " + kOverflow},
        {{"1e50", "1"}, "! " + kOverflow},
        {{nines(38) + "e88", "1e125"}, "! " + kOverflow},
        {{"9e125", "9e125"}, "! " + kOverflow},
        {{"-9e125", "-1e125"}, "! " + kOverflow},
        {{"9e125", "-9e125"}, "0"},
        {{nines(38) + "e88", "1e88"}, "! " + kOverflow},
        {{"1.5e-130", "-1e-130"}, "! " + kOverflow},
        {{"-1.5e-130", "2.5e-130"}, "0." + zeros(129) + "1"},
        {{"1." + zeros(36) + "1", "-1"}, "0." + zeros(36) + "1"},
    };
    for (const auto &[terms, sum] : cases) {
        const auto &[left, right] = terms;
        EXPECT_EQ(outcome(number(left).add(number(right))), sum) << left << " + " << right;
        EXPECT_EQ(outcome(number(right).add(number(left))), sum) << right << " + " << left;
        const Decimal minus_right = Decimal().subtract(number(right)).value();
        EXPECT_EQ(outcome(number(left).subtract(minus_right)), sum) << left << " - -" << right;
    }
    EXPECT_EQ(number("0").subtract(number("0")).value(), Decimal());
    EXPECT_FALSE(number("5").subtract(number("5")).value().is_negative());
}

TEST(Decimal, CountsTheBytesOfTheService)
{
    const std::vector<std::pair<std::string, std::uint32_t>> cases = {
        {"0", 1},     {"-0", 1},       {"1", 2},       {"12", 2},     {"123", 3},
        {"1234", 3},  {nines(38), 20}, {"0042", 2},    {"100", 2},    {"1010", 3},
        {"1e-7", 2},  {"1e125", 2},    {"1e-100", 2},  {"1.5", 3},    {"15", 2},
        {"1.200", 3}, {"1.234", 4},    {"3.14159", 5}, {"123456", 4}, {"100.5", 4},
        {"0.15", 2},  {"-42", 3},      {"-0.0012", 3}, {"0.123", 3},  {"-" + nines(37) + ".9", 22}};
    for (const auto &[text, size] : cases) {
        EXPECT_EQ(number(text).size_bytes(), size) << text;
    }
}

TEST(Decimal, BuildsFromParts)
{
    EXPECT_EQ(Decimal::from_parts(true, 0, 9999).value(), Decimal());
    EXPECT_EQ(Decimal::from_parts(true, 1500, -2).value(), number("-15"));
    EXPECT_EQ(outcome(Decimal::from_parts(false, 1, 126)), "! " + kOverflow);
    EXPECT_EQ(outcome(Decimal::from_parts(false, 1, std::numeric_limits<std::int64_t>::max())), "! " + kOverflow);
    EXPECT_EQ(outcome(Decimal::from_parts(false, 1, std::numeric_limits<std::int64_t>::min())), "! " + kUnderflow);
    EXPECT_EQ(outcome(Decimal::from_parts(false, ~uint128{0}, 0)), "! " + kOverflow);
}

TEST(Decimal, RoundTripsThroughItsText)
{
    constexpr std::uint64_t kSeed = 20'240'601;
    SCOPED_TRACE(kSeed);
    testing::RandomDecimals random(kSeed);
    std::string appended;
    for (int i = 0; i < 20'000; ++i) {
        const Decimal value = random.next();
        const std::string text = value.to_string();
        ASSERT_LE(text.size(), Decimal::kMaxTextBytes);
        ASSERT_EQ(number(text), value) << text;
        appended.clear();
        value.append_to(appended);
        ASSERT_EQ(appended, text);
    }
}

} // namespace
} // namespace basalt::model

// Random token sequences: whatever the text, the answer is clauses or a message, and the same one every time.
#include "expression/key_condition.h"
#include "unit/expression/request_placeholders.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

namespace basalt::expression {
namespace {

constexpr std::string_view kRequest =
    "#p=pk #s=sk #n=name :s=S:a :t=S:b :n=N:1 :m=N:2 :b=B:x :o=BOOL :z=NULL :l=L :d=M :ss=SS :ns=NS";

constexpr std::array<std::string_view, 62> kTokens{"a",
                                                   "pk",
                                                   "sk",
                                                   "#p",
                                                   "#s",
                                                   "#n",
                                                   "#u",
                                                   ":s",
                                                   ":t",
                                                   ":n",
                                                   ":m",
                                                   ":b",
                                                   ":o",
                                                   ":z",
                                                   ":l",
                                                   ":d",
                                                   ":ss",
                                                   ":u",
                                                   "name",
                                                   "(",
                                                   "(",
                                                   ")",
                                                   ")",
                                                   "[",
                                                   "]",
                                                   ".",
                                                   ",",
                                                   "=",
                                                   "=",
                                                   "<>",
                                                   "<",
                                                   "<=",
                                                   ">",
                                                   ">=",
                                                   "AND",
                                                   "and",
                                                   "OR",
                                                   "NOT",
                                                   "IN",
                                                   "BETWEEN",
                                                   "SET",
                                                   "0",
                                                   "12",
                                                   "99999999999",
                                                   "_",
                                                   "#",
                                                   ":",
                                                   "-",
                                                   "\"",
                                                   "\xC3\xBC",
                                                   "\xFF",
                                                   "begins_with(",
                                                   "size(",
                                                   "contains(",
                                                   "attribute_exists(",
                                                   "attribute_type(",
                                                   "if_not_exists(",
                                                   "nothing(",
                                                   " ",
                                                   "\t",
                                                   "a.b[1]",
                                                   "()"};

constexpr std::array<std::string_view, 12> kClauses{
    "pk = :s",   "sk > :n",   ":n <= #s",      "begins_with(sk, :s)", "sk BETWEEN :n AND :m",
    "(pk = :s)", "#p.a = :s", "size(pk) = :n", "pk IN (:s)",          "NOT sk = :s",
    "#s = pk",   "a <> :s"};

class Fuzzer {
public:
    explicit Fuzzer(std::uint32_t seed)
        : random_(seed)
    {}

    std::string tokens()
    {
        std::string text;
        for (std::size_t count = below(40); count > 0; --count) {
            text.append(kTokens[below(kTokens.size())]).append(below(3) == 0 ? "" : " ");
        }
        return text;
    }

    /// Mostly well-formed.
    std::string clauses()
    {
        std::string text(kClauses[below(kClauses.size())]);
        for (std::size_t count = below(4); count > 0; --count) {
            text.append(below(6) == 0 ? " OR " : " AND ").append(kClauses[below(kClauses.size())]);
            if (below(3) == 0) {
                text = "(" + text + ")";
            }
        }
        if (below(2) == 0) {
            const std::size_t at = below(text.size());
            text.replace(at, below(3), kTokens[below(kTokens.size())]);
        }
        return text;
    }

    std::string bytes()
    {
        std::string text(below(64), '\0');
        for (char &c : text) {
            c = static_cast<char>(below(256));
        }
        return text;
    }

    std::size_t below(std::size_t limit) { return random_() % limit; }

private:
    std::mt19937 random_;
};

/// Clauses or an error; returns whether it was accepted.
bool run(SyntaxCache &cache, const std::string &text)
{
    RequestPlaceholders request(kRequest);
    const auto clauses = parse_key_condition(cache, text, *request);
    if (!clauses) {
        EXPECT_EQ(clauses.error().code, ErrorCode::validation) << text;
        EXPECT_FALSE(clauses.error().message.empty()) << text;
        RequestPlaceholders again(kRequest);
        const auto repeated = parse_key_condition(cache, text, *again);
        EXPECT_TRUE(!repeated && repeated.error() == clauses.error()) << text;
        return false;
    }
    EXPECT_GE(clauses->size(), 1U) << text;
    EXPECT_LE(clauses->size(), kMaxKeyClauses) << text;
    for (const KeyClause &clause : *clauses) {
        EXPECT_FALSE(clause.attribute.empty()) << text;
        EXPECT_EQ(clause.upper.has_value(), clause.op == KeyOperator::between) << text;
        EXPECT_FALSE(describe(clause.value).empty());
    }
    return true;
}

TEST(ExpressionFuzz, RandomTextNeverCrashes)
{
    constexpr std::uint32_t kSeed = 20'120'810;
    std::printf("seed %u\n", kSeed);
    Fuzzer fuzzer(kSeed);
    SyntaxCache cache(1 << 20);
    int accepted = 0;
    for (int i = 0; i < 10'000; ++i) {
        accepted += run(cache, fuzzer.tokens()) ? 1 : 0;
        accepted += run(cache, fuzzer.clauses()) ? 1 : 0;
        accepted += run(cache, fuzzer.bytes()) ? 1 : 0;
    }
    EXPECT_GT(accepted, 100);
}

TEST(ExpressionFuzz, LongTextNeverCrashes)
{
    constexpr std::uint32_t kSeed = 4096;
    std::printf("seed %u\n", kSeed);
    Fuzzer fuzzer(kSeed);
    SyntaxCache cache(1 << 20);
    for (int i = 0; i < 200; ++i) {
        const std::string_view unit = kTokens[fuzzer.below(kTokens.size())];
        const std::string_view other = kTokens[fuzzer.below(kTokens.size())];
        std::string text;
        while (text.size() + unit.size() + other.size() + 2 <= 4096) {
            text.append(unit).append(fuzzer.below(8) == 0 ? " " : "").append(other).append(" ");
        }
        run(cache, text);
    }
}

} // namespace
} // namespace basalt::expression

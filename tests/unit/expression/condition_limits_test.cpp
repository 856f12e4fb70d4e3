// Conditions at the limits of what a request can say and an item can hold: with any work that grows with the operands
// times the item, these take minutes.
#include "expression/condition.h"
#include "model/limits.h"
#include "unit/expression/item_notation.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace basalt::expression {
namespace {

/// A set of 100,000 strings of one length, from `first` on and round again; `odd` stands for the last one.
std::string large_set(int first, std::string_view odd = "")
{
    constexpr int kMembers = 100'000;
    std::string text = "SS(";
    for (int i = 0; i < kMembers; ++i) {
        const int member = 100'000 + (first + i) % kMembers;
        text.append(i == 0 ? "'" : ", '");
        text.append(member == 199'999 && !odd.empty() ? odd : std::string_view(std::to_string(member))).append("'");
    }
    return text + ")";
}

/// As often as an expression has room for it, up to a number of times.
std::string repeated(std::string_view text, std::string_view separator, int times)
{
    std::string expression(text);
    for (int i = 1; i < times; ++i) {
        expression.append(separator).append(text);
    }
    EXPECT_LE(expression.size(), model::kMaxExpressionBytes);
    return expression;
}

bool holds(const std::string &text, NotedPlaceholders &request, const std::string &item)
{
    SyntaxCache cache(1 << 20);
    const auto condition = Condition::parse(cache, text, ExpressionKind::condition, *request);
    EXPECT_TRUE(condition) << condition.error().message;
    return condition && condition->holds(model::ItemView(item).attributes());
}

TEST(ConditionLimits, ManyLargeSetsThatDiffer)
{
    NotedPlaceholders request("{:a: " + large_set(7, "200000") + ", :b: " + large_set(50'000, "200001") +
                              ", :c: " + large_set(0, "200002") + "}");
    const std::string item = item_from("{s: " + large_set(0) + "}");
    // 13 times 99 operands; the last set differs from the stored one behind 0.7 MB of the same bytes.
    const std::string in = "s IN (" + repeated(":a,:b,:c", ",", 33) + ")";
    EXPECT_FALSE(holds(repeated(in, " OR ", 13), request, item));
}

TEST(ConditionLimits, ManyLargeSetsThatAreEqual)
{
    NotedPlaceholders request("{:a: " + large_set(7) + ", :b: " + large_set(50'000) + ", :c: " + large_set(99'999) +
                              "}");
    const std::string item = item_from("{s: " + large_set(0) + "}");
    EXPECT_TRUE(holds(repeated("s=:a AND s=:b AND s=:c", " AND ", 50), request, item));
    EXPECT_FALSE(holds(repeated("s<>:a OR s<>:b OR s<>:c", " OR ", 50), request, item));
}

TEST(ConditionLimits, LargeSetsInsideListsAndMaps)
{
    NotedPlaceholders request("{:a: {k: " + large_set(7, "200000") + "}, :b: {k: " + large_set(50'000) + "}}");
    const std::string item = item_from("{l: [{k: " + large_set(0) + "}]}");
    EXPECT_FALSE(holds(repeated("contains(l,:a)", " OR ", 150), request, item));
    EXPECT_TRUE(holds(repeated("contains(l,:b)", " AND ", 150), request, item));
    EXPECT_FALSE(holds(repeated("l[0] IN (" + repeated(":a", ",", 100) + ")", " OR ", 12), request, item));
}

TEST(ConditionLimits, ManySmallSetsInAList)
{
    const auto list = [](std::string_view last) {
        std::string text = "[";
        for (int i = 0; i < 5000; ++i) {
            text.append("SS('a', 'b', '").append(std::to_string(10'000 + i)).append("'), ");
        }
        return text.append("SS('").append(last).append("', 'c', 'd')]");
    };
    NotedPlaceholders request("{:a: " + list("x") + ", :b: " + list("z") + "}");
    const std::string item = item_from("{l: " + list("y") + "}");
    const std::string in = "l IN (" + repeated(":a,:b", ",", 50) + ")";
    EXPECT_FALSE(holds(repeated(in, " OR ", 12), request, item));
}

TEST(Condition, CostCountsWhatTouchesTheItem)
{
    for (const auto &[text, cost] : {std::pair{"attribute_exists(a)", 1U},
                                     {"a = :n", 2U},
                                     {"NOT (a = b)", 2U},
                                     {"a IN (:n, b, :n, :n)", 5U},
                                     {"size(a) BETWEEN :n AND b.c[1]", 3U},
                                     {"a = :n AND (contains(b, :n) OR attribute_not_exists(c))", 5U}}) {
        NotedPlaceholders request("{:n: 1}");
        SyntaxCache cache(1 << 20);
        const auto condition = Condition::parse(cache, text, ExpressionKind::condition, *request);
        ASSERT_TRUE(condition) << text;
        EXPECT_EQ(condition->cost(), cost) << text;
    }
}

} // namespace
} // namespace basalt::expression

// Look-up, bookkeeping and syntax of placeholders.
#include "expression/placeholders.h"
#include "unit/expression/request_placeholders.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::expression {
namespace {

TEST(Placeholders, FindsNamesAndValues)
{
    RequestPlaceholders request("#a=x #b=y :v=S:1 :w=N:2");
    EXPECT_EQ(request->name("#a"), "x");
    EXPECT_EQ(request->name("#b"), "y");
    EXPECT_FALSE(request->name("#c"));
    EXPECT_FALSE(request->name("a"));
    EXPECT_FALSE(request->name("#A"));
    ASSERT_TRUE(request->value(":v"));
    EXPECT_EQ(describe(*request->value(":v")), "S:1");
    EXPECT_EQ(describe(*request->value(":w")), "N:2");
    EXPECT_FALSE(request->value(":x"));
    EXPECT_FALSE(request->value("#a"));
}

TEST(Placeholders, ReportsUnusedNamesBeforeValues)
{
    RequestPlaceholders request("#a=x #b=y :v=S:1 :w=N:2");
    const auto message = [&] { return request->check_all_used().error().message; };
    EXPECT_EQ(message(), "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}");
    (void)request->name("#a");
    EXPECT_EQ(message(), "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}");
    (void)request->name("#b");
    EXPECT_EQ(message(), "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v, :w}");
    (void)request->value(":w");
    (void)request->value(":u");
    EXPECT_EQ(message(), "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}");
    (void)request->value(":v");
    EXPECT_TRUE(request->check_all_used());
}

TEST(Placeholders, NoneSent)
{
    Placeholders none({}, model::MapView());
    EXPECT_FALSE(none.name("#a"));
    EXPECT_FALSE(none.value(":a"));
    EXPECT_TRUE(none.check_all_used());
}

TEST(Placeholders, ManyAreFoundToo)
{
    for (const int count : {15, 16, 17, 200}) {
        std::string line;
        for (int i = count; i > 0; --i) {
            line += "#n" + std::to_string(i) + "=name" + std::to_string(i) + " :v" + std::to_string(i) +
                    "=N:" + std::to_string(i) + " ";
        }
        RequestPlaceholders request(line);
        for (int i = 1; i <= count; ++i) {
            EXPECT_EQ(request->name("#n" + std::to_string(i)), "name" + std::to_string(i));
            const auto value = request->value(":v" + std::to_string(i));
            ASSERT_TRUE(value) << i << " of " << count;
            EXPECT_EQ(describe(*value), "N:" + std::to_string(i));
        }
        EXPECT_FALSE(request->name("#n0"));
        EXPECT_FALSE(request->value(":v999"));
        EXPECT_FALSE(request->value(":"));
        EXPECT_TRUE(request->check_all_used());
    }
}

TEST(Placeholders, Syntax)
{
    EXPECT_TRUE(is_placeholder('#', "#a"));
    EXPECT_TRUE(is_placeholder(':', ":_9Z"));
    EXPECT_TRUE(is_placeholder(':', ":" + std::string(254, 'x')));
    for (const std::string_view text : {"", "#", "a", ":a", "##", "#a-b", "#a b", "#a.b", "#\xC3\xBC", "#a#"}) {
        EXPECT_FALSE(is_placeholder('#', text)) << text;
    }
    EXPECT_FALSE(is_placeholder(':', ":" + std::string(255, 'x')));
}

} // namespace
} // namespace basalt::expression

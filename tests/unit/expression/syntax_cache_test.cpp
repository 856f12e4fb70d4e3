// Cached trees stand on the caller's text alone, and the cache stays within its limit.
#include "expression/syntax.h"
#include "expression/syntax_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace basalt::expression {
namespace {

constexpr std::size_t kLargeBytes = 8 << 20;

bool points_into(std::string_view view, std::string_view text)
{
    return view.data() >= text.data() && view.data() + view.size() <= text.data() + text.size();
}

/// Everything a tree holds, as text.
std::string describe(const Tree &tree)
{
    std::string out;
    for (const Node &node : tree.nodes()) {
        out.append(std::to_string(static_cast<int>(node.kind))).append(":").append(node.text);
        for (const int number : {static_cast<int>(node.comparator), static_cast<int>(node.function),
                                 static_cast<int>(node.first_child), static_cast<int>(node.next_sibling),
                                 static_cast<int>(node.child_count), static_cast<int>(node.parenthesised)}) {
            out.append(",").append(std::to_string(number));
        }
        if (node.kind == NodeKind::path) {
            for (const PathElement &element : tree.path(node)) {
                out.append("/").append(std::to_string(static_cast<int>(element.kind))).append(element.text);
            }
        }
        out.append(" ");
    }
    return out;
}

struct Expression {
    ExpressionKind kind;
    std::string text;
};

std::vector<Expression> expressions()
{
    return {
        {ExpressionKind::condition, "attribute_exists(pk) AND #s = :v AND version < :n"},
        {ExpressionKind::filter, "size(a.b[3].#c) > :x OR NOT (contains(l, :y) AND z BETWEEN :lo AND :hi)"},
        {ExpressionKind::key_condition, "pk = :p AND begins_with(sk, :s)"},
        {ExpressionKind::condition, "a IN (:v, b, #c.d)"},
        {ExpressionKind::update,
         "SET a = if_not_exists(a, :z) + :one, b.c[1] = :v REMOVE d, e[2] ADD #n :one DELETE f :s"},
        {ExpressionKind::projection, "a, b.c[2], #n.x"},
    };
}

TEST(SyntaxCache, TreesStandOnTheCallersText)
{
    SyntaxCache cache(kLargeBytes);
    for (const auto &[kind, text] : expressions()) {
        std::string expected;
        {
            const std::string first = text;
            const auto tree = cache.parse(first, kind);
            ASSERT_TRUE(tree) << text << "   " << tree.error().message;
            expected = describe(*tree);
            EXPECT_EQ(expected, describe(*parse_syntax(first, kind)));
        }
        const std::string second = text;
        const auto tree = cache.parse(second, kind);
        ASSERT_TRUE(tree) << text;
        EXPECT_EQ(describe(*tree), expected);
        for (const Node &node : tree->nodes()) {
            EXPECT_TRUE(node.text.empty() || node.kind == NodeKind::section || points_into(node.text, second)) << text;
        }
        for (const PathElement &element : tree->elements()) {
            EXPECT_TRUE(points_into(element.text, second)) << text;
        }
    }
}

TEST(SyntaxCache, ChangesToATreeStayOutOfTheCache)
{
    SyntaxCache cache(kLargeBytes);
    const std::string text = "a = :v";
    for (int i = 0; i < 3; ++i) {
        auto tree = cache.parse(text, ExpressionKind::condition);
        ASSERT_TRUE(tree);
        EXPECT_EQ(describe(*tree), describe(*parse_syntax(text, ExpressionKind::condition)));
        EXPECT_TRUE(tree->nodes()[1].value.empty());
        tree->nodes()[1].value = "bytes";
        tree->path(tree->nodes()[0])[0].text = "other";
    }
}

TEST(SyntaxCache, OneTextInTwoGrammars)
{
    SyntaxCache cache(kLargeBytes);
    const std::string text = "a, b";
    for (int i = 0; i < 2; ++i) {
        EXPECT_TRUE(cache.parse(text, ExpressionKind::projection));
        EXPECT_FALSE(cache.parse(text, ExpressionKind::condition));
    }
}

TEST(SyntaxCache, KeepsNoErrors)
{
    SyntaxCache cache(kLargeBytes);
    for (const std::string text : {"", "a =", "a = = b", "nothing(a)", "size(a)", "((a = b))", "abort = :v"}) {
        const auto first = cache.parse(text, ExpressionKind::filter);
        const auto second = cache.parse(text, ExpressionKind::condition);
        ASSERT_FALSE(first) << text;
        ASSERT_FALSE(second) << text;
        EXPECT_TRUE(first.error().message.starts_with("Invalid FilterExpression: ")) << text;
        EXPECT_TRUE(second.error().message.starts_with("Invalid ConditionExpression: ")) << text;
    }
    EXPECT_EQ(cache.size_bytes(), 0U);
}

std::string numbered(int i)
{
    return "attribute_" + std::to_string(i) + " = :v AND attribute_exists(b[" + std::to_string(i) + "].c)";
}

TEST(SyntaxCache, StaysWithinItsLimit)
{
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1000}, std::size_t{20'000}, std::size_t{1} << 20}) {
        SyntaxCache cache(limit);
        std::size_t largest = 0;
        for (int i = 0; i < 5000; ++i) {
            const std::string text = numbered(i);
            ASSERT_TRUE(cache.parse(text, ExpressionKind::condition)) << text;
            largest = std::max(largest, cache.size_bytes());
        }
        constexpr std::size_t kOneEntry = 2000;
        EXPECT_LE(largest, limit + kOneEntry);
        EXPECT_TRUE(limit < 20'000 || largest > limit / 2) << largest << " of " << limit;
    }
}

TEST(SyntaxCache, KeepsWhatIsUsed)
{
    SyntaxCache cache(20'000);
    const std::string hot = "hot = :v";
    ASSERT_TRUE(cache.parse(hot, ExpressionKind::condition));
    for (int i = 0; i < 500; ++i) {
        const std::string text = numbered(i);
        ASSERT_TRUE(cache.parse(text, ExpressionKind::condition));
        const std::size_t before = cache.size_bytes();
        ASSERT_TRUE(cache.parse(hot, ExpressionKind::condition));
        EXPECT_LE(cache.size_bytes(), before) << "was parsed again after " << text;
    }
}

TEST(SyntaxCache, TextTooLargeToKeepIsParsedAllTheSame)
{
    SyntaxCache cache(4000);
    std::string text = "a = :v";
    for (int i = 0; i < 140; ++i) {
        text += " OR a = :v";
    }
    for (int i = 0; i < 2; ++i) {
        EXPECT_TRUE(cache.parse(text, ExpressionKind::filter));
        EXPECT_EQ(cache.size_bytes(), 0U);
    }
}

TEST(SyntaxCache, SeveralThreads)
{
    SyntaxCache cache(10'000); // room for a part of the texts: entries come and go all the time
    std::vector<Expression> texts = expressions();
    for (int i = 0; i < 20; ++i) {
        texts.push_back({ExpressionKind::condition, numbered(i)});
    }
    std::vector<std::string> expected;
    for (const auto &[kind, text] : texts) {
        expected.push_back(describe(*parse_syntax(text, kind)));
    }
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
        threads.emplace_back([&, seed] {
            std::mt19937 random(seed);
            for (int i = 0; i < 5000; ++i) {
                const std::size_t which = random() % texts.size();
                const std::string text = texts[which].text;
                const auto tree = cache.parse(text, texts[which].kind);
                wrong += tree && describe(*tree) == expected[which] ? 0 : 1;
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
}

} // namespace
} // namespace basalt::expression

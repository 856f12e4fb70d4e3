// Key conditions that are accepted and the clauses that they come down to.
#include "expression/key_condition.h"
#include "unit/expression/request_placeholders.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::expression {
namespace {

constexpr std::size_t kCacheBytes = 1 << 20;

std::string_view name_of(KeyOperator op)
{
    switch (op) {
    case KeyOperator::equal:
        return "=";
    case KeyOperator::less:
        return "<";
    case KeyOperator::less_or_equal:
        return "<=";
    case KeyOperator::greater:
        return ">";
    case KeyOperator::greater_or_equal:
        return ">=";
    case KeyOperator::between:
        return "between";
    case KeyOperator::begins_with:
        return "begins_with";
    case KeyOperator::not_indexable:
        break;
    }
    return "?";
}

/// "attribute operator TYPE:value", clauses separated by "; "; or the whole message.
std::string parsed(std::string_view text, std::string_view placeholders)
{
    RequestPlaceholders request(placeholders);
    SyntaxCache cache(kCacheBytes);
    const auto clauses = parse_key_condition(cache, text, *request);
    if (!clauses) {
        return clauses.error().message;
    }
    std::string out;
    for (const KeyClause &clause : *clauses) {
        out.append(out.empty() ? "" : "; ");
        out.append(clause.attribute).append(" ").append(name_of(clause.op)).append(" ").append(describe(clause.value));
        EXPECT_EQ(clause.upper.has_value(), clause.op == KeyOperator::between);
        if (clause.upper) {
            out.append(" ").append(describe(*clause.upper));
        }
    }
    return out;
}

TEST(KeyCondition, Clauses)
{
    const std::tuple<const char *, const char *, const char *> cases[] = {
        {"pk = :v", ":v=S:a", "pk = S:a"},
        {"pk=:v", ":v=N:5", "pk = N:5"},
        {"pk = :v", ":v=B:xyz", "pk = B:xyz"},
        {"pk = :v", ":v=S:", "pk = S:"},
        {"pk = :v", ":v=BOOL", "pk = BOOL"},
        {"pk = :v", ":v=NULL", "pk = NULL"},
        {"pk = :v", ":v=SS", "pk = SS"},
        {":v = pk", ":v=S:a", "pk = S:a"},
        {"#p = :v", "#p=size :v=S:a", "size = S:a"},
        {"#p = :v", "#p=a.b[1] :v=S:a", "a.b[1] = S:a"},
        {"(pk = :v)", ":v=S:a", "pk = S:a"},
        {"(pk) = (:v)", ":v=S:a", "pk = S:a"},
        {"((pk) = (:v))", ":v=S:a", "pk = S:a"},
        {"\tpk\n=\r:v  ", ":v=S:a", "pk = S:a"},
        {"pk < :v", ":v=S:a", "pk < S:a"},
        {"pk <= :v", ":v=S:a", "pk <= S:a"},
        {"pk > :v", ":v=S:a", "pk > S:a"},
        {"pk >= :v", ":v=S:a", "pk >= S:a"},
        {":v < sk", ":v=N:1", "sk > N:1"},
        {":v <= sk", ":v=N:1", "sk >= N:1"},
        {":v > sk", ":v=N:1", "sk < N:1"},
        {":v >= sk", ":v=N:1", "sk <= N:1"},
        {"(:v) >= (sk)", ":v=N:1", "sk <= N:1"},
        {"pk = :p AND sk = :s", ":p=S:a :s=N:1", "pk = S:a; sk = N:1"},
        {"pk = :p and sk = :s", ":p=S:a :s=N:1", "pk = S:a; sk = N:1"},
        {"sk = :s AnD pk = :p", ":p=S:a :s=N:1", "sk = N:1; pk = S:a"},
        {":s > sk AND :p = pk", ":p=S:a :s=N:1", "sk < N:1; pk = S:a"},
        {"(#pk = :pk) AND (#sk = :sk)", "#pk=pk #sk=sk :pk=S:p :sk=S:1", "pk = S:p; sk = S:1"},
        {"(#pk = :pk AND #sk = :sk)", "#pk=pk #sk=sk :pk=S:p :sk=S:1", "pk = S:p; sk = S:1"},
        {"(#pk = :pk AND (#sk = :sk))", "#pk=pk #sk=sk :pk=S:p :sk=S:1", "pk = S:p; sk = S:1"},
        {"pk = :v AND sk = :v", ":v=S:a", "pk = S:a; sk = S:a"},
        {"pk = :p AND sk < :s", ":p=S:a :s=B:q", "pk = S:a; sk < B:q"},
        {"pk = :p AND begins_with(sk, :s)", ":p=S:a :s=S:x", "pk = S:a; sk begins_with S:x"},
        {"begins_with(sk, :s) AND pk = :p", ":p=S:a :s=B:x", "sk begins_with B:x; pk = S:a"},
        {"pk = :p AND (begins_with((sk), (:s)))", ":p=S:a :s=S:", "pk = S:a; sk begins_with S:"},
        {"pk = :p AND begins_with ( #s , :s )", "#s=sk :p=S:a :s=S:x", "pk = S:a; sk begins_with S:x"},
        {"pk = :p AND sk BETWEEN :a AND :b", ":p=S:p :a=S:a :b=S:b", "pk = S:p; sk between S:a S:b"},
        {"sk BETWEEN :a AND :b AND pk = :p", ":p=S:p :a=S:a :b=S:b", "sk between S:a S:b; pk = S:p"},
        {"pk = :p AND (sk between :a and :b)", ":p=S:p :a=N:1 :b=N:10", "pk = S:p; sk between N:1 N:10"},
        {"pk = :p AND sk BETWEEN :a AND :a", ":p=S:p :a=N:1", "pk = S:p; sk between N:1 N:1"},
        {"(sk)between(:a)and(:b)", ":a=N:-2 :b=N:-1", "sk between N:-2 N:-1"},
        {"sk between :a and :b", ":a=N:9 :b=N:10", "sk between N:9 N:10"},
        {"sk between :a and :b", ":a=N:-1e10 :b=N:0.5", "sk between N:-10000000000 N:0.5"},
        {"sk between :a and :b", ":a=N:1.0 :b=N:1", "sk between N:1 N:1"},
        {"sk between :a and :b", ":a=S:Z :b=S:a", "sk between S:Z S:a"},
        {"sk between :a and :b", ":a=S:a :b=S:aa", "sk between S:a S:aa"},
        {"sk between :a and :b", ":a=S: :b=S:", "sk between S: S:"},
        {"sk between :a and :b", ":a=S:z :b=S:\xC3\xBC", "sk between S:z S:\xC3\xBC"},
        {"sk between :a and :b", ":a=B:\x7F :b=B:\x80", "sk between B:\x7F B:\x80"},
        // U+FF5E sorts before U+10000 by UTF-8 bytes, not so by UTF-16 units.
        {"sk between :a and :b", ":a=S:\xEF\xBD\x9E :b=S:\xF0\x90\x80\x80",
         "sk between S:\xEF\xBD\x9E S:\xF0\x90\x80\x80"},
        {"a = :v AND b = :v AND c = :v", ":v=S:1", "a = S:1; b = S:1; c = S:1"},
        {"(a = :v AND b = :v) AND (c = :v AND d > :v)", ":v=S:1", "a = S:1; b = S:1; c = S:1; d > S:1"},
        {"a=:v AND (b=:v AND (c=:v AND (d=:v AND (e=:v AND (f=:v AND (g=:v AND h<:v))))))", ":v=N:1",
         "a = N:1; b = N:1; c = N:1; d = N:1; e = N:1; f = N:1; g = N:1; h < N:1"},
        {"AND1 = :v", ":v=S:a", "AND1 = S:a"},
        {"begins_with = :v", ":v=S:a", "begins_with = S:a"},
        {"contains = :v AND remove_ = :v", ":v=S:a", "contains = S:a; remove_ = S:a"},
    };
    for (const auto &[text, placeholders, expected] : cases) {
        EXPECT_EQ(parsed(text, placeholders), expected) << text << "   " << placeholders;
    }
}

TEST(KeyCondition, MarksPlaceholdersAsUsed)
{
    RequestPlaceholders request("#p=pk #x=y :p=S:a :s=S:b :t=S:c");
    SyntaxCache cache(kCacheBytes);
    ASSERT_TRUE(parse_key_condition(cache, "#p = :p AND sk BETWEEN :s AND :t", *request));
    EXPECT_EQ(request->check_all_used().error().message,
              "Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}");
    (void)request->name("#x");
    EXPECT_TRUE(request->check_all_used());
}

TEST(KeyCondition, ClauseCount)
{
    const auto message = [](std::size_t count, std::size_t attributes) {
        const auto result = check_clause_count(count, attributes);
        return result ? "" : result.error().message;
    };
    const std::string classic = "Conditions can be of length 1 or 2 only";
    for (const std::size_t attributes : {1U, 2U}) {
        EXPECT_EQ(message(0, attributes), classic);
        EXPECT_EQ(message(1, attributes), "");
        EXPECT_EQ(message(2, attributes), "");
        EXPECT_EQ(message(3, attributes), classic);
        EXPECT_EQ(message(8, attributes), classic);
    }
    EXPECT_EQ(message(0, 3), classic);
    EXPECT_EQ(message(1, 3), "");
    EXPECT_EQ(message(3, 3), "");
    EXPECT_EQ(message(4, 3),
              "The number of query conditions (4) exceeds the number of key attributes defined in the schema (3)");
    EXPECT_EQ(message(8, 8), "");
}

} // namespace
} // namespace basalt::expression

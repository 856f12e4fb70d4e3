// What the text of an expression of each kind can have wrong beyond its grammar, and the grammar of updates and
// projections.
#include "expression/syntax.h"
#include "unit/expression/tree_notation.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::expression {
namespace {

std::string_view prefix_of(ExpressionKind kind)
{
    switch (kind) {
    case ExpressionKind::condition:
        return "Invalid ConditionExpression: ";
    case ExpressionKind::filter:
        return "Invalid FilterExpression: ";
    case ExpressionKind::key_condition:
        return "Invalid KeyConditionExpression: ";
    case ExpressionKind::update:
        return "Invalid UpdateExpression: ";
    case ExpressionKind::projection:
        return "Invalid ProjectionExpression: ";
    }
    return {};
}

/// The tree as an S-expression, or the message without its prefix.
std::string parsed(std::string_view text, ExpressionKind kind)
{
    const auto tree = parse_syntax(text, kind);
    if (tree) {
        return notation_of(*tree);
    }
    EXPECT_EQ(tree.error().code, ErrorCode::validation);
    EXPECT_TRUE(tree.error().message.starts_with(prefix_of(kind))) << tree.error().message;
    return tree.error().message.substr(prefix_of(kind).size());
}

struct Case {
    std::string text;
    std::string expected;
};

void expect_all(ExpressionKind kind, std::initializer_list<Case> cases)
{
    for (const auto &[text, expected] : cases) {
        EXPECT_EQ(parsed(text, kind), expected) << text;
    }
}

void expect_update(std::initializer_list<Case> cases)
{
    expect_all(ExpressionKind::update, cases);
}

void expect_projection(std::initializer_list<Case> cases)
{
    expect_all(ExpressionKind::projection, cases);
}

std::string syntax(std::string_view token, std::string_view near)
{
    return std::string("Syntax error; token: \"").append(token).append("\", near: \"").append(near).append("\"");
}

const std::string kReserved = "Attribute name is a reserved keyword; reserved keyword: ";
const std::string kRedundant = "The expression has redundant parentheses;";
const std::string kMisused = "The function is not allowed to be used this way in an expression; function: ";

TEST(Syntax, EmptyAndTooLong)
{
    const std::string fits = "a=" + std::string(4094, 'b');
    for (const auto kind : {ExpressionKind::condition, ExpressionKind::filter, ExpressionKind::key_condition}) {
        EXPECT_EQ(parsed("", kind), "The expression can not be empty;");
        EXPECT_EQ(parsed(fits, kind), "(= a " + fits.substr(2) + ")");
        EXPECT_EQ(parsed(fits + "b", kind),
                  "Expression size has exceeded the maximum allowed size; expression size: 4097");
        EXPECT_EQ(parsed(std::string(100'000, '('), kind),
                  "Expression size has exceeded the maximum allowed size; expression size: 100000");
    }
    expect_update({{"", "The expression can not be empty;"},
                   {"REMOVE " + std::string(4089, 'b'), "(update (REMOVE (remove " + std::string(4089, 'b') + ")))"},
                   {"REMOVE " + std::string(4090, 'b'), "Expression size has exceeded the maximum allowed size;"}});
    expect_projection(
        {{"", "The expression can not be empty;"},
         {std::string(4096, 'b'), "(projection " + std::string(4096, 'b') + ")"},
         {std::string(4097, 'b'), "Expression size has exceeded the maximum allowed size; expression size: 4097"}});
}

TEST(Syntax, ConditionsByTheOrderOfFaults)
{
    expect_all(
        ExpressionKind::condition,
        {{"nothing(a) = size(b) AND abort = b", "Invalid function name; function: nothing"},
         {"contains(size(c), contains(a, b)) AND abort = b", kMisused + "contains"},
         {"size(a)", kMisused + "size"},
         {"a = list_append(b, c)", "The function is not allowed in a condition expression; function: list_append"},
         {"a[99999999999] = abort", "List index is not within the allowable range; index: [99999999999]"},
         {"a = abOrt OR set[1] = :v", syntax("set", "OR set[")},
         {"a = abOrt", kReserved + "abOrt"}});
}

TEST(UpdateSyntax, Trees)
{
    expect_update({
        {"SET a = :v", "(update (SET (set a :v)))"},
        {"set a=b,c.d[1]=#e", "(update (SET (set a b) (set c.d[1] #e)))"},
        {"SET a = a + :v, b = c - b", "(update (SET (set a (+ a :v)) (set b (- c b))))"},
        {"SET a = ((b.c.d)+(e))", "(update (SET (set a (+ b.c.d e))))"},
        {"SET a = (b + c)", "(update (SET (set a (+ b c))))"},
        {"SET a = (b)", "(update (SET (set a b)))"},
        {"SET a = ((b) + c)", "(update (SET (set a (+ b c))))"},
        {"SET a = b - if_not_exists(c, :v)", "(update (SET (set a (- b (if_not_exists c :v)))))"},
        {"SET a = if_not_exists(a, b) + b", "(update (SET (set a (+ (if_not_exists a b) b))))"},
        {"SET a = if_not_exists(a, if_not_exists(a, (b)))",
         "(update (SET (set a (if_not_exists a (if_not_exists a b)))))"},
        {"SET a = list_append(if_not_exists(a, :e), :v)",
         "(update (SET (set a (list_append (if_not_exists a :e) :v))))"},
        {"SET a = if_not_exists(a, list_append(b, c))", "(update (SET (set a (if_not_exists a (list_append b c)))))"},
        {"REMOVE a, b[0], #c.d", "(update (REMOVE (remove a) (remove b[0]) (remove #c.d)))"},
        {"ADD a :v, b.c :w", "(update (ADD (add a :v) (add b.c :w)))"},
        {"DELETE a :v", "(update (DELETE (delete a :v)))"},
        {" delete a :v\nremove b\tadd c :w set d = e ",
         "(update (DELETE (delete a :v)) (REMOVE (remove b)) (ADD (add c :w)) (SET (set d e)))"},
    });
}

TEST(UpdateSyntax, SyntaxErrors)
{
    expect_update({
        {"whatever", syntax("whatever", "whatever")},
        {" ", syntax("<EOF>", " ")},
        {"set", syntax("<EOF>", "set")},
        {"set a", syntax("<EOF>", "a")},
        {"add a", syntax("<EOF>", "a")},
        {"remove", syntax("<EOF>", "remove")},
        {"set a=set", syntax("set", "=set")},
        {"set a = b, set c = d", syntax("set", ", set c")},
        {"remove a = b", syntax("=", "a = b")},
        {"add a = b", syntax("=", "a = b")},
        {"delete a b", syntax("b", "a b")},
        {"delete a if_not_exist(b)", syntax("if_not_exist", "a if_not_exist(")},
        {"add a (:v)", syntax("(", "a (:v")},
        {"remove a b", syntax("b", "a b")},
        {"set a b", syntax("b", "a b")},
        {"set :a = b", syntax(":a", "set :a =")},
        {"remove :a", syntax(":a", "remove :a")},
        {"set a = b / c", syntax("/", "b / c")},
        {"set a = b * c", syntax("*", "b * c")},
        {"set a[1] = \"eight\"", syntax("\"", "= \"eight")},
        {"set a[1] = 1", syntax("1", "= 1")},
        {"SET a = if_not_exists(a, 100)", syntax("100", ", 100)")},
        {"SET if_not_exists(a, b) = a", syntax("(", "if_not_exists(a")},
        {"set (a = (b + c))", syntax("(", "set (a")},
        {"set a = (b.c).d + e", syntax(".", ").d")},
        {"set a = (b.c)[0] + e", syntax("[", ")[0")},
        {"set a = b + c + d", syntax("+", "c + d")},
        {"set a = (b + c) + d", syntax("+", ") + d")},
        {"set a = b + (c + d)", syntax("+", "c + d")},
        {"set a = list_append(b + c, d)", syntax("+", "b + c")},
        {"set a = -b", syntax("-", "= -b")},
        {"set a = b,", syntax("<EOF>", ",")},
        {"set a = b remove c = d", syntax("=", "c = d")},
        {"set a = b = c", syntax("=", "b = c")},
        {"set a = b AND c = d", syntax("AND", "b AND c")},
        {"set a = b; remove c", syntax(";", "b; remove")},
        {"set a = if_not_exists()", syntax(")", "()")},
        {"set a = (b", syntax("<EOF>", "b")},
        {"a = b", syntax("a", "a =")},
    });
}

TEST(UpdateSyntax, RedundantParentheses)
{
    expect_update({
        {"SET a = ((b))", kRedundant},
        {"SET a = ((b + c))", kRedundant},
        {"SET a = ((b)) + c", kRedundant},
        {"SET a = b + ((c))", kRedundant},
        {"SET a = list_append(((b)), c)", kRedundant},
        {"SET a = " + std::string(4000, '('), kRedundant},
        {"SET a = b + " + std::string(4000, '('), kRedundant},
    });
}

TEST(UpdateSyntax, OperatorLimit)
{
    std::string text = "SET a = b";
    for (int i = 0; i < 300; ++i) {
        text.append(",a=a").append(i % 2 == 0 ? "+b" : "-b");
    }
    EXPECT_TRUE(parsed(text, ExpressionKind::update).starts_with("(update (SET (set a b) (set a (+ a b))")) << text;
    EXPECT_EQ(parsed(text + ",a=f(b)", ExpressionKind::update),
              "The expression contains too many operators; operator count: 301");
    std::string calls = "SET a=";
    for (int i = 0; i < 1000; ++i) {
        calls += "f(";
    }
    EXPECT_EQ(parsed(calls, ExpressionKind::update), "The expression contains too many operators; operator count: 301");
}

TEST(UpdateSyntax, FaultsByTheirOrder)
{
    expect_update({
        {"SET a = nothing(b) REMOVE abORt SET c = d", kReserved + "abORt"},
        {"SET between = :v", kReserved + "between"},
        {"REMOVE a.AND", kReserved + "AND"},
        {"REMOVE a[2147483648], abort", "List index is not within the allowable range; index: [2147483648]"},
        {"SET a = nothing(b) SET c = size(d)", "Invalid function name; function: nothing"},
        {"SET a = List_append(b, c)", "Invalid function name; function: List_append"},
        {"SET a = #c SET c = size(d)", "The function is not allowed in an update expression; function: size"},
        {"SET a = attribute_exists(b)",
         "The function is not allowed in an update expression; function: attribute_exists"},
        {"SET a = list_append(list_append(b, c), d) SET e = f", kMisused + "list_append"},
        {"SET a = list_append(b, if_not_exists(c, list_append(d, e)))", kMisused + "list_append"},
        {"set a = #c set c = :d", "The \"SET\" section can only be used once in an update expression;"},
        {"Remove #d set a = b remove e", "The \"REMOVE\" section can only be used once in an update expression;"},
        {"add #d :e set a = b add e :f", "The \"ADD\" section can only be used once in an update expression;"},
        {"delete #d :e set a = b delete #e :f",
         "The \"DELETE\" section can only be used once in an update expression;"},
        {"remove a set b = c set d = e remove f", "The \"SET\" section can only be used once in an update expression;"},
    });
}

TEST(ProjectionSyntax, Trees)
{
    expect_projection({
        {"a", "(projection a)"},
        {" a , b.c[0][1].#d,#e ", "(projection a b.c[0][1].#d #e)"},
        {"a,a", "(projection a a)"},
    });
}

TEST(ProjectionSyntax, SyntaxErrors)
{
    expect_projection({
        {"whatever(stuff)", syntax("(", "whatever(stuff")},
        {":a", syntax(":a", ":a")},
        {"abort,", syntax("<EOF>", ",")},
        {"a,,b", syntax(",", ",,b")},
        {"a..b", syntax(".", "..b")},
        {"a[b]", syntax("b", "[b]")},
        {"(a.b).c", syntax("(", "(a")},
        {"(a)", syntax("(", "(a")},
        {"a b", syntax("b", "a b")},
        {"a-b", syntax("-", "a-b")},
        {"*", syntax("*", "*")},
        {" ", syntax("<EOF>", " ")},
    });
}

TEST(ProjectionSyntax, ReservedWordsAndIndexes)
{
    expect_projection({
        {"a.abORt", kReserved + "abORt"},
        {"#a,ABSoLUTE", kReserved + "ABSoLUTE"},
        {"a, set", kReserved + "set"},
        {"not", kReserved + "not"},
        {"a[99999999999999], abort", "List index is not within the allowable range; index: [99999999999999]"},
    });
}

} // namespace
} // namespace basalt::expression

// Trees as S-expressions, syntax errors as the service words them, and the limits that bound the parser.
#include "expression/parser.h"
#include "unit/expression/tree_notation.h"

#include <gtest/gtest.h>

#include <string>

namespace basalt::expression {
namespace {

/// The tree as an S-expression, or the message without its prefix.
std::string parsed(std::string_view text)
{
    const auto tree = parse_condition_syntax(text, ExpressionKind::filter);
    if (tree) {
        return notation_of(*tree);
    }
    EXPECT_EQ(tree.error().code, ErrorCode::validation);
    const std::string prefix = "Invalid FilterExpression: ";
    EXPECT_TRUE(tree.error().message.starts_with(prefix)) << tree.error().message;
    return tree.error().message.substr(prefix.size());
}

TEST(Parser, Trees)
{
    const std::pair<const char *, const char *> cases[] = {
        {"a = :v", "(= a :v)"},
        {"a<>b", "(<> a b)"},
        {"a < b AND a <= b AND a > b AND a >= b", "(and (< a b) (<= a b) (> a b) (>= a b))"},
        {"a = b OR c = d AND e = f", "(or (= a b) (and (= c d) (= e f)))"},
        {"a = b AND c = d OR e = f", "(or (and (= a b) (= c d)) (= e f))"},
        {"a = b AND (c = d OR e = f)", "(and (= a b) (or (= c d) (= e f)))"},
        {"(a = b AND c = d) AND e = f", "(and (and (= a b) (= c d)) (= e f))"},
        {"NOT a = b AND c = d", "(and (not (= a b)) (= c d))"},
        {"NOT (a = b AND c = d)", "(not (and (= a b) (= c d)))"},
        {"not not a = b", "(not (not (= a b)))"},
        {"a BETWEEN b AND c AND d = e", "(and (between a b c) (= d e))"},
        {"a between :lo and :hi or b = c", "(or (between a :lo :hi) (= b c))"},
        {"a IN (b)", "(in a b)"},
        {"a in(:a,:b , c)", "(in a :a :b c)"},
        {"attribute_exists(a)", "(attribute_exists a)"},
        {"size ( a ) > :n", "(> (size a) :n)"},
        {"contains(a, size(b.c))", "(contains a (size b.c))"},
        {"whatever(a, b, c)", "(whatever a b c)"},
        {"a.b[0].#c[12][3] = :v", "(= a.b[0].#c[12][3] :v)"},
        {"a . b [ 0 ] = :v", "(= a.b[0] :v)"},
        {"(a) = (:v)", "(= a :v)"},
        {"((a) = (:v))", "(= a :v)"},
        {"(size((a))) > :v", "(> (size a) :v)"},
        {"(contains(a, b))", "(contains a b)"},
        {"(a = b) OR (NOT (c = d))", "(or (= a b) (not (= c d)))"},
        {"(a)between(b.c)and(c)", "(between a b.c c)"},
        {"a IN ((b), (c))", "(in a b c)"},
    };
    for (const auto &[text, expected] : cases) {
        EXPECT_EQ(parsed(text), expected) << text;
    }
}

TEST(Parser, RootIsTheLastNodeAndChildrenComeFirst)
{
    const auto tree = parse_condition_syntax("a = b AND NOT contains(c, size(d))", ExpressionKind::condition);
    ASSERT_TRUE(tree);
    const auto nodes = tree->nodes();
    EXPECT_EQ(&tree->root(), &nodes.back());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (NodeIndex child = nodes[i].first_child; child != kNoNode; child = (*tree)[child].next_sibling) {
            EXPECT_LT(child, i);
        }
    }
}

std::string syntax(std::string_view token, std::string_view near)
{
    return std::string("Syntax error; token: \"").append(token).append("\", near: \"").append(near).append("\"");
}

struct SyntaxError {
    const char *text;
    const char *token;
    const char *near;
};

void expect_all(std::initializer_list<SyntaxError> cases)
{
    for (const auto &[text, token, near] : cases) {
        EXPECT_EQ(parsed(text), syntax(token, near)) << text;
    }
}

TEST(Parser, SyntaxErrorsInOperands)
{
    expect_all({
        {"things are not gonna be ok", "are", "things are not"},
        {"foo", "<EOF>", "foo"},
        {"a-b", "-", "a-b"},
        {"a > 4", "4", "> 4"},
        {"a = = b", "=", "= = b"},
        {"!!!", "!", "!!"},
        {"a = \"b\"", "\"", "= \"b"},
        {"a != :v", "!", "a !="},
        {"attribute_exists(Pictures-RearView)", "-", "Pictures-RearView"},
        {"attribute_exists(\"Pictures.RearView\")", "\"", "(\"Pictures"},
        {"attribute_exists(Pictures..RearView)", ".", "..RearView"},
        {"attribute_exists(Pi#ctures.RearView)", "#ctures", "Pi#ctures."},
        {"attribute_exists(asdf[a])", "a", "[a]"},
        {"attribute_exists([1].a)", "[", "([1"},
        {"attribute_exists()", ")", "()"},
        {"a[-1] = :v", "-", "[-1"},
        {"a[01] = :v", "1", "01]"},
        {"a[] = :v", "]", "[] ="},
        {"a in b, c", "b", "in b,"},
        {"a > between", "between", "> between"},
        {"a in (b,c,)", ")", ",)"},
        {"(a)between(b.(c.d))and(c)", "(", ".(c"},
        {"(a)between(b.c.d)and((c)", "<EOF>", ")"},
        {"#$.b > a", "#", "#$"},
        {"a > :things.stuff", ".", ":things.stuff"},
        {"b[:a] > a", ":a", "[:a]"},
        {"b[#_] > a", "#_", "[#_]"},
        {"\xC3\xBC > a", "\xC3\xBC", "\xC3\xBC >"},
        {"(a)between(b.c[4.5].#d)and(:a)", ".", "4.5"},
        {"size(a).b > a", ".", ").b"},
        {"(size(a)).b > a", ".", ").b"},
        {"size(a)[0] > a", "[", ")[0"},
    });
}

TEST(Parser, SyntaxErrorsInConditions)
{
    expect_all({
        {"NOT #flag", "<EOF>", "#flag"},
        {"(#flag)", "<EOF>", ")"},
        {"contains (themes, :theme", "<EOF>", ":theme"},
        {"a attribute_not_exists :c", "attribute_not_exists", "a attribute_not_exists :c"},
        {"hits : incr", ":", "hits : incr"},
        {"tenant:abc123-", ":abc123", "tenant:abc123-"},
        {"begins_with(b, G_M#)", "#", "G_M#)"},
        {"a = :a AND __type = :b", "_", "AND __"},
        {"a = 0.5", "0", "= 0."},
        {"a = b = c", "=", "b = c"},
        {"(a = b) = c", "=", ") = c"},
        {"a = b OR (((c)) = d) = e", "=", ") = e"},
        {"(a.b).c = d", ".", ").c"},
        {"(a AND b = c)", "AND", "a AND b"},
        {"a AND b = c", "AND", "a AND b"},
        {"a = b AND c", "<EOF>", "c"},
        {"a = b AND c OR d = e", "OR", "c OR d"},
        {"a > (b = c)", "=", "b = c"},
        {"a = b c = d", "c", "b c ="},
        {"a = b)", ")", "b)"},
        {"(a = b", "<EOF>", "b"},
        {"a = b AND", "<EOF>", "AND"},
        {"AND", "AND", "AND"},
        {"set = :v", "set", "set ="},
        {"a.delete = :v", "delete", ".delete ="},
        {"#a.:b = :v", ":b", ".:b ="},
        {"a BETWEEN b OR c", "OR", "b OR c"},
        {"a BETWEEN b, c", ",", "b, c"},
        {"NOT", "<EOF>", "NOT"},
        {"()", ")", "()"},
        {"a NOT IN (b)", "NOT", "a NOT IN"},
        {"  ", "<EOF>", "  "},
        {"a = :v;", ";", ":v;"},
        {"a.b. = :v", "=", ". = :v"},
        {"SELECT * FROM t", "*", "SELECT * FROM"},
        {"a\n=\t=  b", "=", "=\t=  b"},
    });
}

TEST(Parser, RedundantParentheses)
{
    const std::string redundant = "The expression has redundant parentheses;";
    for (const char *text : {
             "a=a and a > ((views))",
             "(a)between(((b.c)).d)and(c)",
             "a > whatever((:things), ((a)))",
             "a=a AND ((a=a AND a=a)) AND a=a",
             "a=a OR ((a=a OR a=a)) OR a=a",
             "a=a AND ((a=a AND (a=a AND a=a)))",
             "((a=a))",
             "((a)) = b",
             "NOT ((a = b))",
             "((contains(a, b)))",
             "((size(a))) > b",
         }) {
        EXPECT_EQ(parsed(text), redundant) << text;
    }
}

TEST(Parser, OperatorLimit)
{
    std::string text = "a<b";
    for (int i = 0; i < 149; ++i) {
        text += " OR a<b";
    }
    text += " OR f(a)"; // 151 operands, 150 OR: 301
    EXPECT_EQ(parsed(text), "The expression contains too many operators; operator count: 301");
    text.replace(text.size() - 8, 8, "");
    EXPECT_TRUE(parsed(text).starts_with("(or ")) << parsed(text);
    EXPECT_TRUE(parsed("NOT " + text).starts_with("(or (not"));
    EXPECT_EQ(parsed("NOT NOT " + text), "The expression contains too many operators; operator count: 301");
}

TEST(Parser, DeepNestingIsRefused)
{
    const std::string too_many = "The expression contains too many operators; operator count: 301";
    const std::string redundant = "The expression has redundant parentheses;";
    EXPECT_EQ(parsed(std::string(4096, '(')), redundant);
    EXPECT_EQ(parsed("a=" + std::string(4094, '(')), redundant);
    EXPECT_EQ(parsed(std::string(1000, '(') + "a=b" + std::string(1000, ')')), redundant);
    std::string nots;
    std::string calls;
    std::string chain;
    for (int i = 0; i < 1000; ++i) {
        nots += "NOT ";
        calls += "f(";
    }
    for (int i = 0; i < 400; ++i) {
        chain += "a<b or (";
    }
    EXPECT_EQ(parsed(nots), too_many);
    EXPECT_EQ(parsed(calls), too_many);
    EXPECT_EQ(parsed(chain), too_many);
}

TEST(Parser, DeepestNestingThatFits)
{
    std::string text;
    for (int i = 0; i < 299; ++i) {
        text += "NOT (";
    }
    text += "(a)<b" + std::string(299, ')');
    EXPECT_TRUE(parsed(text).starts_with("(not (not")) << parsed(text);
}

TEST(Tree, IndexesDoNotWrap)
{
    Tree tree;
    for (int i = 0; i < 0xFFFF; ++i) {
        tree.add(Node{});
    }
    EXPECT_DEATH(tree.add(Node{}), "broken invariant");
    Node path = tree.begin_path();
    for (int i = 0; i < 0xFFFF; ++i) {
        tree.add_element(path, {PathElement::Kind::attribute, "a"});
    }
    EXPECT_EQ(tree.path(path).size(), 0xFFFFU);
    EXPECT_DEATH(tree.add_element(path, {PathElement::Kind::attribute, "a"}), "broken invariant");
    EXPECT_DEATH((void)tree.begin_path(), "broken invariant");
}

} // namespace
} // namespace basalt::expression

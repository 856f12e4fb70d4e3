// Tokens of well-formed and of hostile text.
#include "expression/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace basalt::expression {
namespace {

using Kinds = std::vector<TokenKind>;

/// The tokens' texts joined by '|'; an integer is prefixed by 'i', a keyword by 'k', an unknown token by '?'.
std::string tokens(std::string_view text)
{
    Lexer lexer(text);
    std::string out;
    for (Token token = lexer.next(); token.kind != TokenKind::end; token = lexer.next()) {
        out.append(out.empty() ? "" : "|");
        if (token.kind == TokenKind::integer) {
            out.append("i");
        } else if (token.kind == TokenKind::unknown) {
            out.append("?");
        } else if (token.kind >= TokenKind::keyword_and && token.kind <= TokenKind::keyword_delete) {
            out.append("k");
        }
        out.append(lexer.text(token));
    }
    return out;
}

Kinds kinds(std::string_view text)
{
    Lexer lexer(text);
    Kinds out;
    do {
        out.push_back(lexer.next().kind);
    } while (out.back() != TokenKind::end);
    return out;
}

TEST(Lexer, Identifiers)
{
    EXPECT_EQ(tokens("a b_1 Zz9__"), "a|b_1|Zz9__");
    EXPECT_EQ(tokens("a-b"), "a|-|b");
    EXPECT_EQ(tokens("_a"), "?_|a");
    EXPECT_EQ(tokens("__typename"), "?_|?_|typename");
    EXPECT_EQ(tokens("9lives"), "i9|lives");
}

TEST(Lexer, Keywords)
{
    EXPECT_EQ(tokens("AND and aNd OR oR NOT not BETWEEN beTween IN in"),
              "kAND|kand|kaNd|kOR|koR|kNOT|knot|kBETWEEN|kbeTween|kIN|kin");
    EXPECT_EQ(tokens("SET remove Add DELETE"), "kSET|kremove|kAdd|kDELETE");
    EXPECT_EQ(tokens("ands an nota betwee in_ orr sets #and :or"), "ands|an|nota|betwee|in_|orr|sets|#and|:or");
    EXPECT_EQ(kinds("and or not between in set remove add delete"),
              (Kinds{TokenKind::keyword_and, TokenKind::keyword_or, TokenKind::keyword_not, TokenKind::keyword_between,
                     TokenKind::keyword_in, TokenKind::keyword_set, TokenKind::keyword_remove, TokenKind::keyword_add,
                     TokenKind::keyword_delete, TokenKind::end}));
}

TEST(Lexer, Placeholders)
{
    EXPECT_EQ(kinds("#a :a #1 :_"), (Kinds{TokenKind::name_placeholder, TokenKind::value_placeholder,
                                           TokenKind::name_placeholder, TokenKind::value_placeholder, TokenKind::end}));
    EXPECT_EQ(tokens("#a#b:c:d"), "#a|#b|:c|:d");
    EXPECT_EQ(tokens("# : #- :("), "?#|?:|?#|-|?:|(");
    EXPECT_EQ(tokens("a#"), "a|?#");
}

TEST(Lexer, Integers)
{
    EXPECT_EQ(tokens("0 10 007 12a"), "i0|i10|i0|i0|i7|i12|a");
    EXPECT_EQ(tokens("2021-03-03"), "i2021|-|i0|i3|-|i0|i3");
    EXPECT_EQ(tokens("4.5"), "i4|.|i5");
}

TEST(Lexer, Punctuation)
{
    EXPECT_EQ(kinds("= <> < <= > >= ( ) [ ] , . + -"),
              (Kinds{TokenKind::equal, TokenKind::not_equal, TokenKind::less, TokenKind::less_or_equal,
                     TokenKind::greater, TokenKind::greater_or_equal, TokenKind::left_parenthesis,
                     TokenKind::right_parenthesis, TokenKind::left_bracket, TokenKind::right_bracket, TokenKind::comma,
                     TokenKind::dot, TokenKind::plus, TokenKind::minus, TokenKind::end}));
    EXPECT_EQ(tokens("<<>>==<==<>"), "<|<>|>=|=|<=|=|<>");
    EXPECT_EQ(tokens("!=+*/\"'{}"), "?!|=|+|?*|?/|?\"|?'|?{|?}");
}

TEST(Lexer, WhitespaceSeparates)
{
    EXPECT_EQ(tokens(" \t\r\na\n=\t:v "), "a|=|:v");
    EXPECT_EQ(tokens("a\vb\fc"), "a|?\v|b|?\f|c");
    EXPECT_EQ(tokens(" \t"), "");
    EXPECT_EQ(tokens(std::string_view("a\0b", 3)), std::string("a|?\0|b", 6));
}

TEST(Lexer, UnknownTokensKeepUtf8Sequences)
{
    EXPECT_EQ(tokens("\xC3\xBC > a"), "?\xC3\xBC|>|a");
    EXPECT_EQ(tokens("\xE2\x82\xAC\xF0\x9F\x98\x80"), "?\xE2\x82\xAC|?\xF0\x9F\x98\x80");
    EXPECT_EQ(tokens("a\xE2\x82"), "a|?\xE2\x82");
    EXPECT_EQ(tokens("\xA0\xA0"), "?\xA0\xA0");
}

TEST(Lexer, EndRepeats)
{
    Lexer lexer("a ");
    EXPECT_EQ(lexer.next().kind, TokenKind::identifier);
    for (int i = 0; i < 3; ++i) {
        const Token end = lexer.next();
        EXPECT_EQ(end.kind, TokenKind::end);
        EXPECT_EQ(end.begin, 2U);
        EXPECT_EQ(end.end, 2U);
    }
}

} // namespace
} // namespace basalt::expression

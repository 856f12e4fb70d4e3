// Splits the text of an expression into tokens. Every kind of expression is made of the same tokens.
//
//   identifier        := letter (letter | digit | '_')*      unless it is a keyword, in any case
//   name_placeholder  := '#' (letter | digit | '_')+
//   value_placeholder := ':' (letter | digit | '_')+
//   integer           := '0' | nonzero digit*
//   unknown           := any other character (one UTF-8 sequence); never an error here, the parser refuses it
#pragma once

#include <cstdint>
#include <string_view>

namespace basalt::expression {

enum class TokenKind : std::uint8_t {
    end,
    identifier,
    name_placeholder,
    value_placeholder,
    integer,
    equal,
    not_equal,
    less,
    less_or_equal,
    greater,
    greater_or_equal,
    left_parenthesis,
    right_parenthesis,
    left_bracket,
    right_bracket,
    comma,
    dot,
    plus,
    minus,
    keyword_and,
    keyword_or,
    keyword_not,
    keyword_between,
    keyword_in,
    keyword_set,
    keyword_remove,
    keyword_add,
    keyword_delete,
    unknown,
};

/// Half-open byte range of the text. The token `end` has the text's size as both bounds.
struct Token {
    TokenKind kind = TokenKind::end;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

/// A position in a text, which must outlive it. Copies are independent, so looking ahead is copying.
class Lexer {
public:
    explicit Lexer(std::string_view text) noexcept
        : text_(text)
    {}

    /// Space, tab, carriage return and line feed separate tokens. After the last token: `end`, again and again.
    [[nodiscard]] Token next() noexcept;

    [[nodiscard]] std::string_view text() const noexcept { return text_; }
    [[nodiscard]] std::string_view text(const Token &token) const noexcept
    {
        return text_.substr(token.begin, token.end - token.begin);
    }

private:
    [[nodiscard]] std::uint32_t end_of_word(std::uint32_t at) const noexcept;
    [[nodiscard]] char at_or_nul(std::uint32_t at) const noexcept { return at < text_.size() ? text_[at] : '\0'; }

    std::string_view text_;
    std::uint32_t at_ = 0;
};

/// One of the characters that placeholders consist of after '#' or ':': ASCII letters, digits and '_'.
[[nodiscard]] bool is_word_character(char c) noexcept;

} // namespace basalt::expression

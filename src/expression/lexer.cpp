// Character classes, keywords and the token rules.
#include "expression/lexer.h"

#include <array>
#include <cstddef>

namespace basalt::expression {

namespace {

enum CharacterClass : std::uint8_t { other, space, letter, digit, underscore };

constexpr std::array<CharacterClass, 256> kClasses = [] {
    std::array<CharacterClass, 256> classes{};
    for (const unsigned char c : {' ', '\t', '\r', '\n'}) {
        classes[c] = space;
    }
    for (std::size_t c = 'a'; c <= 'z'; ++c) {
        classes[c] = letter;
        classes[c - 'a' + 'A'] = letter;
    }
    for (std::size_t c = '0'; c <= '9'; ++c) {
        classes[c] = digit;
    }
    classes['_'] = underscore;
    return classes;
}();

CharacterClass class_of(char c) noexcept
{
    return kClasses[static_cast<unsigned char>(c)];
}

/// lower: lower-case letters.
bool is_keyword(std::string_view word, std::string_view lower) noexcept
{
    for (std::size_t i = 0; i < lower.size(); ++i) {
        if ((word[i] | 0x20) != lower[i]) {
            return false;
        }
    }
    return true;
}

TokenKind word_kind(std::string_view word) noexcept
{
    switch (word.size()) {
    case 2:
        return is_keyword(word, "or")   ? TokenKind::keyword_or
               : is_keyword(word, "in") ? TokenKind::keyword_in
                                        : TokenKind::identifier;
    case 3:
        return is_keyword(word, "and")   ? TokenKind::keyword_and
               : is_keyword(word, "not") ? TokenKind::keyword_not
               : is_keyword(word, "set") ? TokenKind::keyword_set
               : is_keyword(word, "add") ? TokenKind::keyword_add
                                         : TokenKind::identifier;
    case 6:
        return is_keyword(word, "remove")   ? TokenKind::keyword_remove
               : is_keyword(word, "delete") ? TokenKind::keyword_delete
                                            : TokenKind::identifier;
    case 7:
        return is_keyword(word, "between") ? TokenKind::keyword_between : TokenKind::identifier;
    default:
        return TokenKind::identifier;
    }
}

TokenKind punctuation_kind(char c) noexcept
{
    switch (c) {
    case '=':
        return TokenKind::equal;
    case '<':
        return TokenKind::less;
    case '>':
        return TokenKind::greater;
    case '(':
        return TokenKind::left_parenthesis;
    case ')':
        return TokenKind::right_parenthesis;
    case '[':
        return TokenKind::left_bracket;
    case ']':
        return TokenKind::right_bracket;
    case ',':
        return TokenKind::comma;
    case '.':
        return TokenKind::dot;
    case '+':
        return TokenKind::plus;
    case '-':
        return TokenKind::minus;
    default:
        return TokenKind::unknown;
    }
}

} // namespace

bool is_word_character(char c) noexcept
{
    return class_of(c) >= letter;
}

std::uint32_t Lexer::end_of_word(std::uint32_t at) const noexcept
{
    while (at < text_.size() && is_word_character(text_[at])) {
        ++at;
    }
    return at;
}

Token Lexer::next() noexcept
{
    while (at_ < text_.size() && class_of(text_[at_]) == space) {
        ++at_;
    }
    Token token{TokenKind::end, at_, at_};
    if (at_ == text_.size()) {
        return token;
    }
    const char c = text_[at_];
    token.end = at_ + 1;
    if (class_of(c) == letter) {
        token.end = end_of_word(token.end);
        token.kind = word_kind(text(token));
    } else if (c == '#' || c == ':') {
        token.end = end_of_word(token.end);
        token.kind = token.end == at_ + 1 ? TokenKind::unknown
                     : c == '#'           ? TokenKind::name_placeholder
                                          : TokenKind::value_placeholder;
    } else if (class_of(c) == digit) {
        while (c != '0' && class_of(at_or_nul(token.end)) == digit) {
            ++token.end;
        }
        token.kind = TokenKind::integer;
    } else {
        token.kind = punctuation_kind(c);
        const char following = at_or_nul(token.end);
        if (token.kind == TokenKind::less && (following == '>' || following == '=')) {
            token.kind = following == '>' ? TokenKind::not_equal : TokenKind::less_or_equal;
            ++token.end;
        } else if (token.kind == TokenKind::greater && following == '=') {
            token.kind = TokenKind::greater_or_equal;
            ++token.end;
        }
        // Error messages quote the token: keep the bytes of a UTF-8 sequence together.
        while (token.kind == TokenKind::unknown && (c & 0x80) != 0 && (at_or_nul(token.end) & 0xC0) == 0x80) {
            ++token.end;
        }
    }
    at_ = token.end;
    return token;
}

} // namespace basalt::expression

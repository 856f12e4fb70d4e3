// What the parsers of all kinds of expressions share: tokens, operands, document paths, parentheses, counting, errors.
//
//   operand := path | ':'value | call | '(' operand ')'
//   call    := identifier '(' operand ( ',' operand )* ')'
//   path    := name ( '.' name | '[' integer ']' )*        name := identifier | '#'name
#pragma once

#include "basalt/error.h"
#include "basalt/result.h"
#include "expression/expression_kind.h"
#include "expression/lexer.h"
#include "expression/tree.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace basalt::expression {

/// A recursive-descent parser at one token of a text. What gives kNoNode or false has set the error.
class ExpressionParser {
protected:
    ExpressionParser(std::string_view text, ExpressionKind kind);

    [[nodiscard]] Tree &tree() noexcept { return tree_; }
    [[nodiscard]] TokenKind current() const noexcept { return current_.kind; }
    void advance();
    bool take(TokenKind kind);
    /// Takes the current token and counts it.
    bool take_operator();

    NodeIndex operand();
    NodeIndex path();
    NodeIndex value();
    /// kNoNode: nothing is appended.
    bool append(Children &children, NodeIndex child);
    bool append_operand(Children &children) { return append(children, operand()); }
    /// '(' operand ( ',' operand )* ')'
    bool append_operand_list(Children &children);

    /// Around what stands in parentheses, which must not be parenthesised itself.
    bool open_parenthesis();
    NodeIndex close_parenthesis(NodeIndex inner);

    /// At the current token; quotes it and the text from the token before it to the token behind it.
    NodeIndex syntax_error();

    /// The tree if root stands at the end of the text, the error otherwise.
    Result<Tree> finish(NodeIndex root);

private:
    /// Keywords of other kinds of expressions are names, which then turn out to be reserved words.
    [[nodiscard]] bool is_name(TokenKind kind) const noexcept;
    NodeIndex path_from(const Token &first);
    NodeIndex call(std::string_view name);
    bool count_operator();
    NodeIndex redundant_parentheses();

    Lexer lexer_;
    ExpressionKind kind_;
    std::optional<Token> previous_;
    Token current_;
    Tree tree_;
    std::size_t operators_ = 0;
    std::size_t parenthesis_depth_ = 0;
    bool has_redundant_parentheses_ = false;
    std::optional<Error> error_;
};

} // namespace basalt::expression

// Operands, paths and errors of the recursive-descent parsers.
#include "expression/expression_parser.h"

#include "model/limits.h"

#include <cstdint>
#include <string>
#include <utility>

namespace basalt::expression {

namespace {

// Without a redundant pair, every pair of parentheses but the innermost encloses an operator or function of its own.
constexpr std::size_t kMaxParenthesisDepth = model::kMaxExpressionOperators + 1;

} // namespace

ExpressionParser::ExpressionParser(std::string_view text, ExpressionKind kind)
    : lexer_(text),
      kind_(kind),
      current_(lexer_.next())
{}

void ExpressionParser::advance()
{
    previous_ = current_;
    current_ = lexer_.next();
}

bool ExpressionParser::take(TokenKind kind)
{
    if (current_.kind != kind) {
        syntax_error();
        return false;
    }
    advance();
    return true;
}

bool ExpressionParser::take_operator()
{
    advance();
    return count_operator();
}

bool ExpressionParser::count_operator()
{
    if (++operators_ > model::kMaxExpressionOperators) {
        error_ = invalid_expression(kind_, "The expression contains too many operators; operator count: " +
                                               std::to_string(operators_));
        return false;
    }
    return true;
}

bool ExpressionParser::is_name(TokenKind kind) const noexcept
{
    switch (kind) {
    case TokenKind::identifier:
        return true;
    case TokenKind::keyword_and:
    case TokenKind::keyword_or:
    case TokenKind::keyword_not:
    case TokenKind::keyword_between:
    case TokenKind::keyword_in:
        return kind_ == ExpressionKind::update || kind_ == ExpressionKind::projection;
    case TokenKind::keyword_set:
    case TokenKind::keyword_remove:
    case TokenKind::keyword_add:
    case TokenKind::keyword_delete:
        return kind_ == ExpressionKind::projection;
    default:
        return false;
    }
}

NodeIndex ExpressionParser::operand()
{
    if (current_.kind == TokenKind::left_parenthesis) {
        return open_parenthesis() ? close_parenthesis(operand()) : kNoNode;
    }
    if (current_.kind == TokenKind::value_placeholder) {
        return value();
    }
    const Token token = current_;
    if (!is_name(token.kind)) {
        return path();
    }
    advance();
    return current_.kind == TokenKind::left_parenthesis ? call(lexer_.text(token)) : path_from(token);
}

NodeIndex ExpressionParser::value()
{
    const Token token = current_;
    if (!take(TokenKind::value_placeholder)) {
        return kNoNode;
    }
    return tree_.add(Node{.kind = NodeKind::value, .text = lexer_.text(token)});
}

NodeIndex ExpressionParser::call(std::string_view name)
{
    Children children;
    if (!count_operator() || !append_operand_list(children)) {
        return kNoNode;
    }
    return tree_.add(Node{.kind = NodeKind::call, .function = function_from_name(name), .text = name}, children);
}

NodeIndex ExpressionParser::path()
{
    const Token token = current_;
    if (!is_name(token.kind) && token.kind != TokenKind::name_placeholder) {
        return syntax_error();
    }
    advance();
    return path_from(token);
}

NodeIndex ExpressionParser::path_from(const Token &first)
{
    const auto step = [this](const Token &token) {
        return PathElement{is_name(token.kind) ? PathElement::Kind::attribute : PathElement::Kind::placeholder,
                           lexer_.text(token)};
    };
    Node node = tree_.begin_path();
    tree_.add_element(node, step(first));
    for (;;) {
        if (current_.kind == TokenKind::dot) {
            advance();
            if (!is_name(current_.kind) && current_.kind != TokenKind::name_placeholder) {
                return syntax_error();
            }
            tree_.add_element(node, step(current_));
            advance();
        } else if (current_.kind == TokenKind::left_bracket) {
            advance();
            tree_.add_element(node, {PathElement::Kind::index, lexer_.text(current_)});
            if (!take(TokenKind::integer) || !take(TokenKind::right_bracket)) {
                return kNoNode;
            }
        } else {
            return tree_.add(node);
        }
    }
}

bool ExpressionParser::append(Children &children, NodeIndex child)
{
    if (child == kNoNode) {
        return false;
    }
    tree_.append(children, child);
    return true;
}

bool ExpressionParser::append_operand_list(Children &children)
{
    if (!take(TokenKind::left_parenthesis) || !append_operand(children)) {
        return false;
    }
    while (current_.kind == TokenKind::comma) {
        advance();
        if (!append_operand(children)) {
            return false;
        }
    }
    return take(TokenKind::right_parenthesis);
}

bool ExpressionParser::open_parenthesis()
{
    if (++parenthesis_depth_ > kMaxParenthesisDepth) {
        redundant_parentheses();
        return false;
    }
    advance();
    return true;
}

NodeIndex ExpressionParser::close_parenthesis(NodeIndex inner)
{
    if (inner == kNoNode) {
        return kNoNode;
    }
    if (current_.kind != TokenKind::right_parenthesis) {
        return syntax_error();
    }
    // Reported when the whole text turned out to be well-formed.
    const bool is_redundant = tree_[inner].parenthesised;
    has_redundant_parentheses_ = has_redundant_parentheses_ || is_redundant;
    tree_[inner].parenthesised = true;
    advance();
    --parenthesis_depth_;
    if (is_redundant && (current_.kind == TokenKind::dot || current_.kind == TokenKind::left_bracket)) {
        return redundant_parentheses(); // the service prefers it to the syntax error of a path that continues a group
    }
    return inner;
}

NodeIndex ExpressionParser::redundant_parentheses()
{
    error_ = invalid_expression(kind_, "The expression has redundant parentheses;");
    return kNoNode;
}

NodeIndex ExpressionParser::syntax_error()
{
    const std::uint32_t near_begin = previous_ ? previous_->begin : 0;
    const std::uint32_t near_end = Lexer(lexer_).next().end;
    std::string text = "Syntax error; token: \"";
    text.append(current_.kind == TokenKind::end ? "<EOF>" : lexer_.text(current_));
    text.append("\", near: \"").append(lexer_.text().substr(near_begin, near_end - near_begin)).append("\"");
    error_ = invalid_expression(kind_, text);
    return kNoNode;
}

Result<Tree> ExpressionParser::finish(NodeIndex root)
{
    const bool well_formed = root != kNoNode && current_.kind == TokenKind::end;
    if (well_formed && !has_redundant_parentheses_) {
        return std::move(tree_);
    }
    if (well_formed) {
        redundant_parentheses();
    } else if (!error_) {
        syntax_error();
    }
    return basalt::fail(*std::move(error_));
}

} // namespace basalt::expression

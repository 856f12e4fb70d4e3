// A recursive-descent parser. Conditions and operands may both stand in parentheses, so a parenthesis at the place of a
// condition is read as a condition that may turn out to be an operand; what follows decides.
#include "expression/parser.h"

#include "expression/lexer.h"
#include "model/limits.h"

#include <optional>
#include <string>

namespace basalt::expression {

namespace {

// Without a redundant pair, every pair of parentheses but the innermost encloses an operator or function of its own.
constexpr std::size_t kMaxParenthesisDepth = model::kMaxExpressionOperators + 1;

constexpr std::optional<Comparator> comparator_of(TokenKind kind) noexcept
{
    switch (kind) {
    case TokenKind::equal:
        return Comparator::equal;
    case TokenKind::not_equal:
        return Comparator::not_equal;
    case TokenKind::less:
        return Comparator::less;
    case TokenKind::less_or_equal:
        return Comparator::less_or_equal;
    case TokenKind::greater:
        return Comparator::greater;
    case TokenKind::greater_or_equal:
        return Comparator::greater_or_equal;
    default:
        return std::nullopt;
    }
}

/// Functions return kNoNode and false after setting the error.
class ConditionParser {
public:
    ConditionParser(std::string_view text, ExpressionKind kind)
        : lexer_(text),
          kind_(kind),
          current_(lexer_.next())
    {}

    Result<Tree> run()
    {
        const NodeIndex root = disjunction();
        if (root != kNoNode && require_condition(root) && current_.kind == TokenKind::end) {
            return std::move(tree_);
        }
        if (!error_) {
            syntax_error();
        }
        return basalt::fail(*std::move(error_));
    }

private:
    NodeIndex disjunction()
    {
        return chain<&ConditionParser::conjunction>(TokenKind::keyword_or, NodeKind::disjunction);
    }
    NodeIndex conjunction() { return chain<&ConditionParser::negation>(TokenKind::keyword_and, NodeKind::conjunction); }

    template <auto Operand>
    NodeIndex chain(TokenKind separator, NodeKind kind)
    {
        const NodeIndex first = (this->*Operand)();
        if (first == kNoNode || current_.kind != separator) {
            return first;
        }
        if (!require_condition(first)) {
            return kNoNode;
        }
        Children children;
        tree_.append(children, first);
        while (current_.kind == separator) {
            if (!take_operator()) {
                return kNoNode;
            }
            const NodeIndex next = (this->*Operand)();
            if (next == kNoNode || !require_condition(next)) {
                return kNoNode;
            }
            tree_.append(children, next);
        }
        return tree_.add(Node{.kind = kind}, children);
    }

    NodeIndex negation()
    {
        if (current_.kind != TokenKind::keyword_not) {
            return predicate();
        }
        if (!take_operator()) {
            return kNoNode;
        }
        const NodeIndex inner = negation();
        if (inner == kNoNode || !require_condition(inner)) {
            return kNoNode;
        }
        Children children;
        tree_.append(children, inner);
        return tree_.add(Node{.kind = NodeKind::negation}, children);
    }

    /// A condition, or an operand that the caller accepts only inside parentheses.
    NodeIndex predicate()
    {
        const NodeIndex left =
            current_.kind == TokenKind::left_parenthesis ? parenthesised<&ConditionParser::disjunction>() : operand();
        if (left == kNoNode || tree_[left].kind > NodeKind::call) {
            return left;
        }
        if (const auto comparator = comparator_of(current_.kind)) {
            return comparison(left, *comparator);
        }
        if (current_.kind == TokenKind::keyword_between) {
            return between(left);
        }
        return current_.kind == TokenKind::keyword_in ? in(left) : left;
    }

    NodeIndex comparison(NodeIndex left, Comparator comparator)
    {
        Children children;
        tree_.append(children, left);
        if (!take_operator() || !append_operand(children)) {
            return kNoNode;
        }
        return tree_.add(Node{.kind = NodeKind::comparison, .comparator = comparator}, children);
    }

    NodeIndex between(NodeIndex left)
    {
        Children children;
        tree_.append(children, left);
        if (!take_operator() || !append_operand(children) || !take(TokenKind::keyword_and) ||
            !append_operand(children)) {
            return kNoNode;
        }
        return tree_.add(Node{.kind = NodeKind::between}, children);
    }

    NodeIndex in(NodeIndex left)
    {
        Children children;
        tree_.append(children, left);
        if (!take_operator() || !append_operand_list(children)) {
            return kNoNode;
        }
        return tree_.add(Node{.kind = NodeKind::in}, children);
    }

    NodeIndex operand()
    {
        const Token token = current_;
        switch (token.kind) {
        case TokenKind::left_parenthesis:
            return parenthesised<&ConditionParser::operand>();
        case TokenKind::value_placeholder:
            advance();
            return tree_.add(Node{.kind = NodeKind::value, .text = lexer_.text(token)});
        case TokenKind::name_placeholder:
            advance();
            return path(PathElement{PathElement::Kind::placeholder, lexer_.text(token)});
        case TokenKind::identifier:
            advance();
            return current_.kind == TokenKind::left_parenthesis
                       ? call(lexer_.text(token))
                       : path(PathElement{PathElement::Kind::attribute, lexer_.text(token)});
        default:
            return syntax_error();
        }
    }

    NodeIndex call(std::string_view name)
    {
        Children children;
        if (!count_operator() || !append_operand_list(children)) {
            return kNoNode;
        }
        return tree_.add(Node{.kind = NodeKind::call, .function = function_from_name(name), .text = name}, children);
    }

    NodeIndex path(PathElement first)
    {
        Node node = tree_.begin_path();
        tree_.add_element(node, first);
        for (;;) {
            if (current_.kind == TokenKind::dot) {
                advance();
                if (current_.kind != TokenKind::identifier && current_.kind != TokenKind::name_placeholder) {
                    return syntax_error();
                }
                tree_.add_element(node, {current_.kind == TokenKind::identifier ? PathElement::Kind::attribute
                                                                                : PathElement::Kind::placeholder,
                                         lexer_.text(current_)});
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

    template <auto Inner>
    NodeIndex parenthesised()
    {
        if (++parenthesis_depth_ > kMaxParenthesisDepth) {
            return redundant_parentheses();
        }
        advance();
        const NodeIndex inner = (this->*Inner)();
        if (inner == kNoNode) {
            return kNoNode;
        }
        if (current_.kind != TokenKind::right_parenthesis) {
            return syntax_error();
        }
        if (tree_[inner].parenthesised) {
            return redundant_parentheses();
        }
        tree_[inner].parenthesised = true;
        advance();
        --parenthesis_depth_;
        return inner;
    }

    bool append_operand(Children &children)
    {
        const NodeIndex next = operand();
        if (next == kNoNode) {
            return false;
        }
        tree_.append(children, next);
        return true;
    }

    /// '(' operand ( ',' operand )* ')'
    bool append_operand_list(Children &children)
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

    bool require_condition(NodeIndex index)
    {
        const NodeKind kind = tree_[index].kind;
        if (kind == NodeKind::path || kind == NodeKind::value) {
            syntax_error();
            return false;
        }
        return true;
    }

    void advance()
    {
        previous_ = current_;
        current_ = lexer_.next();
    }

    bool take(TokenKind kind)
    {
        if (current_.kind != kind) {
            syntax_error();
            return false;
        }
        advance();
        return true;
    }

    bool take_operator()
    {
        advance();
        return count_operator();
    }

    bool count_operator()
    {
        if (++operators_ > model::kMaxExpressionOperators) {
            error_ = invalid_expression(kind_, "The expression contains too many operators; operator count: " +
                                                   std::to_string(operators_));
            return false;
        }
        return true;
    }

    NodeIndex redundant_parentheses()
    {
        error_ = invalid_expression(kind_, "The expression has redundant parentheses;");
        return kNoNode;
    }

    /// At the current token; quotes it and the text from the token before it to the token behind it.
    NodeIndex syntax_error()
    {
        const std::uint32_t near_begin = previous_ ? previous_->begin : 0;
        const std::uint32_t near_end = Lexer(lexer_).next().end;
        std::string text = "Syntax error; token: \"";
        text.append(current_.kind == TokenKind::end ? "<EOF>" : lexer_.text(current_));
        text.append("\", near: \"").append(lexer_.text().substr(near_begin, near_end - near_begin)).append("\"");
        error_ = invalid_expression(kind_, text);
        return kNoNode;
    }

    Lexer lexer_;
    ExpressionKind kind_;
    std::optional<Token> previous_;
    Token current_;
    Tree tree_;
    std::size_t operators_ = 0;
    std::size_t parenthesis_depth_ = 0;
    std::optional<Error> error_;
};

} // namespace

Result<Tree> parse_condition_syntax(std::string_view text, ExpressionKind kind)
{
    if (text.empty()) {
        return basalt::fail(invalid_expression(kind, "The expression can not be empty;"));
    }
    if (text.size() > model::kMaxExpressionBytes) {
        return basalt::fail(
            invalid_expression(kind, "Expression size has exceeded the maximum allowed size; expression size: " +
                                         std::to_string(text.size())));
    }
    return ConditionParser(text, kind).run();
}

} // namespace basalt::expression

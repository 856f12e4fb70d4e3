// Conditions. Conditions and operands may both stand in parentheses, so a parenthesis at the place of a condition is
// read as a condition that may turn out to be an operand; what follows decides.
#include "expression/expression_parser.h"
#include "expression/parser.h"

#include <optional>

namespace basalt::expression {

namespace {

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

class ConditionParser : private ExpressionParser {
public:
    ConditionParser(std::string_view text, ExpressionKind kind)
        : ExpressionParser(text, kind)
    {}

    Result<Tree> run()
    {
        const NodeIndex root = disjunction();
        return finish(root != kNoNode && require_condition(root) ? root : kNoNode);
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
        if (first == kNoNode || current() != separator) {
            return first;
        }
        if (!require_condition(first)) {
            return kNoNode;
        }
        Children children;
        tree().append(children, first);
        while (current() == separator) {
            if (!take_operator()) {
                return kNoNode;
            }
            const NodeIndex next = (this->*Operand)();
            if (next == kNoNode || !require_condition(next)) {
                return kNoNode;
            }
            tree().append(children, next);
        }
        return tree().add(Node{.kind = kind}, children);
    }

    NodeIndex negation()
    {
        if (current() != TokenKind::keyword_not) {
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
        tree().append(children, inner);
        return tree().add(Node{.kind = NodeKind::negation}, children);
    }

    /// A condition, or an operand that the caller accepts only inside parentheses.
    NodeIndex predicate()
    {
        const NodeIndex left = current() == TokenKind::left_parenthesis ? parenthesised_condition() : operand();
        if (left == kNoNode || tree()[left].kind > NodeKind::call) {
            return left;
        }
        if (const auto comparator = comparator_of(current())) {
            return comparison(left, *comparator);
        }
        if (current() == TokenKind::keyword_between) {
            return between(left);
        }
        return current() == TokenKind::keyword_in ? in(left) : left;
    }

    NodeIndex parenthesised_condition() { return open_parenthesis() ? close_parenthesis(disjunction()) : kNoNode; }

    NodeIndex comparison(NodeIndex left, Comparator comparator)
    {
        Children children;
        tree().append(children, left);
        if (!take_operator() || !append_operand(children)) {
            return kNoNode;
        }
        return tree().add(Node{.kind = NodeKind::comparison, .comparator = comparator}, children);
    }

    NodeIndex between(NodeIndex left)
    {
        Children children;
        tree().append(children, left);
        if (!take_operator() || !append_operand(children) || !take(TokenKind::keyword_and) ||
            !append_operand(children)) {
            return kNoNode;
        }
        return tree().add(Node{.kind = NodeKind::between}, children);
    }

    NodeIndex in(NodeIndex left)
    {
        Children children;
        tree().append(children, left);
        if (!take_operator() || !append_operand_list(children)) {
            return kNoNode;
        }
        return tree().add(Node{.kind = NodeKind::in}, children);
    }

    bool require_condition(NodeIndex index)
    {
        const NodeKind kind = tree()[index].kind;
        if (kind == NodeKind::path || kind == NodeKind::value) {
            syntax_error();
            return false;
        }
        return true;
    }
};

} // namespace

Result<Tree> parse_condition_syntax(std::string_view text, ExpressionKind kind)
{
    return ConditionParser(text, kind).run();
}

} // namespace basalt::expression

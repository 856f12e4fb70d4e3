// Update expressions: sections of actions.
#include "expression/expression_parser.h"
#include "expression/parser.h"

#include <optional>

namespace basalt::expression {

namespace {

struct SectionSyntax {
    std::string_view keyword;
    NodeKind action;
};

constexpr std::optional<SectionSyntax> section_of(TokenKind kind) noexcept
{
    switch (kind) {
    case TokenKind::keyword_set:
        return SectionSyntax{"SET", NodeKind::set};
    case TokenKind::keyword_remove:
        return SectionSyntax{"REMOVE", NodeKind::remove};
    case TokenKind::keyword_add:
        return SectionSyntax{"ADD", NodeKind::add};
    case TokenKind::keyword_delete:
        return SectionSyntax{"DELETE", NodeKind::delete_from};
    default:
        return std::nullopt;
    }
}

class UpdateParser : private ExpressionParser {
public:
    explicit UpdateParser(std::string_view text)
        : ExpressionParser(text, ExpressionKind::update)
    {}

    Result<Tree> run()
    {
        Children sections;
        do {
            if (!append(sections, section())) {
                return finish(kNoNode);
            }
        } while (section_of(current()));
        return finish(tree().add(Node{.kind = NodeKind::update}, sections));
    }

private:
    NodeIndex section()
    {
        const auto syntax = section_of(current());
        if (!syntax) {
            return syntax_error();
        }
        Children actions;
        do {
            advance();
            if (!append(actions, action(syntax->action))) {
                return kNoNode;
            }
        } while (current() == TokenKind::comma);
        return tree().add(Node{.kind = NodeKind::section, .text = syntax->keyword}, actions);
    }

    NodeIndex action(NodeKind kind)
    {
        Children parts;
        if (!append(parts, path()) || (kind == NodeKind::set && !take(TokenKind::equal))) {
            return kNoNode;
        }
        if (kind != NodeKind::remove && !append(parts, kind == NodeKind::set ? new_value() : value())) {
            return kNoNode;
        }
        return tree().add(Node{.kind = kind}, parts);
    }

    /// An operand, or a sum or difference of two, also in parentheses.
    NodeIndex new_value()
    {
        const NodeIndex left = current() != TokenKind::left_parenthesis ? operand()
                               : open_parenthesis()                     ? close_parenthesis(new_value())
                                                                        : kNoNode;
        if (left == kNoNode || tree()[left].kind > NodeKind::call ||
            (current() != TokenKind::plus && current() != TokenKind::minus)) {
            return left;
        }
        const NodeKind kind = current() == TokenKind::plus ? NodeKind::sum : NodeKind::difference;
        Children operands;
        tree().append(operands, left);
        if (!take_operator() || !append_operand(operands)) {
            return kNoNode;
        }
        return tree().add(Node{.kind = kind}, operands);
    }
};

} // namespace

Result<Tree> parse_update_syntax(std::string_view text)
{
    return UpdateParser(text).run();
}

} // namespace basalt::expression

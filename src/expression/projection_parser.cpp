// Projection expressions: paths separated by commas.
#include "expression/expression_parser.h"
#include "expression/parser.h"

namespace basalt::expression {

namespace {

class ProjectionParser : private ExpressionParser {
public:
    explicit ProjectionParser(std::string_view text)
        : ExpressionParser(text, ExpressionKind::projection)
    {}

    Result<Tree> run()
    {
        Children paths;
        bool complete = append(paths, path());
        while (complete && current() == TokenKind::comma) {
            advance();
            complete = append(paths, path());
        }
        return finish(complete ? tree().add(Node{.kind = NodeKind::projection}, paths) : kNoNode);
    }
};

} // namespace

Result<Tree> parse_projection_syntax(std::string_view text)
{
    return ProjectionParser(text).run();
}

} // namespace basalt::expression

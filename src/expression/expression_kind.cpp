// The message prefix of each kind of expression.
#include "expression/expression_kind.h"

#include <string>

namespace basalt::expression {

namespace {

constexpr std::string_view member_name(ExpressionKind kind) noexcept
{
    switch (kind) {
    case ExpressionKind::condition:
        return "ConditionExpression";
    case ExpressionKind::filter:
        return "FilterExpression";
    case ExpressionKind::key_condition:
        return "KeyConditionExpression";
    case ExpressionKind::update:
        return "UpdateExpression";
    case ExpressionKind::projection:
        return "ProjectionExpression";
    }
    return {};
}

} // namespace

Error invalid_expression(ExpressionKind kind, std::string_view text)
{
    std::string message = "Invalid ";
    message.append(member_name(kind)).append(": ").append(text);
    return Error{ErrorCode::validation, std::move(message)};
}

} // namespace basalt::expression

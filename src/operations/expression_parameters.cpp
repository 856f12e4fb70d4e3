#include "operations/expression_parameters.h"

#include "operations/request_checks.h"

#include <algorithm>
#include <string>
#include <utility>

namespace basalt::operations {
namespace {

constexpr std::string_view kProjection = "ProjectionExpression"; // has no values

/// The names of the parameters that were sent: "A, B".
std::string sent_names(std::span<const NamedParameter> parameters)
{
    std::string names;
    for (const auto &parameter : parameters) {
        if (parameter.member.present()) {
            names.append(names.empty() ? "" : ", ").append(parameter.name);
        }
    }
    return names;
}

/// "A is null" or "A and B are null": the expressions that could have used values. Empty if one was sent, or if the
/// operation has none.
std::string without_values(std::span<const NamedParameter> expressions)
{
    std::string names;
    std::size_t count = 0;
    for (const auto &expression : expressions) {
        if (expression.name == kProjection) {
            continue;
        }
        if (expression.member.present()) {
            return {};
        }
        names.append(names.empty() ? "" : " and ").append(expression.name);
        ++count;
    }
    return count == 0 ? names : names.append(count == 1 ? " is null" : " are null");
}

} // namespace

Result<void> check_parameter_styles(std::span<const NamedParameter> legacy, std::span<const NamedParameter> expressions,
                                    const protocol::Node &names, const protocol::Node &values)
{
    const auto sent_expressions = sent_names(expressions);
    if (!sent_expressions.empty()) {
        if (const auto sent_legacy = sent_names(legacy); !sent_legacy.empty()) {
            return fail(ErrorCode::validation,
                        "Can not use both expression and non-expression parameters in the same request: "
                        "Non-expression parameters: {" +
                            sent_legacy + "} Expression parameters: {" + sent_expressions + "}");
        }
    } else if (names.present()) {
        return fail(ErrorCode::validation, "ExpressionAttributeNames can only be specified when using expressions");
    }
    if (values.present()) {
        if (const auto missing = without_values(expressions); !missing.empty()) {
            return fail(ErrorCode::validation,
                        "ExpressionAttributeValues can only be specified when using expressions: " + missing);
        }
    }
    return {};
}

Result<void> ExpressionParameters::open(const protocol::Node &names, const protocol::Node &values)
{
    auto substitutions = check_placeholders(names, values);
    if (!substitutions) {
        return fail(std::move(substitutions).error());
    }
    names_ = std::move(*substitutions);
    placeholders_.emplace(names_, values.present() ? values.item().attributes() : model::MapView());
    return {};
}

Result<std::optional<expression::Update>> ExpressionParameters::update(const protocol::Node &text)
{
    if (!text.present()) {
        return std::optional<expression::Update>();
    }
    auto update = expression::Update::parse(cache_, text.text(), *placeholders_);
    if (!update) {
        return fail(std::move(update).error());
    }
    return std::optional(*std::move(update));
}

Result<std::optional<expression::Condition>> ExpressionParameters::condition(const protocol::Node &text,
                                                                             expression::ExpressionKind kind)
{
    if (!text.present()) {
        return std::optional<expression::Condition>();
    }
    auto condition = expression::Condition::parse(cache_, text.text(), kind, *placeholders_);
    if (!condition) {
        return fail(std::move(condition).error());
    }
    return std::optional(*std::move(condition));
}

Result<std::optional<expression::Projection>> ExpressionParameters::projection(const protocol::Node &text)
{
    if (!text.present()) {
        return std::optional<expression::Projection>();
    }
    auto projection = expression::Projection::parse(cache_, text.text(), *placeholders_);
    if (!projection) {
        return fail(std::move(projection).error());
    }
    return std::optional(*std::move(projection));
}

Result<void> ExpressionParameters::check_all_used() const
{
    return placeholders_->check_all_used();
}

Error key_path_error(bool index_key, std::string_view attribute)
{
    return {ErrorCode::validation, "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
                                   "allowed: " +
                                       std::string(index_key ? "IndexKey: " : "Key: ") + std::string(attribute)};
}

} // namespace basalt::operations

// The parameters that hold expressions, and what all operations that have them check in the same way: no mixing with
// the older parameters, placeholders, nothing unused.
#pragma once

#include "basalt/result.h"
#include "expression/condition.h"
#include "expression/placeholders.h"
#include "expression/projection.h"
#include "expression/update.h"
#include "model/table_description.h"
#include "operations/operation.h"
#include "protocol/document.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace basalt::operations {

struct NamedParameter {
    const protocol::Node &member;
    std::string_view name;
};

/// Legacy parameters do not stand beside expressions, and placeholders not without expressions. Both lists in the order
/// in which messages name them. Errors (validation): the service's texts.
[[nodiscard]] Result<void> check_parameter_styles(std::span<const NamedParameter> legacy,
                                                  std::span<const NamedParameter> expressions,
                                                  const protocol::Node &names, const protocol::Node &values);

/// The placeholders of one request and the expressions that use them. Expressions have to be asked for in the service's
/// order: update, condition, key condition, filter, projection. Stays where it is made: what it returns points into it
/// and into the request.
class ExpressionParameters {
public:
    explicit ExpressionParameters(const Context &context)
        : cache_(context.expressions)
    {}
    ExpressionParameters(const ExpressionParameters &) = delete;
    ExpressionParameters &operator=(const ExpressionParameters &) = delete;

    /// ExpressionAttributeNames and ExpressionAttributeValues: not empty, keys well-formed, values without fault; an
    /// absent node for values that the operation does not have. Call first. Errors (validation): the service's texts.
    [[nodiscard]] Result<void> open(const protocol::Node &names, const protocol::Node &values);

    // Nothing if the parameter was not sent.
    [[nodiscard]] Result<std::optional<expression::Update>> update(const protocol::Node &text);
    [[nodiscard]] Result<std::optional<expression::Condition>> condition(const protocol::Node &text,
                                                                         expression::ExpressionKind kind);
    [[nodiscard]] Result<std::optional<expression::Projection>> projection(const protocol::Node &text);

    /// Call last. Error (validation): placeholders that no expression used.
    [[nodiscard]] Result<void> check_all_used() const;

private:
    expression::SyntaxCache &cache_;
    std::vector<expression::NameSubstitution> names_;
    std::optional<expression::Placeholders> placeholders_;
};

/// No path may go into a key attribute of the table or of one of its indexes by '.' or '[]'. Error (validation): the
/// service's text.
template <typename Expression>
[[nodiscard]] Result<void> check_key_paths(const model::TableDescription &table, const Expression &expression);

/// The text of check_key_paths. index_key: the attribute is a key of an index only.
[[nodiscard]] Error key_path_error(bool index_key, std::string_view attribute);

template <typename Expression>
Result<void> check_key_paths(const model::TableDescription &table, const Expression &expression)
{
    const auto check = [&](const model::KeySchema &keys, bool index_key) -> Result<void> {
        for (const auto *elements : {&keys.hash, &keys.range}) {
            for (const auto &element : *elements) {
                if (expression.reaches_into(element.name)) {
                    return fail(key_path_error(index_key, element.name));
                }
            }
        }
        return {};
    };
    auto checked = check(table.keys, false);
    for (const auto *indexes : {&table.global_indexes, &table.local_indexes}) {
        for (const auto &index : *indexes) {
            if (checked) {
                checked = check(index.keys, true);
            }
        }
    }
    return checked;
}

} // namespace basalt::operations

// KeyConditionExpression: what it may say, and the clauses that it comes down to.
#pragma once

#include "basalt/result.h"
#include "expression/condition.h"
#include "expression/placeholders.h"
#include "expression/syntax_cache.h"
#include "model/item_view.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace basalt::expression {

/// An index key has at most four partition and four sort attributes.
inline constexpr std::size_t kMaxKeyClauses = 8;

/// not_indexable: an operator that keys do not have. Only KeyConditions (legacy.h) gives it; the error belongs to the
/// attribute's place in the key schema, so whoever knows the schema reports it.
enum class KeyOperator : std::uint8_t {
    equal,
    less,
    less_or_equal,
    greater,
    greater_or_equal,
    between,
    begins_with,
    not_indexable
};

/// The service's text for not_indexable.
inline constexpr std::string_view kNotIndexable = "Attempted conditional constraint is not an indexable operation";

/// One condition on one key attribute. Values are views into the request.
struct KeyClause {
    std::string_view attribute;
    KeyOperator op = KeyOperator::equal;
    model::ValueView value;                // not_indexable: some value, of no meaning
    std::optional<model::ValueView> upper; // between
};

/// What a checked condition of kind key_condition says, if it is one for keys: the checks of parse_key_condition that
/// come after those of Condition::parse. The clauses outlive the condition.
[[nodiscard]] Result<std::vector<KeyClause>> key_clauses_of(const Condition &condition);

/// Parses and checks everything that needs no table: syntax, reserved words, placeholders (which it marks as used),
/// operators, operand types. Clauses come in the order of the text, at most kMaxKeyClauses of them, each for another
/// attribute, with the attribute at the left. Errors (validation): the service's texts, with or without
/// "Invalid KeyConditionExpression: ".
[[nodiscard]] Result<std::vector<KeyClause>> parse_key_condition(SyntaxCache &cache, std::string_view text,
                                                                 Placeholders &placeholders);

/// Whether a key of that many attributes can have that many clauses; to be called once the schema is known. A key of
/// one or two attributes accepts one or two clauses: a surplus clause is then reported for what it names. Error
/// (validation): the service's text.
[[nodiscard]] Result<void> check_clause_count(std::size_t count, std::size_t key_attributes);

} // namespace basalt::expression

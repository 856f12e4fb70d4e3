// The operators of the legacy parameters: what arguments each takes, and the tree or key clause that it means.
#include "expression/legacy.h"

#include "base/check.h"
#include "expression/value_order.h"
#include "model/limits.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>

namespace basalt::expression {

namespace {

using model::AttributeType;
using model::ValueView;

enum class LegacyOperator : std::uint8_t {
    equal,
    not_equal,
    less,
    less_or_equal,
    greater,
    greater_or_equal,
    null,
    not_null,
    contains,
    not_contains,
    begins_with,
    in,
    between,
};

using TypeSet = std::uint16_t;

constexpr TypeSet types(std::initializer_list<AttributeType> members)
{
    TypeSet set = 0;
    for (const AttributeType type : members) {
        set = static_cast<TypeSet>(set | 1U << static_cast<unsigned>(type));
    }
    return set;
}

constexpr TypeSet kAnyType = 0xFFFF;
constexpr TypeSet kOrdered = types({AttributeType::string, AttributeType::number, AttributeType::binary});
constexpr TypeSet kTextual = types({AttributeType::string, AttributeType::binary});
constexpr TypeSet kScalar = types(
    {AttributeType::string, AttributeType::number, AttributeType::binary, AttributeType::boolean, AttributeType::null});
// The service takes lists of 27,500 for IN. All nodes of the largest tree have an index.
constexpr std::size_t kMaxArguments = 50'000;
constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

struct OperatorRule {
    std::string_view name;
    LegacyOperator op;
    std::size_t min_arguments;
    std::size_t max_arguments;
    TypeSet types;
};

constexpr std::array<OperatorRule, 13> kOperators{{
    {"EQ", LegacyOperator::equal, 1, 1, kAnyType},
    {"NE", LegacyOperator::not_equal, 1, 1, kAnyType},
    {"LT", LegacyOperator::less, 1, 1, kOrdered},
    {"LE", LegacyOperator::less_or_equal, 1, 1, kOrdered},
    {"GT", LegacyOperator::greater, 1, 1, kOrdered},
    {"GE", LegacyOperator::greater_or_equal, 1, 1, kOrdered},
    {"NULL", LegacyOperator::null, 0, 0, kAnyType},
    {"NOT_NULL", LegacyOperator::not_null, 0, 0, kAnyType},
    {"CONTAINS", LegacyOperator::contains, 1, 1, kScalar},
    {"NOT_CONTAINS", LegacyOperator::not_contains, 1, 1, kScalar},
    {"BEGINS_WITH", LegacyOperator::begins_with, 1, 1, kTextual},
    {"IN", LegacyOperator::in, 1, kAnyNumber, kOrdered},
    {"BETWEEN", LegacyOperator::between, 2, 2, kOrdered},
}};

const OperatorRule &rule_of(std::string_view name)
{
    const auto rule = std::ranges::find(kOperators, name, &OperatorRule::name);
    BASALT_CHECK(rule != kOperators.end());
    return *rule;
}

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";

Unexpected refuse(std::initializer_list<std::string_view> parts)
{
    std::string message(kInvalid);
    for (const std::string_view part : parts) {
        message.append(part);
    }
    return fail(ErrorCode::validation, std::move(message));
}

/// AttributeValueList, or Value as a list of one.
std::span<const ValueView> arguments_of(const LegacyCondition &condition)
{
    if (condition.values) {
        return *condition.values;
    }
    return condition.value ? std::span(&*condition.value, 1) : std::span<const ValueView>();
}

Result<void> check_arguments(const OperatorRule &rule, std::span<const ValueView> arguments)
{
    if (arguments.size() < rule.min_arguments || arguments.size() > rule.max_arguments) {
        return refuse({"Invalid number of argument(s) for the ", rule.name, " ComparisonOperator"});
    }
    if (arguments.empty()) {
        return {};
    }
    const AttributeType type = arguments.front().type();
    if (!std::ranges::all_of(arguments, [&](ValueView value) { return value.type() == type; })) {
        return refuse({"AttributeValues inside AttributeValueList must be of same type"});
    }
    if ((types({type}) & rule.types) == 0) {
        return refuse(
            {"ComparisonOperator ", rule.name, " is not valid for ", model::type_name(type), " AttributeValue type"});
    }
    if (rule.op == LegacyOperator::between && compare_values(arguments[0], arguments[1]) > 0) {
        return fail(ErrorCode::validation, "The BETWEEN condition was provided a range where the lower bound is "
                                           "greater than the upper bound");
    }
    return {};
}

Result<void> check_without_operator(const LegacyCondition &condition)
{
    if (condition.values) {
        return refuse(
            {"AttributeValueList can only be used with a ComparisonOperator for Attribute: ", condition.attribute});
    }
    const bool exists = condition.exists.value_or(true);
    if (exists && !condition.value) {
        return refuse({"Value must be provided when Exists is ", condition.exists ? "true" : "null",
                       " for Attribute: ", condition.attribute});
    }
    if (!exists && condition.value) {
        return refuse({"Value cannot be used when Exists is false for Attribute: ", condition.attribute});
    }
    return {};
}

Result<void> check_expected(const LegacyCondition &condition)
{
    if (condition.values && condition.value) {
        return refuse({"Value and AttributeValueList cannot be used together for Attribute: ", condition.attribute});
    }
    if (!condition.comparison_operator) {
        return check_without_operator(condition);
    }
    if (condition.exists) {
        return refuse({"Exists and ComparisonOperator cannot be used together for Attribute: ", condition.attribute});
    }
    const OperatorRule &rule = rule_of(*condition.comparison_operator);
    if (rule.min_arguments > 0 && !condition.values && !condition.value) {
        return refuse({"Value or AttributeValueList must be used with ComparisonOperator: ", rule.name,
                       " for Attribute: ", condition.attribute});
    }
    return check_arguments(rule, arguments_of(condition));
}

/// So that every node of the tree has an index. Long lists are sorted, so that their length costs little for each item.
Result<void> check_amount(std::span<const LegacyCondition> conditions)
{
    std::size_t arguments = 0;
    for (const LegacyCondition &condition : conditions) {
        arguments += arguments_of(condition).size();
    }
    if (conditions.size() > model::kMaxExpressionOperators || arguments > kMaxArguments) {
        return fail(ErrorCode::validation, "The expression contains too many operators; operator count: " +
                                               std::to_string(std::max(conditions.size(), arguments)));
    }
    return {};
}

class TreeWriter {
public:
    void add(const LegacyCondition &condition)
    {
        attribute_ = condition.attribute;
        const auto arguments = arguments_of(condition);
        if (condition.comparison_operator) {
            tree_.append(conditions_, condition_of(rule_of(*condition.comparison_operator).op, arguments));
        } else {
            tree_.append(conditions_,
                         condition_of(arguments.empty() ? LegacyOperator::null : LegacyOperator::equal, arguments));
        }
    }

    /// The condition that all or any of what was added holds.
    Tree take(bool any) &&
    {
        if (conditions_.count > 1) {
            tree_.add(Node{.kind = any ? NodeKind::disjunction : NodeKind::conjunction}, conditions_);
        }
        return std::move(tree_);
    }

private:
    NodeIndex condition_of(LegacyOperator op, std::span<const ValueView> arguments)
    {
        switch (op) {
        case LegacyOperator::equal:
            return comparison(Comparator::equal, arguments);
        case LegacyOperator::not_equal:
            return comparison(Comparator::not_equal, arguments);
        case LegacyOperator::less:
            return comparison(Comparator::less, arguments);
        case LegacyOperator::less_or_equal:
            return comparison(Comparator::less_or_equal, arguments);
        case LegacyOperator::greater:
            return comparison(Comparator::greater, arguments);
        case LegacyOperator::greater_or_equal:
            return comparison(Comparator::greater_or_equal, arguments);
        case LegacyOperator::null:
            return call(Function::attribute_not_exists, arguments);
        case LegacyOperator::not_null:
            return call(Function::attribute_exists, arguments);
        case LegacyOperator::contains:
            return call(Function::contains, arguments);
        case LegacyOperator::not_contains:
            return not_contains(arguments);
        case LegacyOperator::begins_with:
            return call(Function::begins_with, arguments);
        case LegacyOperator::in:
            return node(Node{.kind = NodeKind::in}, arguments);
        case LegacyOperator::between:
            return node(Node{.kind = NodeKind::between}, arguments);
        }
        return kNoNode;
    }

    NodeIndex comparison(Comparator comparator, std::span<const ValueView> arguments)
    {
        return node(Node{.kind = NodeKind::comparison, .comparator = comparator}, arguments);
    }

    NodeIndex call(Function function, std::span<const ValueView> arguments)
    {
        return node(Node{.kind = NodeKind::call, .function = function}, arguments);
    }

    /// A missing attribute contains nothing, and yet the operator does not hold.
    NodeIndex not_contains(std::span<const ValueView> arguments)
    {
        Children both;
        tree_.append(both, call(Function::attribute_exists, {}));
        Children negated;
        tree_.append(negated, call(Function::contains, arguments));
        tree_.append(both, tree_.add(Node{.kind = NodeKind::negation}, negated));
        return tree_.add(Node{.kind = NodeKind::conjunction}, both);
    }

    /// With the attribute as first operand.
    NodeIndex node(const Node &shape, std::span<const ValueView> arguments)
    {
        Node path = tree_.begin_path();
        tree_.add_element(path, {PathElement::Kind::attribute, attribute_});
        Children operands;
        tree_.append(operands, tree_.add(path));
        for (const ValueView argument : arguments) {
            tree_.append(operands, tree_.add(Node{.kind = NodeKind::value, .value = argument.bytes()}));
        }
        return tree_.add(shape, operands);
    }

    Tree tree_;
    Children conditions_;
    std::string_view attribute_;
};

KeyOperator key_operator_of(LegacyOperator op)
{
    switch (op) {
    case LegacyOperator::equal:
        return KeyOperator::equal;
    case LegacyOperator::less:
        return KeyOperator::less;
    case LegacyOperator::less_or_equal:
        return KeyOperator::less_or_equal;
    case LegacyOperator::greater:
        return KeyOperator::greater;
    case LegacyOperator::greater_or_equal:
        return KeyOperator::greater_or_equal;
    case LegacyOperator::begins_with:
        return KeyOperator::begins_with;
    case LegacyOperator::between:
        return KeyOperator::between;
    default:
        return KeyOperator::not_indexable;
    }
}

KeyClause clause_of(const LegacyCondition &condition)
{
    static constexpr char kNull = static_cast<char>(AttributeType::null);
    const auto arguments = arguments_of(condition);
    KeyClause clause{.attribute = condition.attribute,
                     .op = key_operator_of(rule_of(condition.comparison_operator.value_or("EQ")).op),
                     .value = arguments.empty() ? ValueView(Bytes(&kNull, 1)) : arguments.front(),
                     .upper = std::nullopt};
    if (clause.op == KeyOperator::between) {
        clause.upper = arguments[1];
    }
    return clause;
}

} // namespace

Result<void> check_legacy_conditions(std::span<const LegacyCondition> conditions, LegacyParameter parameter)
{
    for (const LegacyCondition &condition : conditions) {
        const bool expected = parameter == LegacyParameter::expected;
        BASALT_CHECK(expected || condition.comparison_operator.has_value());
        auto checked = expected ? check_expected(condition)
                                : check_arguments(rule_of(*condition.comparison_operator), arguments_of(condition));
        if (!checked) {
            return checked;
        }
    }
    return check_amount(conditions);
}

Condition condition_of_legacy(std::span<const LegacyCondition> conditions, bool any)
{
    BASALT_CHECK(!conditions.empty());
    TreeWriter writer;
    for (const LegacyCondition &condition : conditions) {
        writer.add(condition);
    }
    return Condition(std::move(writer).take(any));
}

Result<std::vector<KeyClause>> key_clauses_of_legacy(std::span<const LegacyCondition> conditions)
{
    if (conditions.empty() || conditions.size() > kMaxKeyClauses) {
        return fail(ErrorCode::validation, "Conditions can be of length 1 or 2 only");
    }
    std::vector<KeyClause> clauses;
    clauses.reserve(conditions.size());
    for (const LegacyCondition &condition : conditions) {
        clauses.push_back(clause_of(condition));
    }
    return clauses;
}

Result<void> check_attribute_updates(std::span<const AttributeUpdate> updates)
{
    using Action = AttributeUpdate::Action;
    for (const AttributeUpdate &update : updates) {
        if (!update.value) {
            if (update.action != Action::remove) {
                return refuse({"Only DELETE action is allowed when no attribute value is specified"});
            }
            continue;
        }
        const AttributeType type = update.value->type();
        if (update.action == Action::remove && !is_set(type)) {
            return refuse({"DELETE action with value is not supported for the type ", model::type_name(type)});
        }
        if (update.action == Action::add && !is_set(type) && type != AttributeType::number &&
            type != AttributeType::list) {
            return refuse({"ADD action is not supported for the type ", model::type_name(type)});
        }
    }
    return {};
}

} // namespace basalt::expression

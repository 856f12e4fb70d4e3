// Turns a checked condition into clauses, or says why it is no key condition: the first fault from left to right.
#include "expression/key_condition.h"

#include "expression/condition.h"

#include <algorithm>
#include <string>
#include <utility>

namespace basalt::expression {

namespace {

Unexpected refuse(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}

Unexpected refuse_operator(std::string_view name)
{
    return refuse(std::string("Invalid operator used in KeyConditionExpression: ").append(name));
}

Unexpected refuse_condition(std::string_view why)
{
    return refuse(std::string("Invalid condition in KeyConditionExpression: ").append(why));
}

KeyOperator operator_of(Comparator comparator, bool reversed)
{
    switch (comparator) {
    case Comparator::less:
        return reversed ? KeyOperator::greater : KeyOperator::less;
    case Comparator::less_or_equal:
        return reversed ? KeyOperator::greater_or_equal : KeyOperator::less_or_equal;
    case Comparator::greater:
        return reversed ? KeyOperator::less : KeyOperator::greater;
    case Comparator::greater_or_equal:
        return reversed ? KeyOperator::less_or_equal : KeyOperator::greater_or_equal;
    default:
        return KeyOperator::equal;
    }
}

class ClauseReader {
public:
    explicit ClauseReader(const Tree &tree)
        : tree_(tree)
    {
        clauses_.reserve(2);
    }

    /// Recursion is bounded by the parser.
    Result<void> read(const Node &node)
    {
        switch (node.kind) {
        case NodeKind::conjunction:
            for (NodeIndex child = node.first_child; child != kNoNode; child = tree_[child].next_sibling) {
                if (auto result = read(tree_[child]); !result) {
                    return result;
                }
            }
            return {};
        case NodeKind::disjunction:
            return refuse_operator("OR");
        case NodeKind::negation:
            return refuse_operator("NOT");
        case NodeKind::in:
            return refuse_operator("IN");
        case NodeKind::comparison:
            return node.comparator == Comparator::not_equal ? refuse_operator("<>") : read_clause(node);
        case NodeKind::call:
            return node.function == Function::begins_with ? read_clause(node) : refuse_operator(node.text);
        default:
            return read_clause(node);
        }
    }

    std::vector<KeyClause> take() { return std::move(clauses_); }

private:
    /// A comparison, BETWEEN or begins_with.
    Result<void> read_clause(const Node &node)
    {
        const Node &first = tree_[node.first_child];
        if (node.kind != NodeKind::comparison && first.kind != NodeKind::path) {
            return refuse_condition(std::string(node.kind == NodeKind::between ? "BETWEEN" : node.text) +
                                    " operator must have the key attribute as its first operand");
        }
        const Node *key = nullptr;
        for (NodeIndex child = node.first_child; child != kNoNode; child = tree_[child].next_sibling) {
            const Node &operand = tree_[child];
            if (operand.kind == NodeKind::call) {
                return refuse("KeyConditionExpressions cannot contain nested operations");
            }
            if (operand.kind == NodeKind::path) {
                if (key != nullptr) {
                    return refuse_condition("Multiple attribute names used in one condition");
                }
                if (operand.path_length > 1) {
                    return refuse("KeyConditionExpressions cannot have conditions on nested attributes");
                }
                key = &operand;
            }
        }
        if (key == nullptr) {
            return refuse_condition("No key attribute specified");
        }
        return add(node, tree_.path(*key).front().text, key != &first);
    }

    /// reversed: the value stands before the attribute.
    Result<void> add(const Node &node, std::string_view attribute, bool reversed)
    {
        if (std::ranges::find(clauses_, attribute, &KeyClause::attribute) != clauses_.end()) {
            return refuse("KeyConditionExpressions must only contain one condition per key");
        }
        const Node &first = tree_[node.first_child];
        const Node &second = tree_[first.next_sibling];
        KeyClause clause{.attribute = attribute,
                         .op = operator_of(node.comparator, reversed),
                         .value = model::ValueView(reversed ? first.value : second.value),
                         .upper = std::nullopt};
        if (node.kind == NodeKind::between) {
            clause.op = KeyOperator::between;
            clause.upper = model::ValueView(tree_[second.next_sibling].value);
        } else if (node.kind == NodeKind::call) {
            clause.op = KeyOperator::begins_with;
        }
        clauses_.push_back(clause);
        return {};
    }

    const Tree &tree_;
    std::vector<KeyClause> clauses_;
};

Unexpected refuse_count()
{
    return refuse("Conditions can be of length 1 or 2 only");
}

} // namespace

Result<std::vector<KeyClause>> parse_key_condition(SyntaxCache &cache, std::string_view text,
                                                   Placeholders &placeholders)
{
    const auto condition = Condition::parse(cache, text, ExpressionKind::key_condition, placeholders);
    if (!condition) {
        return fail(condition.error());
    }
    return key_clauses_of(*condition);
}

Result<std::vector<KeyClause>> key_clauses_of(const Condition &condition)
{
    ClauseReader reader(condition.tree());
    if (auto result = reader.read(condition.tree().root()); !result) {
        return fail(std::move(result).error());
    }
    std::vector<KeyClause> clauses = reader.take();
    if (clauses.size() > kMaxKeyClauses) {
        return refuse_count();
    }
    return clauses;
}

Result<void> check_clause_count(std::size_t count, std::size_t key_attributes)
{
    if (count >= 1 && count <= std::max<std::size_t>(key_attributes, 2)) {
        return {};
    }
    if (count == 0 || key_attributes <= 2) {
        return refuse_count();
    }
    return refuse("The number of query conditions (" + std::to_string(count) +
                  ") exceeds the number of key attributes defined in the schema (" + std::to_string(key_attributes) +
                  ")");
}

} // namespace basalt::expression

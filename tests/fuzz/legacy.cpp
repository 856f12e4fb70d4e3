// The parameters that expressions replaced: refused with a text, or a condition that is the AND or OR of its entries,
// clauses of a key condition, or an update.
//
//   input   := kind:u8 entry*      kind: x Expected, f a filter, k KeyConditions, u AttributeUpdates; X and F join by
//   OR entry   := attribute:letter operator:u8 exists:u8 value:letter values:letter* ';'     what is not there is a '-'
#include "expression/legacy.h"

#include "base/check.h"
#include "fuzz/checked_update.h"
#include "fuzz/sample_request.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace basalt::fuzz {

namespace {

using expression::AttributeUpdate;
using expression::Condition;
using expression::LegacyCondition;
using expression::LegacyParameter;

// A to M.
constexpr std::array<std::string_view, 13> kOperators = {
    "EQ", "NE", "LT", "LE", "GT", "GE", "NULL", "NOT_NULL", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", "IN", "BETWEEN"};

constexpr std::size_t kMaxEntries = 400;

std::optional<model::ValueView> value_of(char letter)
{
    static const SampleRequest request({});
    static expression::Placeholders placeholders = request.placeholders();
    const std::array<char, 2> name = {':', letter};
    return placeholders.value({name.data(), name.size()});
}

// The entries up to the first that is cut off; of entries for one attribute the first. Names are ASCII.
class Entries {
public:
    explicit Entries(Bytes bytes)
        : rest_(bytes)
    {}

    // Empty when there are no more.
    Bytes next()
    {
        constexpr std::size_t kFixedBytes = 4;
        while (seen_.size() < kMaxEntries) {
            const std::size_t end = rest_.find(';');
            if (end == Bytes::npos || end < kFixedBytes) {
                return {};
            }
            const Bytes entry = rest_.substr(0, end);
            rest_.remove_prefix(end + 1);
            if (static_cast<unsigned char>(entry.front()) < 0x80 && std::ranges::count(seen_, entry.front()) == 0) {
                seen_.push_back(entry.front());
                return entry;
            }
        }
        return {};
    }

private:
    Bytes rest_;
    std::vector<char> seen_;
};

std::vector<LegacyCondition> conditions_of(Bytes bytes, LegacyParameter parameter)
{
    const bool expected = parameter == LegacyParameter::expected;
    std::vector<LegacyCondition> conditions;
    Entries entries(bytes);
    for (Bytes entry = entries.next(); !entry.empty(); entry = entries.next()) {
        LegacyCondition condition;
        condition.attribute = entry.substr(0, 1);
        const auto place = static_cast<std::size_t>(static_cast<unsigned char>(entry[1] - 'A'));
        if (place < kOperators.size() || !expected) { // the model requires it elsewhere
            condition.comparison_operator = kOperators[place % kOperators.size()];
        }
        if (expected && entry[2] != '-') {
            condition.exists = entry[2] == 't';
        }
        if (expected) {
            condition.value = value_of(entry[3]);
        }
        const Bytes letters = entry.substr(4);
        if (!letters.empty()) {
            condition.values.emplace();
        }
        for (const char letter : letters) {
            if (const auto value = value_of(letter)) {
                condition.values->push_back(*value);
            }
        }
        conditions.push_back(std::move(condition));
    }
    return conditions;
}

void check_condition(const std::vector<LegacyCondition> &conditions, bool any)
{
    const Condition condition = expression::condition_of_legacy(conditions, any);
    condition.for_each_attribute([](std::string_view name) { BASALT_CHECK(!name.empty()); });
    for (const model::ItemView item : sample_items()) {
        const auto holds = [&](const LegacyCondition &one) {
            return expression::condition_of_legacy(std::span(&one, 1), false).holds(item.attributes());
        };
        const bool expected = any ? std::ranges::any_of(conditions, holds) : std::ranges::all_of(conditions, holds);
        BASALT_CHECK(condition.holds(item.attributes()) == expected);
    }
}

void check_conditions(Bytes bytes, LegacyParameter parameter, bool any)
{
    const auto conditions = conditions_of(bytes, parameter);
    if (const auto checked = expression::check_legacy_conditions(conditions, parameter); !checked) {
        return check_error(checked.error(), bytes);
    }
    if (parameter == LegacyParameter::key_conditions) {
        const auto clauses = expression::key_clauses_of_legacy(conditions);
        if (!clauses) {
            return check_error(clauses.error(), bytes);
        }
        BASALT_CHECK(clauses->size() == conditions.size() && clauses->size() <= expression::kMaxKeyClauses);
        for (const expression::KeyClause &clause : *clauses) {
            BASALT_CHECK(clause.upper.has_value() == (clause.op == expression::KeyOperator::between));
        }
    } else if (!conditions.empty()) {
        check_condition(conditions, any);
    }
}

void check_updates(Bytes bytes)
{
    std::vector<AttributeUpdate> updates;
    Entries entries(bytes);
    for (Bytes entry = entries.next(); !entry.empty(); entry = entries.next()) {
        updates.push_back({.attribute = entry.substr(0, 1),
                           .action = static_cast<AttributeUpdate::Action>(static_cast<unsigned char>(entry[1]) % 3),
                           .value = value_of(entry[3])});
    }
    if (const auto checked = expression::check_attribute_updates(updates); !checked) {
        return check_error(checked.error(), bytes);
    }
    if (!updates.empty()) {
        const auto update = expression::Update::of_attribute_updates(updates);
        check_update(update, expression::Update::of_attribute_updates(updates), bytes);
    }
}

void check(Bytes input)
{
    if (input.empty()) {
        return;
    }
    const Bytes entries = input.substr(1);
    switch (input.front()) {
    case 'x':
    case 'X':
        return check_conditions(entries, LegacyParameter::expected, input.front() == 'X');
    case 'f':
    case 'F':
        return check_conditions(entries, LegacyParameter::filter, input.front() == 'F');
    case 'k':
        return check_conditions(entries, LegacyParameter::key_conditions, false);
    case 'u':
        return check_updates(entries);
    default:
        return;
    }
}

} // namespace

} // namespace basalt::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    basalt::fuzz::check({reinterpret_cast<const char *>(data), size});
    return 0;
}

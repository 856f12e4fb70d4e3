#include "linearizability/history.h"

#include <algorithm>
#include <string_view>

namespace basalt::linearizability {
namespace {

constexpr std::array<std::string_view, 12> kKindNames = {
    "get",         "batch get", "scan",   "query",  "index query",  "fetching query",
    "batch write", "put",       "update", "delete", "transact get", "transact write"};
constexpr std::array<std::string_view, 4> kOutcomeNames = {"UNKNOWN", "done", "condition failed", "refused"};

bool holds(const Access &access, const State &state)
{
    switch (access.condition) {
    case Condition::none:
        return true;
    case Condition::version_is:
        return state.version == access.expected && state.version != 0;
    case Condition::exists:
        return state.version != 0;
    case Condition::absent:
        return state.version == 0;
    }
    return false;
}

bool matches(const Access &access, const State &state)
{
    return ((access.seen & Access::version) == 0 || access.state.version == state.version) &&
           ((access.seen & Access::previous) == 0 || access.state.previous == state.previous) &&
           ((access.seen & Access::count) == 0 || access.state.count == state.count);
}

State after(const Access &access, const State &state)
{
    switch (access.effect) {
    case Effect::none:
        return state;
    case Effect::put:
        return {access.written, 0, 1};
    case Effect::update:
        return {access.written, state.version, state.count + 1};
    case Effect::remove:
        return {};
    }
    return state;
}

bool goes_item_by_item(Kind kind)
{
    switch (kind) {
    case Kind::batch_get:
    case Kind::scan:
    case Kind::query:
    case Kind::index_query:
    case Kind::fetching_query:
    case Kind::batch_write:
        return true;
    default:
        return false;
    }
}

std::string to_text(const Access &access)
{
    std::string text = "item " + std::to_string(access.item);
    const auto add = [&text](std::string_view words, std::uint32_t version) {
        text.append(" ").append(words).append(" v").append(std::to_string(version));
    };
    const std::string_view negation = access.held ? "" : "NOT ";
    switch (access.condition) {
    case Condition::none:
        break;
    case Condition::version_is:
        add(std::string(negation) + "at", access.expected);
        break;
    case Condition::exists:
        text.append(" ").append(negation).append("there");
        break;
    case Condition::absent:
        text.append(" ").append(negation).append("absent");
        break;
    }
    switch (access.effect) {
    case Effect::none:
        break;
    case Effect::put:
        add("put", access.written);
        break;
    case Effect::update:
        add("update to", access.written);
        break;
    case Effect::remove:
        text.append(" delete");
        break;
    }
    if (access.seen != Access::nothing) {
        text.append(access.seen_after ? ", after it " : ", saw ").append(to_text(access.state));
    }
    return text;
}

} // namespace

bool Operation::has_effect() const
{
    return std::any_of(accesses.begin(), accesses.begin() + access_count,
                       [](const Access &access) { return access.effect != Effect::none; });
}

bool apply(const Access &access, State &state)
{
    if (holds(access, state) != access.held) {
        return false;
    }
    const State changed = after(access, state);
    if (!matches(access, access.seen_after ? changed : state)) {
        return false;
    }
    state = changed;
    return true;
}

History atomic_units(const History &history)
{
    History units;
    for (const Operation &operation : history) {
        const bool says_nothing = operation.outcome == Outcome::unknown && !operation.has_effect();
        if (operation.outcome == Outcome::refused || says_nothing) {
            continue;
        }
        if (!goes_item_by_item(operation.kind)) {
            units.push_back(operation);
            continue;
        }
        for (std::size_t i = 0; i < operation.access_count; ++i) {
            Operation &unit = units.emplace_back(operation);
            unit.accesses[0] = operation.accesses[i];
            unit.access_count = 1;
        }
    }
    std::stable_sort(units.begin(), units.end(),
                     [](const Operation &a, const Operation &b) { return a.invoked < b.invoked; });
    return units;
}

History of_item(const History &units, std::size_t item)
{
    History out;
    for (const Operation &operation : units) {
        for (std::size_t i = 0; i < operation.access_count; ++i) {
            if (operation.accesses[i].item == item) {
                Operation &part = out.emplace_back(operation);
                part.accesses[0] = operation.accesses[i];
                part.access_count = 1;
            }
        }
    }
    return out;
}

std::string to_text(const State &state)
{
    if (state == State{}) {
        return "nothing";
    }
    return "v" + std::to_string(state.version) + " (after v" + std::to_string(state.previous) + ", count " +
           std::to_string(state.count) + ")";
}

std::string to_text(const Operation &operation)
{
    std::string text = "[" + std::to_string(operation.invoked) + ".." + std::to_string(operation.completed) +
                       "] client " + std::to_string(operation.client) + " ";
    text.append(kKindNames[static_cast<std::size_t>(operation.kind)]);
    for (std::size_t i = 0; i < operation.access_count; ++i) {
        text.append(i == 0 ? ": " : "; ").append(to_text(operation.accesses[i]));
    }
    return text.append(" -> ").append(kOutcomeNames[static_cast<std::size_t>(operation.outcome)]);
}

std::string to_text(const History &history)
{
    std::string text;
    for (const Operation &operation : history) {
        text.append(to_text(operation)).append("\n");
    }
    return text;
}

} // namespace basalt::linearizability

// Random updates of random items against a slow model that keeps items as trees and applies one action after another.
#include "codec/item_encoding.h"
#include "expression/update.h"
#include "unit/expression/item_notation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace basalt::expression {
namespace {

struct Value {
    enum class Type { number, text, map, list, set };
    Type type = Type::number;
    int number = 0;
    std::string text = {};
    std::vector<std::pair<std::string, Value>> members = {};
    std::vector<Value> elements = {};
    std::vector<std::string> set = {};
    // Only during an update, so that positions stay those of the old item.
    bool is_removed = false;
    std::vector<std::pair<int, Value>> appended = {};

    Value *member(const std::string &name)
    {
        const auto at = std::ranges::find(members, name, [](const auto &member) { return member.first; });
        return type != Type::map || at == members.end() ? nullptr : &at->second;
    }
};

struct Step {
    std::string name; // empty: index
    int index = 0;
};
using Path = std::vector<Step>;

std::string text_of(const Path &path)
{
    std::string text;
    for (const Step &step : path) {
        text += step.name.empty() ? "[" + std::to_string(step.index) + "]" : (text.empty() ? "" : ".") + step.name;
    }
    return text;
}

std::string print(const Value &value)
{
    std::string out;
    const auto add = [&](const std::string &part) { out.append(out.empty() ? "" : ", ").append(part); };
    switch (value.type) {
    case Value::Type::number:
        return std::to_string(value.number);
    case Value::Type::text:
        return "'" + value.text + "'";
    case Value::Type::set:
        for (const std::string &member : value.set) {
            add("'" + member + "'");
        }
        return "SS(" + out + ")";
    case Value::Type::map:
        for (const auto &[name, member] : value.members) {
            add(name + ": " + print(member));
        }
        return "{" + out + "}";
    case Value::Type::list:
        for (const Value &element : value.elements) {
            add(print(element));
        }
        return "[" + out + "]";
    }
    return out;
}

Value *find(Value &value, const Step &step)
{
    if (!step.name.empty()) {
        return value.member(step.name);
    }
    const bool exists = value.type == Value::Type::list && step.index < static_cast<int>(value.elements.size());
    return exists ? &value.elements[static_cast<std::size_t>(step.index)] : nullptr;
}

Value *find(Value &root, std::span<const Step> path)
{
    Value *at = &root;
    for (const Step &step : path) {
        at = at == nullptr ? nullptr : find(*at, step);
    }
    return at;
}

struct Operand {
    enum class Kind { literal, path, sum, if_not_exists, list_append };
    Kind kind = Kind::literal;
    Path path = {};
    Value literal = {};
};

struct Action {
    enum class Kind { set, remove, add, delete_from };
    Kind kind = Kind::set;
    Path path = {};
    Operand operand = {};
};

/// What happened to the item: its notation or the message.
class Model {
public:
    explicit Model(const Value &item)
        : old_(item),
          now_(item)
    {}

    std::string apply(const std::vector<Action> &actions)
    {
        std::vector<Value> values;
        for (const Action &action : actions) {
            values.push_back(action.kind == Action::Kind::set ? evaluate(action.operand) : action.operand.literal);
        }
        for (std::size_t i = 0; i < actions.size() && error_.empty(); ++i) {
            act(actions[i], values[i]);
        }
        settle(now_);
        return error_.empty() ? print(now_) : error_;
    }

private:
    static constexpr const char *kInvalid = "The document path provided in the update expression is invalid for update";
    static constexpr const char *kMissing =
        "The provided expression refers to an attribute that does not exist in the item";
    static constexpr const char *kWrongType = "An operand in the update expression has an incorrect data type";

    void fail_with(const char *message) { error_ = error_.empty() ? message : error_; }

    Value evaluate(const Operand &operand)
    {
        const Value *read = find(old_, operand.path);
        if (operand.kind == Operand::Kind::literal) {
            return operand.literal;
        }
        if (operand.kind == Operand::Kind::if_not_exists) {
            return read != nullptr ? *read : operand.literal;
        }
        if (read == nullptr) {
            fail_with(kMissing);
            return {};
        }
        if (operand.kind == Operand::Kind::path) {
            return *read;
        }
        Value result = *read;
        if (operand.kind == Operand::Kind::sum) {
            if (read->type != Value::Type::number) {
                fail_with(kWrongType);
            }
            result.number += operand.literal.number;
            return result;
        }
        if (read->type != Value::Type::list) {
            fail_with(kWrongType);
        }
        result.elements.insert(result.elements.end(), operand.literal.elements.begin(), operand.literal.elements.end());
        return result;
    }

    void act(const Action &action, const Value &value)
    {
        Value *parent = find(now_, std::span(action.path).first(action.path.size() - 1));
        const Step &last = action.path.back();
        if (parent == nullptr || parent->type != (last.name.empty() ? Value::Type::list : Value::Type::map)) {
            return fail_with(kInvalid);
        }
        Value *stored = find(*parent, last);
        if (stored == nullptr) {
            if (action.kind == Action::Kind::set || action.kind == Action::Kind::add) {
                create(*parent, last, value);
            }
            return;
        }
        if (action.kind == Action::Kind::set) {
            *stored = value;
        } else if (action.kind == Action::Kind::remove) {
            stored->is_removed = true;
        } else if (stored->type != value.type) {
            fail_with(kWrongType);
        } else if (action.kind == Action::Kind::add) {
            stored->number += value.number;
            for (const std::string &member : value.set) {
                if (std::ranges::find(stored->set, member) == stored->set.end()) {
                    stored->set.push_back(member);
                }
            }
        } else {
            std::erase_if(stored->set, [&](const std::string &member) {
                return std::ranges::find(value.set, member) != value.set.end();
            });
            stored->is_removed = stored->set.empty();
        }
    }

    static void create(Value &parent, const Step &step, const Value &value)
    {
        if (step.name.empty()) {
            parent.appended.emplace_back(step.index, value);
        } else {
            parent.members.emplace_back(step.name, value);
        }
    }

    static void settle(Value &value)
    {
        std::ranges::sort(value.appended, {}, [](const auto &entry) { return entry.first; });
        for (auto &entry : value.appended) {
            value.elements.push_back(entry.second);
        }
        std::erase_if(value.members, [](const auto &member) { return member.second.is_removed; });
        std::erase_if(value.elements, [](const Value &element) { return element.is_removed; });
        for (auto &member : value.members) {
            settle(member.second);
        }
        for (Value &element : value.elements) {
            settle(element);
        }
    }

    Value old_;
    Value now_;
    std::string error_;
};

class Generator {
public:
    explicit Generator(std::uint32_t seed)
        : random_(seed)
    {}

    Value item()
    {
        Value item = value(3);
        while (item.type != Value::Type::map) {
            item = value(3);
        }
        return item;
    }

    Value value(int levels)
    {
        Value result;
        result.type = static_cast<Value::Type>(below(5));
        if (levels == 0 && (result.type == Value::Type::map || result.type == Value::Type::list)) {
            result.type = Value::Type::text;
        }
        switch (result.type) {
        case Value::Type::number:
            result.number = below(200) - 100;
            break;
        case Value::Type::text:
            result.text = std::string(static_cast<std::size_t>(below(4)), 'x');
            break;
        case Value::Type::map:
            for (const char *name : {"a", "b", "c", "d"}) {
                if (below(3) != 0) {
                    result.members.emplace_back(name, value(levels - 1));
                }
            }
            break;
        case Value::Type::list:
            for (int count = below(5); count > 0; --count) {
                result.elements.push_back(value(levels - 1));
            }
            break;
        case Value::Type::set:
            for (const char *member : {"p", "q", "r"}) {
                if (result.set.empty() || below(2) == 0) {
                    result.set.emplace_back(member);
                }
            }
            break;
        }
        return result;
    }

    /// Mostly one that the item has.
    Path path(Value &item)
    {
        Path path{{std::string(1, static_cast<char>('a' + below(5)))}};
        while (below(3) != 0 && path.size() < 5) {
            const Value *at = find(item, path);
            const bool is_list = at != nullptr && at->type == Value::Type::list;
            if ((at == nullptr || (!is_list && at->type != Value::Type::map)) && below(8) != 0) {
                break;
            }
            path.push_back(is_list != (below(20) == 0) ? Step{"", below(6)}
                                                       : Step{std::string(1, static_cast<char>('a' + below(5)))});
        }
        return path;
    }

    Value of_type(Value::Type type)
    {
        Value result = value(1);
        while (result.type != type) {
            result = value(1);
        }
        return result;
    }

    Action action(Value &item)
    {
        Action action{static_cast<Action::Kind>(below(4)), path(item)};
        if (action.kind != Action::Kind::set) {
            const bool is_number = action.kind == Action::Kind::add && below(2) == 0;
            action.operand.literal = of_type(is_number ? Value::Type::number : Value::Type::set);
            return action;
        }
        action.operand.kind = below(3) == 0 ? static_cast<Operand::Kind>(below(5)) : Operand::Kind::literal;
        action.operand.path = path(item);
        action.operand.literal = action.operand.kind == Operand::Kind::sum           ? of_type(Value::Type::number)
                                 : action.operand.kind == Operand::Kind::list_append ? of_type(Value::Type::list)
                                                                                     : value(2);
        return action;
    }

    int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint32_t>(limit)); }

private:
    std::mt19937 random_;
};

std::string operand_text(const Operand &operand, const std::string &placeholder)
{
    switch (operand.kind) {
    case Operand::Kind::literal:
        return placeholder;
    case Operand::Kind::path:
        return text_of(operand.path);
    case Operand::Kind::sum:
        return text_of(operand.path) + " + " + placeholder;
    case Operand::Kind::if_not_exists:
        return "if_not_exists(" + text_of(operand.path) + ", " + placeholder + ")";
    case Operand::Kind::list_append:
        return "list_append(" + text_of(operand.path) + ", " + placeholder + ")";
    }
    return {};
}

/// actions: in the order of their kinds. values: the notation of their literals.
std::string expression_of(const std::vector<Action> &actions, std::string &values)
{
    constexpr const char *kSections[] = {"SET", "REMOVE", "ADD", "DELETE"};
    std::string text;
    values = "{";
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const Action &action = actions[i];
        const bool begins = i == 0 || actions[i - 1].kind != action.kind;
        text.append(begins ? std::string(" ") + kSections[static_cast<int>(action.kind)] + " " : ", ");
        const std::string placeholder = ":v" + std::to_string(i);
        values.append(i == 0 ? "" : ", ").append(placeholder).append(": ").append(print(action.operand.literal));
        text.append(text_of(action.path));
        if (action.kind == Action::Kind::set) {
            text.append(" = ").append(operand_text(action.operand, placeholder));
        } else if (action.kind != Action::Kind::remove) {
            text.append(" ").append(placeholder);
        }
    }
    values += "}";
    return text;
}

std::string applied(const Update &update, const std::string &item)
{
    const std::string bytes = item_from(item);
    std::string out;
    if (const auto result = update.apply(model::ItemView(bytes).attributes(), true, out); !result) {
        return result.error().message;
    }
    EXPECT_TRUE(codec::is_valid_item(out)) << item;
    EXPECT_EQ(model::ItemView(out).size_bytes(), codec::map_size_bytes(model::ItemView(out).attributes()));
    return notation_of(model::ItemView(out).attributes());
}

TEST(UpdateProperty, MatchesTheModel)
{
    constexpr std::uint32_t kSeed = 300;
    std::printf("seed %u\n", kSeed);
    Generator generator(kSeed);
    SyntaxCache cache(1 << 20);
    int accepted = 0;
    int succeeded = 0;
    for (int round = 0; round < 20'000; ++round) {
        Value item = generator.item();
        std::vector<Action> actions(static_cast<std::size_t>(1 + generator.below(4)));
        for (Action &action : actions) {
            action = generator.action(item);
        }
        std::ranges::stable_sort(actions, {}, &Action::kind);
        std::string values;
        const std::string text = expression_of(actions, values);
        NotedPlaceholders request(values);
        const auto update = Update::parse(cache, text, *request);
        if (!update) {
            EXPECT_TRUE(update.error().message.starts_with("Invalid UpdateExpression: Two document paths "))
                << text << ": " << update.error().message;
            continue;
        }
        ++accepted;
        const std::string before = print(item);
        const std::string expected = Model(item).apply(actions);
        succeeded += expected.starts_with("{") ? 1 : 0;
        ASSERT_EQ(applied(*update, before), expected) << text << "\n" << before << "\n" << values;
    }
    EXPECT_GT(accepted, 10'000);
    EXPECT_GT(succeeded, 5'000);
}

} // namespace
} // namespace basalt::expression

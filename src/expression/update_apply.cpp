// Builds the new item in one walk over the old one: what no path touches is copied as it stands, a map or list that
// paths reach into is rebuilt around its changed parts.
#include "codec/item_encoding.h"
#include "expression/update.h"
#include "expression/update_operand.h"
#include "expression/update_set.h"
#include "model/decimal.h"
#include "model/limits.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace basalt::expression {

namespace {

using model::AttributeType;
using model::Decimal;
using model::ValueView;
using Kind = UpdateAction::Kind;
using Step = PathTree::Step;

constexpr std::string_view kInvalidPath = "The document path provided in the update expression is invalid for update";
constexpr std::string_view kTypeMismatch = "Type mismatch for attribute to update";
constexpr std::string_view kTooDeep =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";
constexpr std::string_view kTooLarge = "Item size to update has exceeded the maximum allowed size";

// No encoding is longer in relation to the size that DynamoDB counts than that of an attribute with a name of one byte
// and a set of one empty string: 12 bytes for 1. Past this an update need not be built to be refused.
constexpr std::size_t kMaxEncodedBytes = 16 * model::kMaxItemBytes;

/// Maps and lists inside one another around the innermost value, the given one included if it has elements. Recursion
/// is bounded by the limit on stored and given values.
int levels_inside(ValueView value)
{
    int levels = 0;
    if (value.type() == AttributeType::map) {
        for (const model::Attribute attribute : value.map()) {
            levels = std::max(levels, 1 + levels_inside(attribute.value));
        }
    } else if (value.type() == AttributeType::list) {
        for (const ValueView element : value.list()) {
            levels = std::max(levels, 1 + levels_inside(element));
        }
    }
    return levels;
}

struct UpdateParts {
    const PathTree &paths; // numbered like the actions
    std::span<const UpdateAction> actions;
    std::span<const NewValue> new_values; // by action; of SET only
    bool legacy = false;
    bool item_exists = false;
};

/// Names are empty for elements of lists. levels: maps and lists around the value at hand.
class ItemBuilder {
public:
    ItemBuilder(const UpdateParts &parts, std::string &out)
        : parts_(parts),
          out_(out),
          start_(out.size()),
          writer_(out),
          is_met_(parts.paths.steps().size())
    {}

    Result<void> build(model::MapView item)
    {
        writer_.begin_item();
        build_map(parts_.paths.root(), item, 0);
        writer_.end();
        if (failed_action_ != PathTree::kNoPath || is_too_large_) {
            out_.resize(start_);
            return fail(ErrorCode::validation, std::string(failed_action_ != PathTree::kNoPath ? failure_ : kTooLarge));
        }
        return {};
    }

private:
    /// Recursion, here and below, is bounded by the length of paths.
    void build_map(const Step &step, model::MapView map, int levels)
    {
        for (const model::Attribute attribute : map) {
            if (const Step *below = parts_.paths.find(step, attribute.name)) {
                is_met_[parts_.paths.position(*below)] = true;
                change(*below, attribute.name, attribute.value, levels);
            } else {
                write(attribute.name, attribute.value);
            }
        }
        std::vector<const Step *> added;
        for (const Step &below : parts_.paths.names(step)) {
            if (!is_met_[parts_.paths.position(below)]) {
                added.push_back(&below);
            }
        }
        std::ranges::sort(added, {}, [](const Step *below) { return below->first_path; });
        for (const Step *below : added) {
            create(*below, below->name, levels);
        }
    }

    void build_list(const Step &step, model::ListView list, int levels)
    {
        const std::span<const Step> touched = parts_.paths.indexes(step);
        auto next = touched.begin();
        std::uint32_t index = 0;
        for (const ValueView element : list) {
            if (next != touched.end() && next->index == index) {
                change(*next++, {}, element, levels);
            } else {
                write({}, element);
            }
            ++index;
        }
        for (; next != touched.end(); ++next) {
            create(*next, {}, levels);
        }
    }

    /// At a value that is there.
    void change(const Step &step, std::string_view name, ValueView value, int levels)
    {
        if (step.path != PathTree::kNoPath) {
            return act(step.path, name, value, levels);
        }
        if (value.type() == AttributeType::map && step.indexes_begin != step.names_begin) {
            write_name(name);
            writer_.begin_map();
            build_map(step, value.map(), levels + 1);
            writer_.end();
        } else if (value.type() == AttributeType::list && step.indexes_begin == step.names_begin) {
            write_name(name);
            writer_.begin_list();
            build_list(step, value.list(), levels + 1);
            writer_.end();
        } else {
            fail_at(step.first_path, kInvalidPath);
        }
    }

    void act(std::uint32_t number, std::string_view name, ValueView value, int levels)
    {
        const UpdateAction &action = parts_.actions[number];
        switch (action.kind) {
        case Kind::set:
            return write_new(number, name, levels);
        case Kind::remove:
            return;
        case Kind::add:
            return add(number, name, value);
        case Kind::delete_from:
            return delete_from(number, name, value);
        }
    }

    /// At a value that is not there, in a map or list that is.
    void create(const Step &step, std::string_view name, int levels)
    {
        if (step.path == PathTree::kNoPath) {
            fail_at(parts_.item_exists ? step.first_path : first_creating(step), kInvalidPath);
            return;
        }
        const UpdateAction &action = parts_.actions[step.path];
        if (action.kind == Kind::set) {
            write_new(step.path, name, levels);
        } else if (action.kind == Kind::add) {
            write(name, ValueView(action.value));
        }
    }

    /// The first SET or ADD at or below the step. Its steps are few: each is asked at most once.
    [[nodiscard]] std::uint32_t first_creating(const Step &step) const
    {
        std::uint32_t first = PathTree::kNoPath;
        if (step.path != PathTree::kNoPath) {
            const Kind kind = parts_.actions[step.path].kind;
            first = kind == Kind::set || kind == Kind::add ? step.path : first;
        }
        for (const auto &below : {parts_.paths.names(step), parts_.paths.indexes(step)}) {
            for (const Step &next : below) {
                first = std::min(first, first_creating(next));
            }
        }
        return first;
    }

    void add(std::uint32_t number, std::string_view name, ValueView stored)
    {
        const ValueView given(parts_.actions[number].value);
        if (stored.type() != given.type()) {
            return fail_type(number);
        }
        if (!begin_write(name)) {
            return;
        }
        if (given.type() == AttributeType::number) {
            const auto left = Decimal::parse(stored.text());
            const auto right = Decimal::parse(given.text());
            const auto sum = left && right ? left->add(*right) : left;
            if (!sum) {
                return fail_at(number, sum.error().message);
            }
            writer_.number(*sum);
        } else if (given.type() == AttributeType::list) {
            write_lists(stored.list(), given.list());
        } else {
            write_union(writer_, stored, given_sets_.members(given));
        }
    }

    void delete_from(std::uint32_t number, std::string_view name, ValueView stored)
    {
        const ValueView given(parts_.actions[number].value);
        if (stored.type() != given.type()) {
            return fail_type(number);
        }
        const std::vector<Bytes> kept = difference(stored.set(), given_sets_.members(given));
        if (kept.empty() || !begin_write(name)) {
            return;
        }
        writer_.begin_set(stored.type());
        for (const Bytes member : kept) {
            writer_.member(member);
        }
        writer_.end();
    }

    void write_new(std::uint32_t number, std::string_view name, int levels)
    {
        const NewValue &value = parts_.new_values[number];
        if (!begin_write(name)) {
            return;
        }
        if (value.kind == NewValue::Kind::number) {
            return writer_.number(value.number);
        }
        const ValueView first(value.first);
        const bool is_joined = value.kind == NewValue::Kind::lists;
        // What stands at the top of an item, here or in the request, may be as deep as it is.
        if (levels > 0) {
            const int inside = std::max(levels_inside(first), is_joined ? levels_inside(ValueView(value.second)) : 0);
            if (levels + inside >= model::kMaxNestingLevels) {
                return fail_at(number, kTooDeep);
            }
        }
        if (is_joined) {
            write_lists(first.list(), ValueView(value.second).list());
        } else {
            writer_.value(first);
        }
    }

    void write_lists(model::ListView first, model::ListView second)
    {
        writer_.begin_list();
        for (const model::ListView list : {first, second}) {
            for (const ValueView element : list) {
                writer_.value(element);
            }
        }
        writer_.end();
    }

    void write(std::string_view name, ValueView value)
    {
        if (begin_write(name)) {
            writer_.value(value);
        }
    }

    /// Whether the value is worth writing.
    bool begin_write(std::string_view name)
    {
        is_too_large_ = is_too_large_ || out_.size() - start_ > kMaxEncodedBytes;
        if (is_too_large_) {
            return false;
        }
        write_name(name);
        return true;
    }

    void write_name(std::string_view name)
    {
        if (!name.empty()) {
            writer_.name(name);
        }
    }

    void fail_type(std::uint32_t number)
    {
        fail_at(number, parts_.legacy ? kTypeMismatch : wrong_operand_type().error.message);
    }

    /// The fault of the first action is the one that is reported.
    void fail_at(std::uint32_t number, std::string_view text)
    {
        if (number < failed_action_) {
            failed_action_ = number;
            failure_ = text;
        }
    }

    const UpdateParts &parts_;
    std::string &out_;
    std::size_t start_;
    codec::ItemWriter writer_;
    std::vector<bool> is_met_; // by step
    GivenSets given_sets_;
    bool is_too_large_ = false;
    std::uint32_t failed_action_ = PathTree::kNoPath;
    std::string failure_;
};

} // namespace

Result<void> Update::apply(model::MapView item, bool exists, std::string &out) const
{
    const OperandEvaluator operands(tree_, reads_, item);
    std::vector<NewValue> new_values(actions_.size());
    for (std::size_t i = 0; i < actions_.size(); ++i) {
        const UpdateAction &action = actions_[i];
        if (action.kind != UpdateAction::Kind::set) {
            continue;
        }
        if (action.operand == kNoNode) {
            new_values[i].first = action.value;
            continue;
        }
        auto value = operands.evaluate(action.operand);
        if (!value) {
            return fail(std::move(value).error());
        }
        new_values[i] = *value;
    }
    const UpdateParts parts{changed_.paths(), actions_, new_values, legacy_, exists};
    return ItemBuilder(parts, out).build(item);
}

} // namespace basalt::expression

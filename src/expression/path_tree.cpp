// Sorts the paths, then makes steps level by level: paths with a common beginning are neighbours.
#include "expression/path_tree.h"

#include <algorithm>
#include <charconv>
#include <compare>

namespace basalt::expression {

namespace {

using Path = std::span<const PathElement>;

bool is_index(const PathElement &element) noexcept
{
    return element.kind == PathElement::Kind::index;
}

/// Names by their bytes, then indexes by value; these have no leading zeros.
std::strong_ordering compare(const PathElement &left, const PathElement &right) noexcept
{
    // Uses of one placeholder share what may be a long name.
    if (left.text.data() == right.text.data() && left.text.size() == right.text.size()) {
        return std::strong_ordering::equal;
    }
    if (is_index(left) != is_index(right)) {
        return is_index(left) ? std::strong_ordering::greater : std::strong_ordering::less;
    }
    if (is_index(left) && left.text.size() != right.text.size()) {
        return left.text.size() <=> right.text.size();
    }
    return left.text <=> right.text;
}

bool comes_before(Path left, Path right) noexcept
{
    return std::lexicographical_compare_three_way(left.begin(), left.end(), right.begin(), right.end(), compare) < 0;
}

std::uint32_t index_of(std::string_view digits) noexcept
{
    std::uint32_t index = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), index);
    return index;
}

/// The paths, as a range of the sorted order, that share a step and what leads to it.
struct Group {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t depth = 0; // elements up to the step
};

} // namespace

PathTree::PathTree(std::span<const Path> paths)
    : ends_(paths.size())
{
    std::vector<std::uint32_t> order(paths.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::ranges::stable_sort(
        order, [&](std::uint32_t left, std::uint32_t right) { return comes_before(paths[left], paths[right]); });

    std::vector<Group> groups{{0, static_cast<std::uint32_t>(order.size()), 0}};
    for (std::uint32_t at = 0; at < groups.size(); ++at) {
        const Group group = groups[at];
        Step step = steps_[at];
        std::uint32_t i = group.begin;
        for (; i < group.end && paths[order[i]].size() == group.depth; ++i) {
            ends_[order[i]] = at;
            if (i == group.begin) {
                step.path = order[i];
            } else if (i == group.begin + 1) {
                step.second_path = order[i];
            }
        }
        for (std::uint32_t path = group.begin; path < group.end; ++path) {
            step.first_path = std::min(step.first_path, order[path]);
        }
        step.names_begin = static_cast<std::uint32_t>(steps_.size());
        step.indexes_begin = step.names_begin;
        while (i < group.end) {
            const PathElement &element = paths[order[i]][group.depth];
            const std::uint32_t begin = i;
            while (i < group.end && compare(paths[order[i]][group.depth], element) == 0) {
                ++i;
            }
            groups.push_back({begin, i, group.depth + 1});
            if (is_index(element)) {
                steps_.push_back(Step{.name = {}, .index = index_of(element.text)});
            } else {
                steps_.push_back(Step{.name = element.text});
                ++step.indexes_begin;
            }
        }
        step.below_end = static_cast<std::uint32_t>(steps_.size());
        steps_[at] = step;
    }
}

std::span<const PathTree::Step> PathTree::names(const Step &step) const noexcept
{
    return std::span(steps_).subspan(step.names_begin, step.indexes_begin - step.names_begin);
}

std::span<const PathTree::Step> PathTree::indexes(const Step &step) const noexcept
{
    return std::span(steps_).subspan(step.indexes_begin, step.below_end - step.indexes_begin);
}

const PathTree::Step *PathTree::find(const Step &step, std::string_view name) const noexcept
{
    const std::span<const Step> candidates = names(step);
    const auto at = std::ranges::lower_bound(candidates, name, {}, &Step::name);
    return at == candidates.end() || at->name != name ? nullptr : &*at;
}

void PathTree::read(model::MapView item, std::span<std::optional<model::ValueView>> values) const
{
    read_map(root(), item, values);
}

void PathTree::read_map(const Step &step, model::MapView map, std::span<std::optional<model::ValueView>> values) const
{
    std::size_t missing = names(step).size();
    if (missing == 0) {
        return;
    }
    for (const model::Attribute attribute : map) {
        if (const Step *below = find(step, attribute.name)) {
            read_below(*below, attribute.value, values);
            if (--missing == 0) {
                return;
            }
        }
    }
}

void PathTree::read_below(const Step &step, model::ValueView value,
                          std::span<std::optional<model::ValueView>> values) const
{
    if (step.path != kNoPath) {
        values[position(step)] = value;
    }
    if (value.type() == model::AttributeType::map) {
        read_map(step, value.map(), values);
    } else if (value.type() == model::AttributeType::list) {
        const std::span<const Step> wanted = indexes(step);
        auto next = wanted.begin();
        std::uint32_t index = 0;
        for (auto element = value.list().begin(); next != wanted.end() && element != value.list().end();
             ++element, ++index) {
            if (next->index == index) {
                read_below(*next++, *element, values);
            }
        }
    }
}

} // namespace basalt::expression

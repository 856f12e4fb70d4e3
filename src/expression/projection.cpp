// Finds the parts first, then writes them: whether a map or list belongs to the result is known only behind it.
#include "expression/projection.h"

#include "codec/item_encoding.h"
#include "expression/path_check.h"
#include "expression/substitution.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace basalt::expression {

namespace {

using model::AttributeType;
using model::ValueView;
using Path = std::span<const PathElement>;
using Step = PathTree::Step;

struct Part {
    enum class Kind : std::uint8_t { value, map, list, end };
    Kind kind = Kind::value;
    std::string_view name; // empty: an element of a list
    Bytes value;           // kind value
};

class Finder {
public:
    explicit Finder(const PathTree &paths)
        : paths_(paths)
    {}

    /// Recursion, here and below, is bounded by the length of paths.
    void find_in(const Step &step, model::MapView map)
    {
        std::size_t missing = paths_.names(step).size();
        for (auto at = map.begin(); missing != 0 && at != map.end(); ++at) {
            const model::Attribute attribute = *at;
            if (const Step *below = paths_.find(step, attribute.name)) {
                --missing;
                add(*below, attribute.name, attribute.value);
            }
        }
    }

    [[nodiscard]] const std::vector<Part> &parts() const noexcept { return parts_; }

private:
    void find_in(const Step &step, model::ListView list)
    {
        const std::span<const Step> wanted = paths_.indexes(step);
        auto next = wanted.begin();
        std::uint32_t index = 0;
        for (auto at = list.begin(); next != wanted.end() && at != list.end(); ++at, ++index) {
            if (next->index == index) {
                add(*next++, {}, *at);
            }
        }
    }

    void add(const Step &step, std::string_view name, ValueView value)
    {
        if (!step.has_below()) {
            parts_.push_back({Part::Kind::value, name, value.bytes()});
            return;
        }
        const bool is_map = value.type() == AttributeType::map;
        if (!is_map && value.type() != AttributeType::list) {
            return;
        }
        const std::size_t before = parts_.size();
        parts_.push_back({is_map ? Part::Kind::map : Part::Kind::list, name, {}});
        if (is_map) {
            find_in(step, value.map());
        } else {
            find_in(step, value.list());
        }
        if (parts_.size() == before + 1) {
            parts_.pop_back();
        } else {
            parts_.push_back({Part::Kind::end, {}, {}});
        }
    }

    const PathTree &paths_;
    std::vector<Part> parts_;
};

} // namespace

Projection::Projection(PathTree paths)
    : paths_(std::move(paths))
{
    std::vector<const Step *> steps;
    for (const Step &step : paths_.names(paths_.root())) {
        steps.push_back(&step);
    }
    std::ranges::sort(steps, {}, &Step::first_path);
    for (const Step *step : steps) {
        attributes_.push_back(step->name);
    }
}

Result<Projection> Projection::parse(SyntaxCache &cache, std::string_view text, Placeholders &placeholders)
{
    Result<Tree> tree = cache.parse(text, ExpressionKind::projection);
    if (!tree) {
        return fail(std::move(tree).error());
    }
    if (const auto problem = substitute(*tree, tree->nodes(), placeholders)) {
        return fail(invalid_expression(ExpressionKind::projection, *problem));
    }
    std::vector<Path> paths;
    for (const Node &node : std::as_const(*tree).nodes()) {
        if (node.kind == NodeKind::path) {
            paths.push_back(std::as_const(*tree).path(node));
        }
    }
    PathTree merged(paths);
    if (const auto problem = path_pair_problem(merged, paths)) {
        return fail(invalid_expression(ExpressionKind::projection, *problem));
    }
    return Projection(std::move(merged));
}

Projection Projection::of_attributes(std::span<const std::string_view> names)
{
    std::vector<PathElement> elements;
    elements.reserve(names.size());
    for (const std::string_view name : names) {
        elements.push_back({PathElement::Kind::attribute, name});
    }
    std::vector<Path> paths;
    paths.reserve(names.size());
    for (const PathElement &element : elements) {
        paths.emplace_back(&element, 1);
    }
    return of_paths(paths);
}

Projection Projection::of_paths(std::span<const Path> paths)
{
    return Projection(PathTree(paths));
}

void Projection::append_item(model::MapView item, std::string &out) const
{
    Finder finder(paths_);
    finder.find_in(paths_.root(), item);
    codec::ItemWriter writer(out);
    writer.begin_item();
    for (const Part &part : finder.parts()) {
        if (!part.name.empty()) {
            writer.name(part.name);
        }
        switch (part.kind) {
        case Part::Kind::value:
            writer.value(ValueView(part.value));
            break;
        case Part::Kind::map:
            writer.begin_map();
            break;
        case Part::Kind::list:
            writer.begin_list();
            break;
        case Part::Kind::end:
            writer.end();
            break;
        }
    }
    writer.end();
}

bool Projection::reaches_into(std::string_view attribute) const noexcept
{
    const Step *step = paths_.find(paths_.root(), attribute);
    return step != nullptr && step->has_below();
}

} // namespace basalt::expression

// Finds pairs of paths by the steps they share.
#include "expression/path_check.h"

#include "expression/problem.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace basalt::expression {

namespace {

constexpr std::uint32_t kNoPath = PathTree::kNoPath;

/// Numbers of two paths; of two pairs the one whose later path comes first is reported.
struct Pair {
    std::uint32_t earlier = kNoPath;
    std::uint32_t later = kNoPath;

    void consider(std::uint32_t one, std::uint32_t other)
    {
        if (one != kNoPath && other != kNoPath && std::max(one, other) < later) {
            *this = {std::min(one, other), std::max(one, other)};
        }
    }
};

std::uint32_t first_path(std::span<const PathTree::Step> steps)
{
    std::uint32_t first = kNoPath;
    for (const PathTree::Step &step : steps) {
        first = std::min(first, step.first_path);
    }
    return first;
}

Pair find_overlap(const PathTree &tree)
{
    Pair pair;
    // By step: the first path that ends before it.
    std::vector<std::uint32_t> before(tree.steps().size(), kNoPath);
    for (const PathTree::Step &step : tree.steps()) {
        const std::uint32_t above = before[tree.position(step)];
        for (std::uint32_t below = step.names_begin; below < step.below_end; ++below) {
            before[below] = std::min(above, step.path);
        }
        if (step.path != kNoPath) {
            const std::uint32_t below = std::min(first_path(tree.names(step)), first_path(tree.indexes(step)));
            const std::uint32_t partner = std::min(above, below);
            if (partner < step.path) {
                pair.consider(partner, step.path);
            }
            pair.consider(std::min(partner, step.path), step.second_path);
        }
    }
    return pair;
}

Pair find_conflict(const PathTree &tree)
{
    Pair pair;
    for (const PathTree::Step &step : tree.steps()) {
        pair.consider(first_path(tree.names(step)), first_path(tree.indexes(step)));
    }
    return pair;
}

std::string pair_text(std::string_view what, const Pair &pair, std::span<const std::span<const PathElement>> paths)
{
    return problem_text({"Two document paths ", what,
                         " with each other; must remove or rewrite one of these paths; path one: ",
                         path_text(paths[pair.earlier]), ", path two: ", path_text(paths[pair.later])});
}

} // namespace

std::optional<std::string> path_pair_problem(const PathTree &tree, std::span<const std::span<const PathElement>> paths)
{
    if (const Pair overlap = find_overlap(tree); overlap.later != kNoPath) {
        return pair_text("overlap", overlap, paths);
    }
    if (const Pair conflict = find_conflict(tree); conflict.later != kNoPath) {
        return pair_text("conflict", conflict, paths);
    }
    return std::nullopt;
}

} // namespace basalt::expression

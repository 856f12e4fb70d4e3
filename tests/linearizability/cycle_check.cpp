#include "linearizability/cycle_check.h"

#include "linearizability/precedence.h"

#include <algorithm>
#include <deque>
#include <vector>

namespace basalt::linearizability {
namespace {

/// Edges by where they begin.
using Graph = std::vector<std::vector<Precedence>>;

Graph graph_of(const std::vector<Precedence> &edges, std::size_t units)
{
    Graph graph(units);
    for (const Precedence &edge : edges) {
        graph[edge.before].push_back(edge);
    }
    return graph;
}

/// The units that lie on cycles or between them: what stays when units without a predecessor, or without a successor,
/// are taken away again and again.
std::vector<bool> tangled(const std::vector<Precedence> &edges, std::size_t units)
{
    std::vector<bool> stays(units, true);
    for (bool changed = true; changed;) {
        std::vector<bool> enters(units, false);
        std::vector<bool> leaves(units, false);
        for (const Precedence &edge : edges) {
            if (stays[edge.before] && stays[edge.after]) {
                leaves[edge.before] = true;
                enters[edge.after] = true;
            }
        }
        changed = false;
        for (std::size_t unit = 0; unit < units; ++unit) {
            if (stays[unit] && !(enters[unit] && leaves[unit])) {
                stays[unit] = false;
                changed = true;
            }
        }
    }
    return stays;
}

/// A shortest way from a unit back to itself; empty if there is none.
std::vector<Precedence> shortest_cycle(const Graph &graph, const std::vector<bool> &stays, std::size_t start)
{
    std::vector<const Precedence *> reached_by(graph.size(), nullptr);
    std::deque<std::size_t> open = {start};
    while (!open.empty()) {
        const std::size_t unit = open.front();
        open.pop_front();
        for (const Precedence &edge : graph[unit]) {
            if (!stays[edge.after] || reached_by[edge.after] != nullptr) {
                continue;
            }
            reached_by[edge.after] = &edge;
            open.push_back(edge.after);
            if (edge.after != start) {
                continue;
            }
            std::vector<Precedence> cycle;
            for (std::size_t at = start; cycle.empty() || at != start; at = cycle.back().before) {
                cycle.push_back(*reached_by[at]);
            }
            std::reverse(cycle.begin(), cycle.end());
            return cycle;
        }
    }
    return {};
}

std::string reason_text(const Precedence &edge)
{
    const std::string item = " item " + std::to_string(edge.item);
    switch (edge.reason) {
    case Reason::real_time:
        return "had completed before the invocation of";
    case Reason::read:
        return "wrote what was seen in" + item + " by";
    case Reason::overwrote:
        return "wrote what was replaced in" + item + " by";
    case Reason::missed:
        return "saw in" + item + " what was before the change by";
    }
    return {};
}

std::string cycle_text(const std::vector<Precedence> &cycle, const History &units)
{
    std::string text = "a cycle of " + std::to_string(cycle.size()) + ":\n";
    for (const Precedence &edge : cycle) {
        text += "  " + to_text(units[edge.before]) + "\n    " + reason_text(edge) + "\n";
    }
    return text + "  " + to_text(units[cycle.front().before]) + "\n";
}

} // namespace

CycleJudgement check_cycles(const History &units)
{
    const Precedences found = find_precedences(units);
    const std::vector<bool> stays = tangled(found.edges, units.size());
    CycleJudgement judgement{found.strangers.empty(), found.strangers};
    if (std::find(stays.begin(), stays.end(), true) == stays.end()) {
        return judgement;
    }
    const Graph graph = graph_of(found.edges, units.size());
    std::vector<Precedence> best;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
        if (!stays[unit]) {
            continue;
        }
        auto cycle = shortest_cycle(graph, stays, unit);
        if (!cycle.empty() && (best.empty() || cycle.size() < best.size())) {
            best = std::move(cycle);
        }
    }
    judgement.sound = false;
    judgement.evidence += cycle_text(best, units);
    return judgement;
}

} // namespace basalt::linearizability

#include "linearizability/order_check.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_set>

namespace basalt::linearizability {
namespace {

constexpr std::size_t kMostUnderWay = 64;
constexpr std::size_t kShownConfigurations = 4;
constexpr std::size_t kShownBefore = 14;

struct Configuration {
    std::uint64_t effective = 0; // by place: operations under way that have taken effect
    std::array<State, kMostItems> states = {};

    friend bool operator==(const Configuration &, const Configuration &) = default;
};

struct ConfigurationHash {
    std::size_t operator()(const Configuration &configuration) const
    {
        std::uint64_t hash = configuration.effective;
        const auto mix = [&hash](std::uint64_t value) {
            hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
            hash ^= hash >> 29U;
        };
        for (const State &state : configuration.states) {
            mix((static_cast<std::uint64_t>(state.version) << 32U) | state.count);
            mix(state.previous);
        }
        return hash;
    }
};

/// As bits.
unsigned items_of(const Operation &operation)
{
    unsigned items = 0;
    for (std::size_t i = 0; i < operation.access_count; ++i) {
        items |= 1U << operation.accesses[i].item;
    }
    return items;
}

using Configurations = std::unordered_set<Configuration, ConfigurationHash>;

class OrderSearch {
public:
    OrderSearch(const History &units, std::uint64_t step_limit)
        : units_(units),
          step_limit_(step_limit)
    {}

    OrderJudgement run();

private:
    struct Event {
        std::uint64_t moment;
        std::size_t unit;
        bool completes;
    };

    [[nodiscard]] std::vector<Event> events() const;
    bool invoke(std::size_t unit);
    void complete(std::size_t unit);
    void expand(std::size_t unit, const Configuration &from, Configurations &met, std::vector<Configuration> &open);
    /// Whether the operation at a place is under way and has not taken effect.
    [[nodiscard]] bool waits(std::size_t place, const Configuration &configuration) const
    {
        return under_way_[place] && (configuration.effective & (std::uint64_t{1} << place)) == 0;
    }
    [[nodiscard]] unsigned items_tied_to(std::size_t unit, const Configuration &configuration) const;
    [[nodiscard]] bool take_effect(const Operation &operation, Configuration &configuration) const;
    /// A read that fits loses nothing by happening at once.
    void take_fitting_reads(Configuration &configuration);
    [[nodiscard]] OrderJudgement judge(Verdict verdict, std::size_t unit) const;

    const History &units_;
    const std::uint64_t step_limit_;
    std::uint64_t steps_ = 0;
    std::array<std::optional<std::size_t>, kMostUnderWay> under_way_ = {};
    Configurations now_ = {Configuration{}};
};

std::vector<OrderSearch::Event> OrderSearch::events() const
{
    std::vector<Event> events;
    for (std::size_t i = 0; i < units_.size(); ++i) {
        events.push_back({units_[i].invoked, i, false});
        events.push_back({units_[i].completed, i, true});
    }
    // The units of one query share both moments: all of them begin before one ends.
    std::stable_sort(events.begin(), events.end(), [](const Event &a, const Event &b) {
        return a.moment != b.moment ? a.moment < b.moment : a.completes < b.completes;
    });
    return events;
}

bool OrderSearch::invoke(std::size_t unit)
{
    const auto place = std::find(under_way_.begin(), under_way_.end(), std::nullopt);
    if (place == under_way_.end()) {
        return false;
    }
    *place = unit;
    return true;
}

bool OrderSearch::take_effect(const Operation &operation, Configuration &configuration) const
{
    for (std::size_t i = 0; i < operation.access_count; ++i) {
        const Access &access = operation.accesses[i];
        if (!apply(access, configuration.states[access.item])) {
            return false;
        }
    }
    return true;
}

void OrderSearch::take_fitting_reads(Configuration &configuration)
{
    for (std::size_t place = 0; place < kMostUnderWay; ++place) {
        const std::uint64_t bit = std::uint64_t{1} << place;
        if (!waits(place, configuration)) {
            continue;
        }
        const Operation &operation = units_[*under_way_[place]];
        if (!operation.has_effect()) {
            ++steps_;
            Configuration read = configuration;
            if (take_effect(operation, read)) {
                configuration.effective |= bit;
            }
        }
    }
}

/// The items of the unit, of those that wait and share one of them, of those that share one with these, and so on. What
/// touches other items only can as well take effect later.
unsigned OrderSearch::items_tied_to(std::size_t unit, const Configuration &configuration) const
{
    unsigned tied = items_of(units_[unit]);
    for (bool grows = true; grows;) {
        grows = false;
        for (std::size_t place = 0; place < kMostUnderWay; ++place) {
            const unsigned items = waits(place, configuration) ? items_of(units_[*under_way_[place]]) : 0;
            if ((items & tied) != 0 && (items & ~tied) != 0) {
                tied |= items;
                grows = true;
            }
        }
    }
    return tied;
}

void OrderSearch::expand(std::size_t unit, const Configuration &from, Configurations &met,
                         std::vector<Configuration> &open)
{
    const unsigned tied = items_tied_to(unit, from);
    for (std::size_t place = 0; place < kMostUnderWay; ++place) {
        const std::uint64_t bit = std::uint64_t{1} << place;
        if (!waits(place, from)) {
            continue;
        }
        const Operation &operation = units_[*under_way_[place]];
        if (!operation.has_effect() || (items_of(operation) & tied) == 0) {
            continue;
        }
        ++steps_;
        Configuration next = from;
        if (take_effect(operation, next)) {
            next.effective |= bit;
            take_fitting_reads(next);
            if (met.insert(next).second) {
                open.push_back(next);
            }
        }
    }
}

void OrderSearch::complete(std::size_t unit)
{
    const auto place = std::find(under_way_.begin(), under_way_.end(), std::optional(unit));
    const std::uint64_t bit = std::uint64_t{1} << static_cast<std::size_t>(place - under_way_.begin());
    Configurations met;
    std::vector<Configuration> open;
    for (Configuration configuration : now_) {
        take_fitting_reads(configuration);
        if (met.insert(configuration).second) {
            open.push_back(configuration);
        }
    }
    Configurations after;
    while (!open.empty() && steps_ <= step_limit_) {
        Configuration configuration = open.back();
        open.pop_back();
        const bool effective = (configuration.effective & bit) != 0;
        if (!effective) {
            expand(unit, configuration, met, open);
        }
        if (effective || units_[unit].is_optional()) {
            configuration.effective &= ~bit;
            after.insert(configuration);
        }
    }
    if (!after.empty()) {
        now_ = std::move(after);
        place->reset();
    } else {
        now_.clear();
        for (const Configuration &each : met) {
            now_.insert(each);
        }
    }
}

OrderJudgement OrderSearch::judge(Verdict verdict, std::size_t unit) const
{
    OrderJudgement judgement{verdict, {}, steps_};
    const Operation &stuck = units_[unit];
    std::string &text = judgement.evidence;
    text = verdict == Verdict::undecided ? "not decided within the limit, at\n  " : "no order has a place for\n  ";
    text += to_text(stuck) + "\nunder way beside it:\n";
    for (const auto &other : under_way_) {
        if (other && *other != unit) {
            text += "  " + to_text(units_[*other]) + "\n";
        }
    }
    text += "completed before:\n";
    History before;
    for (const Operation &each : units_) {
        if (each.completed < stuck.completed) {
            before.push_back(each);
        }
    }
    std::sort(before.begin(), before.end(),
              [](const Operation &a, const Operation &b) { return a.completed < b.completed; });
    for (std::size_t i = before.size() - std::min(before.size(), kShownBefore); i < before.size(); ++i) {
        text += "  " + to_text(before[i]) + "\n";
    }
    text += "states that the items may have had meanwhile, among others:\n";
    std::size_t shown = 0;
    for (auto each = now_.begin(); each != now_.end() && shown < kShownConfigurations; ++each, ++shown) {
        text += " ";
        for (std::size_t item = 0; item < kMostItems; ++item) {
            text += " item " + std::to_string(item) + ": " + to_text(each->states[item]) + ";";
        }
        text += "\n";
    }
    return judgement;
}

OrderJudgement OrderSearch::run()
{
    for (const Event &event : events()) {
        if (!event.completes) {
            if (!invoke(event.unit)) {
                return judge(Verdict::undecided, event.unit);
            }
            continue;
        }
        complete(event.unit);
        if (steps_ > step_limit_) {
            return judge(Verdict::undecided, event.unit);
        }
        if (std::find(under_way_.begin(), under_way_.end(), std::optional(event.unit)) != under_way_.end()) {
            return judge(Verdict::violated, event.unit);
        }
    }
    return {Verdict::ordered, {}, steps_};
}

} // namespace

OrderJudgement check_order(const History &units, std::uint64_t step_limit)
{
    return OrderSearch(units, step_limit).run();
}

} // namespace basalt::linearizability

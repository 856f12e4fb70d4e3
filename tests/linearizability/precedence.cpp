#include "linearizability/precedence.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace basalt::linearizability {
namespace {

using Version = std::uint32_t;

/// A unit's write of a version.
struct Writer {
    std::size_t unit;
    Effect effect;
};

class Search {
public:
    explicit Search(const History &units)
        : units_(units)
    {}
    Precedences run();

private:
    struct Removal {
        std::size_t unit;
        bool certain;
    };
    struct Item {
        std::map<Version, Writer> writers;
        std::vector<Removal> removals;
        std::map<Version, std::set<std::size_t>> readers;     // 0: of the absence before the first write
        std::map<Version, std::set<std::size_t>> overwriters; // by the version that they replaced at once
        std::set<Version> seen;
    };

    void gather_writes();
    void gather_reads();
    void gather_read(std::size_t unit, const Access &access);
    void learn_predecessor(Item &item, const State &state);
    [[nodiscard]] bool is_effective(const Item &item, Version version) const;
    [[nodiscard]] bool may_be_deleted(const Item &item, std::size_t reader) const;
    void connect(std::uint8_t number);
    void connect_later_writes(std::uint8_t number);
    void connect_real_time();
    void add(std::size_t before, std::size_t after, Reason reason, std::uint8_t item)
    {
        if (before != after) {
            found_.edges.push_back({before, after, reason, item});
        }
    }

    const History &units_;
    std::array<Item, kMostItems> items_ = {};
    Precedences found_;
};

void Search::gather_writes()
{
    for (std::size_t unit = 0; unit < units_.size(); ++unit) {
        const Operation &operation = units_[unit];
        if (operation.outcome == Outcome::condition_failed) {
            continue;
        }
        for (std::size_t i = 0; i < operation.access_count; ++i) {
            const Access &access = operation.accesses[i];
            Item &item = items_[access.item];
            if (access.effect == Effect::put || access.effect == Effect::update) {
                item.writers.insert({access.written, {unit, access.effect}});
            } else if (access.effect == Effect::remove) {
                item.removals.push_back({unit, operation.outcome == Outcome::done});
            }
        }
    }
}

/// What an access of a known outcome tells about the version before its effect.
std::optional<Version> version_before(const Access &access)
{
    if ((access.seen & Access::version) != 0 && !access.seen_after) {
        return access.state.version;
    }
    if ((access.seen & Access::previous) != 0 && access.seen_after && access.effect == Effect::update) {
        return access.state.previous;
    }
    if (access.condition == Condition::version_is && access.held) {
        return access.expected;
    }
    if ((access.condition == Condition::absent && access.held) ||
        (access.condition == Condition::exists && !access.held)) {
        return 0;
    }
    return std::nullopt;
}

void Search::learn_predecessor(Item &item, const State &state)
{
    const auto writer = item.writers.find(state.version);
    if (writer != item.writers.end() && writer->second.effect == Effect::update && state.previous != 0) {
        item.overwriters[state.previous].insert(writer->second.unit);
        item.seen.insert(state.previous);
    }
}

bool Search::may_be_deleted(const Item &item, std::size_t reader) const
{
    return std::any_of(item.removals.begin(), item.removals.end(), [&](const Removal &removal) {
        return removal.unit != reader && units_[removal.unit].invoked < units_[reader].completed;
    });
}

void Search::gather_read(std::size_t unit, const Access &access)
{
    Item &item = items_[access.item];
    if ((access.seen & Access::everything) == Access::everything) {
        learn_predecessor(item, access.state);
    }
    const auto before = version_before(access);
    if (!before) {
        return;
    }
    if (*before != 0) {
        item.readers[*before].insert(unit);
        item.seen.insert(*before);
        if (access.effect != Effect::none && units_[unit].outcome == Outcome::done) {
            item.overwriters[*before].insert(unit);
        }
        if (!item.writers.contains(*before)) {
            found_.strangers +=
                "nobody wrote v" + std::to_string(*before) + ", seen by\n  " + to_text(units_[unit]) + "\n";
        }
    } else if (!may_be_deleted(item, unit)) {
        item.readers[0].insert(unit);
    }
}

void Search::gather_reads()
{
    for (std::size_t unit = 0; unit < units_.size(); ++unit) {
        const Operation &operation = units_[unit];
        if (operation.outcome == Outcome::unknown) {
            continue;
        }
        for (std::size_t i = 0; i < operation.access_count; ++i) {
            gather_read(unit, operation.accesses[i]);
        }
    }
}

bool Search::is_effective(const Item &item, Version version) const
{
    const std::size_t unit = item.writers.at(version).unit;
    if (units_[unit].outcome == Outcome::done || item.seen.contains(version)) {
        return true;
    }
    // A transaction is effective if any of its values was seen.
    const Operation &operation = units_[unit];
    return std::any_of(operation.accesses.begin(), operation.accesses.begin() + operation.access_count,
                       [this](const Access &access) { return items_[access.item].seen.contains(access.written); });
}

void Search::connect(std::uint8_t number)
{
    const Item &item = items_[number];
    for (const auto &[version, readers] : item.readers) {
        if (const auto writer = item.writers.find(version); writer != item.writers.end()) {
            for (const std::size_t reader : readers) {
                add(writer->second.unit, reader, Reason::read, number);
            }
        }
    }
    for (const auto &[version, overwriters] : item.overwriters) {
        for (const std::size_t overwriter : overwriters) {
            if (const auto writer = item.writers.find(version); writer != item.writers.end()) {
                add(writer->second.unit, overwriter, Reason::overwrote, number);
            }
            if (const auto readers = item.readers.find(version); readers != item.readers.end()) {
                for (const std::size_t reader : readers->second) {
                    add(reader, overwriter, Reason::missed, number);
                }
            }
        }
    }
}

/// In every order a write that completed before another was invoked is replaced by then, so that who saw the first came
/// before the second.
void Search::connect_later_writes(std::uint8_t number)
{
    const Item &item = items_[number];
    std::vector<std::size_t> changes;
    for (const auto &[version, writer] : item.writers) {
        if (is_effective(item, version)) {
            changes.push_back(writer.unit);
        }
    }
    for (const Removal &removal : item.removals) {
        if (removal.certain) {
            changes.push_back(removal.unit);
        }
    }
    for (const auto &[version, readers] : item.readers) {
        const auto writer = item.writers.find(version);
        if (version != 0 && writer == item.writers.end()) {
            continue;
        }
        for (const std::size_t change : changes) {
            if (version == 0 || units_[writer->second.unit].completed < units_[change].invoked) {
                for (const std::size_t reader : readers) {
                    add(reader, change, Reason::missed, number);
                }
            }
        }
    }
}

/// Only what does not follow from two others.
void Search::connect_real_time()
{
    for (std::size_t before = 0; before < units_.size(); ++before) {
        std::uint64_t first_completed = ~std::uint64_t{0};
        for (std::size_t after = before + 1; after < units_.size() && units_[after].invoked < first_completed;
             ++after) {
            if (units_[before].completed < units_[after].invoked) {
                add(before, after, Reason::real_time, 0);
                first_completed = std::min(first_completed, units_[after].completed);
            }
        }
    }
}

Precedences Search::run()
{
    gather_writes();
    gather_reads();
    for (std::uint8_t number = 0; number < kMostItems; ++number) {
        connect(number);
        connect_later_writes(number);
    }
    connect_real_time();
    return std::move(found_);
}

} // namespace

Precedences find_precedences(const History &units)
{
    return Search(units).run();
}

} // namespace basalt::linearizability

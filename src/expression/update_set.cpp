// The set that the request gives is sorted; the stored one is walked once.
#include "expression/update_set.h"

#include <algorithm>

namespace basalt::expression {

SetMembers::SetMembers(model::SetView set)
{
    members_.reserve(set.count());
    sorted_.reserve(set.count());
    for (const Bytes member : set) {
        sorted_.push_back(static_cast<std::uint32_t>(members_.size()));
        members_.push_back(member);
    }
    std::ranges::sort(sorted_, {}, [this](std::uint32_t i) { return members_[i]; });
}

std::optional<std::uint32_t> SetMembers::find(Bytes member) const
{
    const auto at = std::ranges::lower_bound(sorted_, member, {}, [this](std::uint32_t i) { return members_[i]; });
    if (at == sorted_.end() || members_[*at] != member) {
        return std::nullopt;
    }
    return *at;
}

const SetMembers &GivenSets::members(model::ValueView set)
{
    auto at = sets_.find(set.bytes().data());
    if (at == sets_.end()) {
        at = sets_.emplace(set.bytes().data(), SetMembers(set.set())).first;
    }
    return at->second;
}

void write_union(codec::ItemWriter &writer, model::ValueView stored, const SetMembers &given)
{
    std::vector<bool> is_stored(given.members().size());
    writer.begin_set(stored.type());
    for (const Bytes member : stored.set()) {
        writer.member(member);
        if (const auto at = given.find(member)) {
            is_stored[*at] = true;
        }
    }
    for (std::size_t i = 0; i < is_stored.size(); ++i) {
        if (!is_stored[i]) {
            writer.member(given.members()[i]);
        }
    }
    writer.end();
}

std::vector<Bytes> difference(model::SetView stored, const SetMembers &given)
{
    std::vector<Bytes> kept;
    for (const Bytes member : stored) {
        if (!given.find(member)) {
            kept.push_back(member);
        }
    }
    return kept;
}

} // namespace basalt::expression

// Union and difference of sets for ADD and DELETE.
#pragma once

#include "base/bytes.h"
#include "codec/item_encoding.h"
#include "model/item_view.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace basalt::expression {

/// The members of one set, to be looked up by their bytes; numbers are in canonical text, so equal ones are the same
/// bytes. Views into the set.
class SetMembers {
public:
    /// n log n.
    explicit SetMembers(model::SetView set);

    [[nodiscard]] const std::vector<Bytes> &members() const noexcept { return members_; }
    /// The position in members().
    [[nodiscard]] std::optional<std::uint32_t> find(Bytes member) const;

private:
    std::vector<Bytes> members_;
    std::vector<std::uint32_t> sorted_;
};

/// Sets that one request gives, each prepared once however many actions use it.
class GivenSets {
public:
    const SetMembers &members(model::ValueView set);

private:
    std::map<const char *, SetMembers> sets_; // by the address of the encoding
};

/// Writes the members of stored, then those of given that it does not have. Both of one type.
void write_union(codec::ItemWriter &writer, model::ValueView stored, const SetMembers &given);

/// The members of stored that given does not have.
[[nodiscard]] std::vector<Bytes> difference(model::SetView stored, const SetMembers &given);

} // namespace basalt::expression

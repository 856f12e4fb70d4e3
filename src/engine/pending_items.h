// The items that records of a table's change log name which are not applied to its global indexes yet: what an index
// holds of them may be older than they are.
#pragma once

#include "engine/verification_context.h"
#include "model/table_description.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace basalt::engine {

/// The last part of the key of all rows that an item has in global indexes. attributes: with the table's keys.
[[nodiscard]] std::string base_tail(const model::TableDescription &table, model::MapView attributes);

class PendingItems {
public:
    /// most: records that are remembered, 8 bytes each.
    explicit PendingItems(std::size_t most)
        : most_(most)
    {}

    /// Reads the whole log. Records that cannot be are found, also those that are applied. False, and found or noted:
    /// some of the items are not known.
    bool read(VerificationContext &context, const model::TableDescription &table, storage::LogPosition applied);

    /// tail: that of the item's rows in global indexes. True may be wrong once in very many times.
    [[nodiscard]] bool contains(Bytes tail) const;
    [[nodiscard]] bool empty() const { return items_.empty(); }
    /// How many records are not applied.
    [[nodiscard]] std::uint64_t records() const { return records_; }

private:
    const std::size_t most_;
    std::vector<std::uint64_t> items_; // hashes of tails, sorted
    std::uint64_t records_ = 0;
};

} // namespace basalt::engine

// Some records of one change log, sorted by the items that they tell of.
#pragma once

#include "basalt/result.h"
#include "base/bytes.h"
#include "engine/primary_key.h"
#include "engine/table.h"
#include "model/item_view.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace basalt::engine {

/// What some records say about one item.
struct ItemChanges {
    PrimaryKey key;
    /// Key attributes, those of global indexes included, of what the item was.
    std::vector<model::ItemView> old_images;
};

/// Used by one thread.
class RecordBatch {
public:
    void clear();
    /// False: enough.
    bool add(storage::LogPosition position, Bytes record);
    [[nodiscard]] std::size_t count() const { return records_.size(); }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    /// The position of the last record.
    [[nodiscard]] storage::LogPosition last() const { return last_; }

    /// Each item once. The views live as long as the batch. Error: corruption.
    [[nodiscard]] Result<std::vector<ItemChanges>> by_item(const Table &table) const;

private:
    std::vector<std::string> records_;
    storage::LogPosition last_;
    std::uint64_t bytes_ = 0;
};

} // namespace basalt::engine

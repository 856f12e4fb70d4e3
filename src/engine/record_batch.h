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
    /// The place in the batch of the first record that tells of it.
    std::size_t first_record = 0;
};

/// How far records were handled, and how many bytes of them.
struct RecordsHandled {
    storage::LogPosition last;
    std::uint64_t bytes = 0;
};

/// Used by one thread.
class RecordBatch {
public:
    void clear();
    /// False: enough.
    bool add(storage::LogPosition position, Bytes record);
    [[nodiscard]] std::size_t count() const { return records_.size(); }
    /// The position of the last record.
    [[nodiscard]] storage::LogPosition last() const { return records_.back().position; }
    /// The first records, that many, 1 or more.
    [[nodiscard]] RecordsHandled first(std::size_t count) const;

    /// Each item once, in the order of their first records. The views live as long as the batch. Error: corruption.
    [[nodiscard]] Result<std::vector<ItemChanges>> by_item(const Table &table) const;

private:
    struct Record {
        storage::LogPosition position;
        std::string bytes;
    };
    std::vector<Record> records_;
    std::uint64_t bytes_ = 0;
};

} // namespace basalt::engine

// What an UpdateTable has set going and is not over yet. It follows from the times in the description, so that the end
// of an update needs no write of its own.
#pragma once

#include "model/table_description.h"

#include <cstdint>
#include <string>
#include <vector>

namespace basalt::operations {

/// What a table that is UPDATING is busy with.
enum class TableWork : std::uint8_t {
    none,
    index_creation, // room is made for a new global index; its building is no work of the table's
    index_deletion,
    throughput, // units or billing mode
    table_class,
};

[[nodiscard]] TableWork work_of(const model::TableDescription &table, std::int64_t now_ms);

/// A global index whose units are being changed.
[[nodiscard]] bool is_updating(const model::IndexDescription &index, std::int64_t now_ms);

/// Of the deleted indexes, those that are still shown.
[[nodiscard]] bool is_shown(const model::IndexDescription &deleted, std::int64_t now_ms);

/// Decreases on the UTC day of now_ms.
[[nodiscard]] std::int64_t decreases_today(const model::ThroughputChanges &changes, std::int64_t now_ms);

} // namespace basalt::operations

#include "operations/table_work.h"

#include "engine/table.h"

#include <algorithm>

namespace basalt::operations {
namespace {

std::int64_t utc_day(std::int64_t ms)
{
    constexpr std::int64_t kDayMs = 86'400'000;
    return ms / kDayMs;
}

} // namespace

TableWork work_of(const model::TableDescription &table, std::int64_t now_ms)
{
    if (engine::status_at(table, now_ms) != engine::TableStatus::updating) {
        return TableWork::none;
    }
    const auto until = table.updated_from_ms;
    if (table.changes.last_increase_ms == until || table.changes.last_decrease_ms == until ||
        table.on_demand_from_ms == until) {
        return TableWork::throughput;
    }
    if (std::any_of(table.deleted_indexes.begin(), table.deleted_indexes.end(),
                    [&](const auto &index) { return is_shown(index, now_ms); })) {
        return TableWork::index_deletion;
    }
    if (std::any_of(table.global_indexes.begin(), table.global_indexes.end(),
                    [](const auto &index) { return index.building; })) {
        return TableWork::index_creation;
    }
    return TableWork::table_class;
}

bool is_updating(const model::IndexDescription &index, std::int64_t now_ms)
{
    return now_ms < std::max(index.changes.last_increase_ms, index.changes.last_decrease_ms);
}

bool is_shown(const model::IndexDescription &deleted, std::int64_t now_ms)
{
    return now_ms < deleted.gone_from_ms;
}

std::int64_t decreases_today(const model::ThroughputChanges &changes, std::int64_t now_ms)
{
    return utc_day(changes.last_decrease_ms) == utc_day(now_ms) ? changes.decreases : 0;
}

} // namespace basalt::operations

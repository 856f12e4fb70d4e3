// What reads of global indexes wait for.
#include "operations/item_target.h"
#include "operations/operation.h"
#include "protocol/service_members.h"

#include <algorithm>

namespace basalt::operations {
namespace {

/// What is wrong with the request is found when it runs.
std::optional<engine::IndexPosition> awaited(const Context &context, const protocol::Node &table_name,
                                             const protocol::Node &index_name)
{
    if (!index_name.present()) {
        return std::nullopt;
    }
    const auto table = item_table(context, table_name);
    if (!table) {
        return std::nullopt;
    }
    const bool is_global = std::ranges::any_of((*table)->description.global_indexes, [&](const auto &index) {
        return index.name == index_name.text() && !index.building;
    });
    return is_global ? context.engine.position_to_reach(**table) : std::nullopt;
}

} // namespace

std::optional<engine::IndexPosition> awaited_by_query(const Context &context, const protocol::Node &input)
{
    namespace members = protocol::query_input;
    return awaited(context, input[members::table_name], input[members::index_name]);
}

std::optional<engine::IndexPosition> awaited_by_scan(const Context &context, const protocol::Node &input)
{
    namespace members = protocol::scan_input;
    return awaited(context, input[members::table_name], input[members::index_name]);
}

} // namespace basalt::operations

#include "operations/update_table_conflicts.h"

#include "operations/index_request.h"
#include "operations/table_work.h"

#include <algorithm>
#include <utility>

namespace basalt::operations {
namespace {

Unexpected in_use(std::string_view what)
{
    return fail(ErrorCode::resource_in_use, "Attempt to change a resource which is still in use: " + std::string(what));
}

/// A request against one state of its table.
struct Case {
    const UpdateTableRequest &request;
    const model::TableDescription &table;
    std::int64_t now_ms;

    [[nodiscard]] std::string about_table() const { return " Table: " + table.name; }
    [[nodiscard]] std::string about_index(std::string_view name) const
    {
        return about_table() + " Index: " + std::string(name);
    }
    /// On demand again is no change.
    [[nodiscard]] bool changes_throughput() const
    {
        return request.provisioned || (request.billing_mode && *request.billing_mode != table.billing_mode);
    }
    [[nodiscard]] bool names(std::string_view index) const
    {
        return request.deleted == index || (request.created && request.created->name == index) || updates(index);
    }
    [[nodiscard]] bool updates(std::string_view index) const
    {
        return std::any_of(request.updates.begin(), request.updates.end(),
                           [&](const auto &update) { return update.name == index; });
    }
};

std::vector<std::string> building_indexes(const model::TableDescription &table)
{
    std::vector<std::string> names;
    for (const auto &index : table.global_indexes) {
        if (index.building) {
            names.push_back(index.name);
        }
    }
    return names;
}

std::vector<std::string> dying_indexes(const model::TableDescription &table, std::int64_t now_ms)
{
    std::vector<std::string> names;
    for (const auto &index : table.deleted_indexes) {
        if (is_shown(index, now_ms)) {
            names.push_back(index.name);
        }
    }
    return names;
}

/// Indexes that the request names and that cannot be changed now.
Result<void> check_named_indexes(const Case &c, TableWork work)
{
    for (const auto &name : dying_indexes(c.table, c.now_ms)) {
        if (c.names(name)) {
            return in_use("Index is being deleted." + c.about_index(name));
        }
    }
    for (const auto &index : c.table.global_indexes) {
        if (work == TableWork::index_creation && index.building && c.request.deleted == index.name) {
            return in_use("Index creation is in resource allocation phase. Retry deletion during backfilling phase or "
                          "when the index is active." +
                          c.about_index(index.name));
        }
        if (work == TableWork::index_creation && index.building && c.updates(index.name)) {
            return in_use("Index is being created but is not backfilling yet. " + c.about_index(index.name));
        }
        if (is_updating(index, c.now_ms) && c.names(index.name) && work != TableWork::throughput) {
            return in_use("Index is being updated. " + c.about_index(index.name));
        }
    }
    return {};
}

Result<void> check_one_at_a_time(const Case &c)
{
    std::size_t changes = c.request.online_changes;
    if (changes == 1) {
        for (const auto &name : building_indexes(c.table)) {
            changes += c.request.deleted == name ? 0 : 1;
        }
        changes += dying_indexes(c.table, c.now_ms).size();
    }
    if (changes > 1) {
        return fail(ErrorCode::limit_exceeded, "Subscriber limit exceeded: Only 1 online index can be created or "
                                               "deleted simultaneously per table");
    }
    return {};
}

Result<void> check_beside_throughput(const Case &c)
{
    if (c.request.provisioned || c.request.billing_mode || !c.request.updates.empty() || c.request.table_class) {
        return in_use("Table IOPS are currently being updated." + c.about_table());
    }
    if (c.request.online_changes != 0) {
        return in_use("Can't create or delete indexes while table IOPS are being updated." + c.about_table());
    }
    if (c.request.stream) {
        return in_use("Can't enable or disable stream while table IOPS are being updated." + c.about_table());
    }
    if (c.request.on_demand) {
        return in_use("OnDemandThroughput cannot be updated while BillingMode update is in progress");
    }
    return {};
}

/// what: "created" or "deleted".
Result<void> check_beside_index(const Case &c, std::string_view what, const std::vector<std::string> &indexes)
{
    const auto state =
        "when an index is being " + std::string(what) + "." + c.about_table() + " Indexes: " + name_list(indexes);
    if (c.changes_throughput()) {
        return in_use("Can't change table IOPS " + state);
    }
    if (c.request.stream) {
        return in_use("Can't change stream status " + state);
    }
    if (c.request.on_demand) {
        return in_use("OnDemandThroughput cannot be updated while index " +
                      std::string(what == "created" ? "creation" : "deletion") +
                      " is in progress for indexes: " + name_list(indexes));
    }
    if (c.request.table_class) {
        return in_use("Table: " + c.table.name + " is in the process of being updated.");
    }
    return {};
}

Result<void> check_beside_class(const Case &c)
{
    const auto progress = " TableClassUpdateInProgress: " + c.table.table_class;
    const auto state = " when a table class update is in progress." + c.about_table() + progress;
    if (c.request.table_class) {
        return in_use("Can't update table class" + state);
    }
    if (c.changes_throughput()) {
        return in_use("Can't change table IOPS" + state);
    }
    if (c.request.online_changes != 0) {
        return in_use("Can't create or delete an index" + state);
    }
    if (c.request.stream) {
        return in_use("Can't change stream status" + state);
    }
    if (c.request.on_demand) {
        return in_use("OnDemandThroughput cannot be updated while TableClass update is in progress." + progress);
    }
    return {};
}

Result<void> check_work(const Case &c, TableWork work)
{
    switch (work) {
    case TableWork::throughput:
        return check_beside_throughput(c);
    case TableWork::index_creation:
        return check_beside_index(c, "created", building_indexes(c.table));
    case TableWork::index_deletion:
        return check_beside_index(c, "deleted", dying_indexes(c.table, c.now_ms));
    case TableWork::table_class:
        return check_beside_class(c);
    case TableWork::none:
        break;
    }
    return {};
}

} // namespace

Result<void> check_free(const UpdateTableRequest &request, const model::TableDescription &table, std::int64_t now_ms)
{
    const Case c{request, table, now_ms};
    const auto work = work_of(table, now_ms);
    if (auto checked = check_named_indexes(c, work); !checked) {
        return checked;
    }
    if (auto checked = check_one_at_a_time(c); !checked) {
        return checked;
    }
    return check_work(c, work);
}

} // namespace basalt::operations

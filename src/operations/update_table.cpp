// UpdateTable.
#include "operations/index_request.h"
#include "operations/item_target.h"
#include "operations/operation.h"
#include "operations/request_checks.h"
#include "operations/table_json.h"
#include "operations/table_work.h"
#include "operations/throughput_request.h"
#include "operations/update_table_conflicts.h"
#include "operations/update_table_indexes.h"
#include "operations/update_table_request.h"
#include "operations/update_table_throughput.h"
#include "protocol/json_writer.h"
#include "protocol/service_members.h"

#include <algorithm>
#include <utility>

namespace basalt::operations {
namespace {

namespace members = protocol::update_table_input;
using model::TableDescription;

Result<void> apply_encryption(const UpdateTableRequest &request, TableDescription &table)
{
    if (!request.encryption) {
        return {};
    }
    const auto &wanted = *request.encryption;
    if (!wanted.kms && !table.sse_kms) {
        return fail(ErrorCode::validation, std::string(kInvalidParameters) + "Table is already encrypted by default");
    }
    if (wanted.kms && table.sse_kms && request.encryption_names_key && wanted.key_arn == table.sse_key_arn) {
        return fail(ErrorCode::validation, std::string(kInvalidParameters) +
                                               "Table is already encrypted with given KMSMasterKeyId. Use "
                                               "KMSMasterKeyId parameter if you want to change Master Key");
    }
    table.sse_kms = wanted.kms;
    table.sse_key_arn = wanted.key_arn;
    return {};
}

/// STANDARD for a table that never had another class changes nothing.
bool changes_class(const UpdateTableRequest &request, const TableDescription &table)
{
    return request.table_class && *request.table_class != (table.table_class.empty() ? "STANDARD" : table.table_class);
}

Result<void> check_stream(const UpdateTableRequest &request, const TableDescription &table)
{
    if (request.stream && *request.stream && !table.stream_view_type.empty()) {
        return fail(ErrorCode::validation, "Table already has an enabled stream: TableName: " + table.name);
    }
    if (request.stream && !*request.stream && table.stream_view_type.empty()) {
        return fail(ErrorCode::validation, "Table has no stream to disable: TableName: " + table.name);
    }
    return {};
}

Result<void> refuse_what_is_missing(const protocol::Node &input)
{
    return refuse_unbuilt(
        {{input[members::stream_specification], "StreamSpecification"},
         {input[members::replica_updates], "ReplicaUpdates"},
         {input[members::multi_region_consistency], "MultiRegionConsistency"},
         {input[members::global_table_witness_updates], "GlobalTableWitnessUpdates"},
         {input[members::global_table_settings_replication_mode], "GlobalTableSettingsReplicationMode"}});
}

/// Whether the table is UPDATING for a while because of it.
bool takes_time(const UpdateTableRequest &request, const TableDescription &table)
{
    return request.provisioned || request.online_changes != 0 || changes_class(request, table) ||
           (request.billing_mode && *request.billing_mode != table.billing_mode);
}

/// What the response shows: the new state of indexes and of the billing mode, but the old values of what is being
/// changed.
TableDescription shown_table(const TableDescription &before, const TableDescription &after)
{
    auto shown = after;
    shown.table_class = before.table_class;
    shown.sse_kms = before.sse_kms;
    shown.sse_key_arn = before.sse_key_arn;
    shown.warm = effective_warm(before.warm, before.provisioned, before.billing_mode);
    const bool switches = before.billing_mode != after.billing_mode;
    if (!switches) {
        shown.provisioned = before.provisioned;
        shown.changes.decreases = decreases_today(before.changes, after.changes.last_decrease_ms);
    } else if (after.billing_mode == model::BillingMode::pay_per_request) {
        shown.changes.last_decrease_ms = after.on_demand_from_ms;
    }
    for (auto &index : shown.global_indexes) {
        const auto old = std::find_if(before.global_indexes.begin(), before.global_indexes.end(),
                                      [&](const auto &candidate) { return candidate.name == index.name; });
        if (old == before.global_indexes.end()) {
            index.building = true; // as the catalog is about to say
            continue;
        }
        index.warm = effective_warm(old->warm, old->provisioned, before.billing_mode);
        index.changes.decreases = decreases_today(old->changes, index.changes.last_decrease_ms);
        if (!switches) {
            index.provisioned = old->provisioned;
        }
    }
    return shown;
}

struct Update {
    TableDescription shown;
    TableMoment moment;
};

Result<Update> apply(const Context &context, const UpdateTableRequest &request, const protocol::Node &input,
                     TableDescription &table)
{
    const auto &catalog = context.engine.catalog();
    const auto now_ms = catalog.now_ms();
    const UpdateTimes times{now_ms, now_ms + catalog.transition_ms()};
    if (auto checked = check_free(request, table, now_ms); !checked) {
        return fail(std::move(checked).error());
    }
    std::erase_if(table.deleted_indexes, [&](const auto &index) { return !is_shown(index, now_ms); });
    const auto before = table;
    const bool busy = takes_time(request, table);
    if (auto done = apply_throughput(request, times, context.region, table); !done) {
        return fail(std::move(done).error());
    }
    if (auto done = apply_index_change(request, times, table); !done) {
        return fail(std::move(done).error());
    }
    if (auto checked = check_stream(request, table); !checked) {
        return fail(std::move(checked).error());
    }
    if (auto done = apply_encryption(request, table); !done) {
        return fail(std::move(done).error());
    }
    if (changes_class(request, table)) {
        table.table_class = *request.table_class;
    }
    table.deletion_protection = request.deletion_protection.value_or(table.deletion_protection);
    if (auto checked = refuse_what_is_missing(input); !checked) {
        return fail(std::move(checked).error());
    }
    if (busy) {
        table.updated_from_ms = times.until_ms;
    }
    // Without a delay the change would be over by now.
    const auto shown_ms = times.until_ms > now_ms ? now_ms : now_ms - 1;
    Update update{shown_table(before, table), {engine::status_at(table, now_ms), shown_ms, {}, false}};
    // Even a mode or a class that is what it was before is answered in this way.
    if (busy || request.billing_mode || request.table_class) {
        update.moment.status = engine::TableStatus::updating;
    }
    if (request.warm) {
        update.moment.warming.emplace_back();
    }
    for (const auto &index : request.updates) {
        if (index.warm) {
            update.moment.warming.emplace_back(index.name);
        }
    }
    update.moment.encrypting = request.encryption.has_value();
    return update;
}

} // namespace

storage::Outcome update_table(const Context &context, storage::Wait wait, const protocol::Node &input,
                              std::string &body)
{
    auto name = local_table_name(context, input[members::table_name].text());
    if (!name) {
        return reject(std::move(name).error());
    }
    const auto request = read_update_table(context, input);
    if (!request) {
        return reject(request.error());
    }
    Update update;
    auto outcome = context.engine.catalog().change(wait, *name, [&](TableDescription &table) -> Result<void> {
        auto applied = apply(context, *request, input, table);
        if (!applied) {
            return fail(std::move(applied).error());
        }
        update = std::move(*applied);
        return {};
    });
    if (outcome.result) {
        body.clear();
        protocol::JsonWriter out(body);
        out.begin_object();
        out.key("TableDescription");
        write_table(out, context, update.shown, update.moment, TableView::described);
        out.end_object();
    }
    return outcome;
}

} // namespace basalt::operations

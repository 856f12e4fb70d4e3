#include "operations/table_json.h"

#include "operations/table_work.h"
#include "operations/throughput_request.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace basalt::operations {
namespace {

/// A table's description and how to show it.
struct Shown {
    const Context &context;
    const model::TableDescription &table;
    const TableMoment &moment;
    TableView view;
};

std::string_view status_text(engine::TableStatus status)
{
    switch (status) {
    case engine::TableStatus::creating:
        return "CREATING";
    case engine::TableStatus::active:
        return "ACTIVE";
    case engine::TableStatus::updating:
        return "UPDATING";
    case engine::TableStatus::deleting:
    case engine::TableStatus::gone:
        break;
    }
    return "DELETING";
}

std::string_view projection_text(model::ProjectionType type)
{
    switch (type) {
    case model::ProjectionType::all:
        return "ALL";
    case model::ProjectionType::keys_only:
        return "KEYS_ONLY";
    case model::ProjectionType::include:
        break;
    }
    return "INCLUDE";
}

/// YYYY-MM-DDTHH:MM:SS.mmm, UTC.
std::string stream_label(std::int64_t ms)
{
    const std::time_t seconds = ms / 1000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 32> text{};
    const auto length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    std::array<char, 8> fraction{};
    std::snprintf(fraction.data(), fraction.size(), ".%03d", static_cast<int>(ms % 1000));
    return std::string(text.data(), length) + fraction.data();
}

void text_member(protocol::JsonWriter &out, std::string_view name, std::string_view text)
{
    out.key(name);
    out.string(text);
}

void write_key_schema(protocol::JsonWriter &out, const model::KeySchema &keys)
{
    out.key("KeySchema");
    out.begin_array();
    const auto elements = [&](const std::vector<model::KeyElement> &list, std::string_view type) {
        for (const auto &element : list) {
            out.begin_object();
            text_member(out, "AttributeName", element.name);
            text_member(out, "KeyType", type);
            out.end_object();
        }
    };
    elements(keys.hash, "HASH");
    elements(keys.range, "RANGE");
    out.end_array();
}

/// A change that is not over bears the time of its end; shown is when it began.
void write_change(protocol::JsonWriter &out, const Shown &shown, std::string_view name, std::int64_t ms)
{
    if (ms != 0) {
        out.key(name);
        out.timestamp_ms(ms > shown.moment.now_ms ? ms - shown.context.engine.catalog().transition_ms() : ms);
    }
}

void write_provisioned(protocol::JsonWriter &out, const Shown &shown, const model::Units &units,
                       const model::ThroughputChanges &changes)
{
    out.key("ProvisionedThroughput");
    out.begin_object();
    write_change(out, shown, "LastIncreaseDateTime", changes.last_increase_ms);
    write_change(out, shown, "LastDecreaseDateTime", changes.last_decrease_ms);
    out.key("NumberOfDecreasesToday");
    out.integer(decreases_today(changes, shown.moment.now_ms));
    out.key("ReadCapacityUnits");
    out.integer(units.read);
    out.key("WriteCapacityUnits");
    out.integer(units.write);
    out.end_object();
}

/// Members that are not set are left out.
void write_units(protocol::JsonWriter &out, std::string_view name, const model::Units &units, std::string_view read,
                 std::string_view write, std::string_view status)
{
    out.key(name);
    out.begin_object();
    if (units.read != -1) {
        out.key(read);
        out.integer(units.read);
    }
    if (units.write != -1) {
        out.key(write);
        out.integer(units.write);
    }
    if (!status.empty()) {
        text_member(out, "Status", status);
    }
    out.end_object();
}

void write_on_demand(protocol::JsonWriter &out, const std::optional<model::Units> &units)
{
    if (units) {
        write_units(out, "OnDemandThroughput", *units, "MaxReadRequestUnits", "MaxWriteRequestUnits", "");
    }
}

/// index: null for the table's own.
void write_warm(protocol::JsonWriter &out, const Shown &shown, const model::IndexDescription *index)
{
    const auto &asked = index != nullptr ? index->warm : shown.table.warm;
    if (shown.view == TableView::deleted || (shown.view == TableView::created && !asked)) {
        return;
    }
    const auto &provisioned = index != nullptr ? index->provisioned : shown.table.provisioned;
    const auto &warming = shown.moment.warming;
    const bool updating =
        shown.moment.status == engine::TableStatus::creating || (index != nullptr && index->building) ||
        std::find(warming.begin(), warming.end(), index != nullptr ? index->name : std::string()) != warming.end();
    write_units(out, "WarmThroughput", effective_warm(asked, provisioned, shown.table.billing_mode),
                "ReadUnitsPerSecond", "WriteUnitsPerSecond", updating ? "UPDATING" : "ACTIVE");
}

std::string_view index_status(const Shown &shown, const model::IndexDescription &index)
{
    if (index.gone_from_ms != 0) {
        return "DELETING";
    }
    if (shown.moment.status == engine::TableStatus::creating || shown.moment.status == engine::TableStatus::deleting) {
        return status_text(shown.moment.status);
    }
    if (index.building) {
        return "CREATING";
    }
    return is_updating(index, shown.moment.now_ms) ? "UPDATING" : "ACTIVE";
}

void write_projection(protocol::JsonWriter &out, const model::IndexDescription &index)
{
    out.key("Projection");
    out.begin_object();
    text_member(out, "ProjectionType", projection_text(index.projection));
    if (!index.non_key_attributes.empty()) {
        out.key("NonKeyAttributes");
        out.begin_array();
        for (const auto &name : index.non_key_attributes) {
            out.string(name);
        }
        out.end_array();
    }
    out.end_object();
}

void write_index(protocol::JsonWriter &out, const Shown &shown, const model::IndexDescription &index, bool global)
{
    out.begin_object();
    text_member(out, "IndexName", index.name);
    write_key_schema(out, index.keys);
    write_projection(out, index);
    if (global) {
        text_member(out, "IndexStatus", index_status(shown, index));
        if (index.building) {
            out.key("Backfilling");
            out.boolean(shown.moment.status != engine::TableStatus::updating ||
                        work_of(shown.table, shown.moment.now_ms) != TableWork::index_creation);
        }
        write_provisioned(out, shown, index.provisioned, index.changes);
        write_on_demand(out, index.on_demand);
        write_warm(out, shown, &index);
    }
    out.key("IndexSizeBytes");
    out.integer(0);
    out.key("ItemCount");
    out.integer(0);
    text_member(out, "IndexArn", table_arn(shown.context, shown.table.name) + "/index/" + index.name);
    out.end_object();
}

/// Those of the deleted indexes that are still seen.
std::vector<const model::IndexDescription *> dying_indexes(const Shown &shown)
{
    std::vector<const model::IndexDescription *> dying;
    for (const auto &index : shown.table.deleted_indexes) {
        if (is_shown(index, shown.moment.now_ms)) {
            dying.push_back(&index);
        }
    }
    return dying;
}

void write_indexes(protocol::JsonWriter &out, const Shown &shown)
{
    if (!shown.table.local_indexes.empty()) {
        out.key("LocalSecondaryIndexes");
        out.begin_array();
        for (const auto &index : shown.table.local_indexes) {
            write_index(out, shown, index, false);
        }
        out.end_array();
    }
    const auto dying = dying_indexes(shown);
    if (shown.table.global_indexes.empty() && dying.empty()) {
        return;
    }
    out.key("GlobalSecondaryIndexes");
    out.begin_array();
    for (const auto &index : shown.table.global_indexes) {
        write_index(out, shown, index, true);
    }
    for (const auto *const index : dying) {
        write_index(out, shown, *index, true);
    }
    out.end_array();
}

/// The keys of a dying index are defined as long as it is seen.
void write_attributes(protocol::JsonWriter &out, const Shown &shown)
{
    auto attributes = shown.table.attributes;
    for (const auto *const index : dying_indexes(shown)) {
        for (const auto *const elements : {&index->keys.hash, &index->keys.range}) {
            for (const auto &element : *elements) {
                attributes.push_back({element.name, element.type});
            }
        }
    }
    std::stable_sort(attributes.begin(), attributes.end(),
                     [](const auto &a, const auto &b) { return a.name < b.name; });
    attributes.erase(std::unique(attributes.begin(), attributes.end(),
                                 [](const auto &a, const auto &b) { return a.name == b.name; }),
                     attributes.end());
    out.key("AttributeDefinitions");
    out.begin_array();
    for (const auto &attribute : attributes) {
        out.begin_object();
        text_member(out, "AttributeName", attribute.name);
        text_member(out, "AttributeType", model::type_name(attribute.type));
        out.end_object();
    }
    out.end_array();
}

void write_billing(protocol::JsonWriter &out, const Shown &shown)
{
    const auto &table = shown.table;
    if (!table.billing_mode_shown) {
        return;
    }
    const bool on_demand = table.billing_mode == model::BillingMode::pay_per_request;
    out.key("BillingModeSummary");
    out.begin_object();
    text_member(out, "BillingMode", on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
    const bool switching = table.on_demand_from_ms > shown.moment.now_ms;
    if (shown.view != TableView::created && !switching) {
        out.key("LastUpdateToPayPerRequestDateTime");
        out.timestamp_ms(table.on_demand_from_ms != 0 ? table.on_demand_from_ms : table.created_ms);
    }
    out.end_object();
}

void write_encryption(protocol::JsonWriter &out, const Shown &shown)
{
    const auto &table = shown.table;
    if (!table.sse_kms && !shown.moment.encrypting) {
        return;
    }
    out.key("SSEDescription");
    out.begin_object();
    text_member(out, "Status", shown.moment.encrypting ? "UPDATING" : "ENABLED");
    if (table.sse_kms) {
        text_member(out, "SSEType", "KMS");
        text_member(out, "KMSMasterKeyArn", table.sse_key_arn);
    }
    out.end_object();
}

void write_settings(protocol::JsonWriter &out, const Shown &shown)
{
    const auto &table = shown.table;
    if (!table.stream_view_type.empty()) {
        const auto label = stream_label(table.stream_since_ms);
        out.key("StreamSpecification");
        out.begin_object();
        out.key("StreamEnabled");
        out.boolean(true);
        text_member(out, "StreamViewType", table.stream_view_type);
        out.end_object();
        text_member(out, "LatestStreamLabel", label);
        text_member(out, "LatestStreamArn", table_arn(shown.context, table.name) + "/stream/" + label);
    }
    write_encryption(out, shown);
    if (!table.table_class.empty()) {
        out.key("TableClassSummary");
        out.begin_object();
        text_member(out, "TableClass", table.table_class);
        out.end_object();
    }
}

} // namespace

std::string table_arn(const Context &context, std::string_view name)
{
    return "arn:aws:dynamodb:" + context.region + ":" + context.account_id + ":table/" + std::string(name);
}

void write_table(protocol::JsonWriter &out, const Context &context, const model::TableDescription &table,
                 const TableMoment &moment, TableView view)
{
    const Shown shown{context, table, moment, view};
    out.begin_object();
    if (view != TableView::deleted) {
        write_attributes(out, shown);
    }
    text_member(out, "TableName", table.name);
    if (view != TableView::deleted) {
        write_key_schema(out, table.keys);
    }
    text_member(out, "TableStatus", status_text(moment.status));
    if (view != TableView::deleted) {
        out.key("CreationDateTime");
        out.timestamp_ms(table.created_ms);
    }
    write_provisioned(out, shown, table.provisioned, table.changes);
    out.key("TableSizeBytes");
    out.integer(0);
    out.key("ItemCount");
    out.integer(0);
    text_member(out, "TableArn", table_arn(context, table.name));
    text_member(out, "TableId", table.id);
    write_billing(out, shown);
    if (view != TableView::deleted) {
        write_indexes(out, shown);
        write_settings(out, shown);
        write_on_demand(out, table.on_demand);
        write_warm(out, shown, nullptr);
    }
    out.key("DeletionProtectionEnabled");
    out.boolean(table.deletion_protection);
    out.end_object();
}

} // namespace basalt::operations

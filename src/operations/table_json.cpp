#include "operations/table_json.h"

#include "model/limits.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace basalt::operations {
namespace {

constexpr model::Units kOnDemandWarm{model::kOnDemandWarmReadUnits, model::kOnDemandWarmWriteUnits};

std::string_view status_text(engine::TableStatus status)
{
    switch (status) {
    case engine::TableStatus::creating:
        return "CREATING";
    case engine::TableStatus::active:
        return "ACTIVE";
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

void write_provisioned(protocol::JsonWriter &out, const model::Units &units)
{
    out.key("ProvisionedThroughput");
    out.begin_object();
    out.key("NumberOfDecreasesToday");
    out.integer(0);
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

/// What was asked for, where it was, else what the service gives by itself.
void write_warm(protocol::JsonWriter &out, const std::optional<model::Units> &asked, const model::Units &provisioned,
                model::BillingMode mode, engine::TableStatus status, TableView view)
{
    if (view == TableView::deleted || (view == TableView::created && !asked)) {
        return;
    }
    model::Units units = mode == model::BillingMode::pay_per_request ? kOnDemandWarm : provisioned;
    if (asked) {
        units.read = asked->read != -1 ? asked->read : units.read;
        units.write = asked->write != -1 ? asked->write : units.write;
    }
    write_units(out, "WarmThroughput", units, "ReadUnitsPerSecond", "WriteUnitsPerSecond",
                status == engine::TableStatus::creating ? "UPDATING" : "ACTIVE");
}

void write_index(protocol::JsonWriter &out, const Context &context, const model::TableDescription &table,
                 const model::IndexDescription &index, bool global, engine::TableStatus status, TableView view)
{
    out.begin_object();
    text_member(out, "IndexName", index.name);
    write_key_schema(out, index.keys);
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
    if (global) {
        text_member(out, "IndexStatus", status_text(status));
        write_provisioned(out, index.provisioned);
        write_on_demand(out, index.on_demand);
        write_warm(out, index.warm, index.provisioned, table.billing_mode, status, view);
    }
    out.key("IndexSizeBytes");
    out.integer(0);
    out.key("ItemCount");
    out.integer(0);
    text_member(out, "IndexArn", table_arn(context, table.name) + "/index/" + index.name);
    out.end_object();
}

void write_indexes(protocol::JsonWriter &out, const Context &context, const model::TableDescription &table,
                   engine::TableStatus status, TableView view)
{
    const auto list = [&](std::string_view name, const std::vector<model::IndexDescription> &indexes, bool global) {
        if (indexes.empty()) {
            return;
        }
        out.key(name);
        out.begin_array();
        for (const auto &index : indexes) {
            write_index(out, context, table, index, global, status, view);
        }
        out.end_array();
    };
    list("LocalSecondaryIndexes", table.local_indexes, false);
    list("GlobalSecondaryIndexes", table.global_indexes, true);
}

void write_billing(protocol::JsonWriter &out, const model::TableDescription &table, TableView view)
{
    if (!table.billing_mode_shown) {
        return;
    }
    const bool on_demand = table.billing_mode == model::BillingMode::pay_per_request;
    out.key("BillingModeSummary");
    out.begin_object();
    text_member(out, "BillingMode", on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
    if (on_demand && view != TableView::created) {
        out.key("LastUpdateToPayPerRequestDateTime");
        out.timestamp_ms(table.created_ms);
    }
    out.end_object();
}

void write_settings(protocol::JsonWriter &out, const Context &context, const model::TableDescription &table)
{
    if (!table.stream_view_type.empty()) {
        const auto label = stream_label(table.stream_since_ms);
        out.key("StreamSpecification");
        out.begin_object();
        out.key("StreamEnabled");
        out.boolean(true);
        text_member(out, "StreamViewType", table.stream_view_type);
        out.end_object();
        text_member(out, "LatestStreamLabel", label);
        text_member(out, "LatestStreamArn", table_arn(context, table.name) + "/stream/" + label);
    }
    if (table.sse_kms) {
        out.key("SSEDescription");
        out.begin_object();
        text_member(out, "Status", "ENABLED");
        text_member(out, "SSEType", "KMS");
        text_member(out, "KMSMasterKeyArn", table.sse_key_arn);
        out.end_object();
    }
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
                 engine::TableStatus status, TableView view)
{
    out.begin_object();
    if (view != TableView::deleted) {
        out.key("AttributeDefinitions");
        out.begin_array();
        for (const auto &attribute : table.attributes) {
            out.begin_object();
            text_member(out, "AttributeName", attribute.name);
            text_member(out, "AttributeType", model::type_name(attribute.type));
            out.end_object();
        }
        out.end_array();
    }
    text_member(out, "TableName", table.name);
    if (view != TableView::deleted) {
        write_key_schema(out, table.keys);
    }
    text_member(out, "TableStatus", status_text(status));
    if (view != TableView::deleted) {
        out.key("CreationDateTime");
        out.timestamp_ms(table.created_ms);
    }
    write_provisioned(out, table.provisioned);
    out.key("TableSizeBytes");
    out.integer(0);
    out.key("ItemCount");
    out.integer(0);
    text_member(out, "TableArn", table_arn(context, table.name));
    text_member(out, "TableId", table.id);
    write_billing(out, table, view);
    if (view != TableView::deleted) {
        write_indexes(out, context, table, status, view);
        write_settings(out, context, table);
        write_on_demand(out, table.on_demand);
        write_warm(out, table.warm, table.provisioned, table.billing_mode, status, view);
    }
    out.key("DeletionProtectionEnabled");
    out.boolean(table.deletion_protection);
    out.end_object();
}

} // namespace basalt::operations

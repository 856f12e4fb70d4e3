#include "operations/create_table_request.h"

#include "model/limits.h"
#include "operations/index_request.h"
#include "operations/item_target.h"
#include "operations/tag_rules.h"
#include "protocol/service_members.h"
#include "protocol/table_name.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace basalt::operations {
namespace {

namespace members = protocol::create_table_input;
namespace throughput = protocol::provisioned_throughput;
namespace on_demand = protocol::on_demand_throughput;
namespace warm = protocol::warm_throughput;
namespace stream = protocol::stream_specification;
namespace sse = protocol::sse_specification;

constexpr std::int64_t kMaxWrittenUnits = 1'000'000'000'000; // above it the service does not even compare
constexpr std::int64_t kMaxTableUnits = 40'000;
// Warm throughput of a new table on demand.
constexpr model::Units kDefaultWarm{model::kOnDemandWarmReadUnits, model::kOnDemandWarmWriteUnits};

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}
Unexpected invalid_parameters(std::string message)
{
    return invalid(std::string(kInvalidParameters) + std::move(message));
}

/// The model lets both be absent, for tables that are made from a table of another account; these are refused before.
Result<void> check_required(const protocol::Node &input)
{
    std::string missing;
    int count = 0;
    for (const auto &[member, name] : {std::pair(members::attribute_definitions, "attributeDefinitions"),
                                       std::pair(members::key_schema, "keySchema")}) {
        if (!input[member].present()) {
            missing += count++ == 0 ? "" : "; ";
            missing +=
                "Value null at '" + std::string(name) + "' failed to satisfy constraint: Member must not be null";
        }
    }
    if (count == 0) {
        return {};
    }
    return invalid(std::to_string(count) + (count == 1 ? " validation error" : " validation errors") +
                   " detected: " + missing);
}

Result<void> add_billing(const protocol::Node &input, model::TableDescription &table)
{
    const auto &mode = input[members::billing_mode];
    const auto &units = input[members::provisioned_throughput];
    if (mode.text_or("") == "PAY_PER_REQUEST") {
        table.billing_mode = model::BillingMode::pay_per_request;
        table.billing_mode_shown = true;
        if (units.present()) {
            return invalid_parameters("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                                      "BillingMode is PAY_PER_REQUEST");
        }
        return {};
    }
    if (!units.present()) {
        return invalid_parameters("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
                                  "PROVISIONED");
    }
    table.provisioned = units_of(units[throughput::read_capacity_units], units[throughput::write_capacity_units]);
    if (table.provisioned.read > kMaxWrittenUnits) {
        return invalid("Given value " + std::to_string(table.provisioned.read) +
                       " for ReadCapacityUnits is out of bounds");
    }
    if (table.provisioned.write > kMaxWrittenUnits) {
        return invalid("Given value " + std::to_string(table.provisioned.write) +
                       " for WriteCapacityUnits is out of bounds");
    }
    return {};
}

Result<void> add_attributes(const protocol::Node &definitions, model::TableDescription &table)
{
    std::set<std::string_view> names;
    for (const auto &definition : definitions.elements()) {
        const auto name = definition[protocol::attribute_definition::attribute_name].text();
        const auto type = model::type_from_name(definition[protocol::attribute_definition::attribute_type].text());
        if (!names.insert(name).second) {
            return invalid("Attribute Name is duplicated: " + std::string(name));
        }
        table.attributes.push_back({std::string(name), type.value()});
    }
    return {};
}

/// Names in the order of their first use. A request may hold very many: every look-up is quick.
class UsedNames {
public:
    void add(const protocol::Node &key_schema)
    {
        for (const auto &element : key_schema.elements()) {
            const auto name = element[protocol::key_schema_element::attribute_name].text();
            if (seen_.insert(name).second) {
                in_order_.emplace_back(name);
            }
        }
    }
    [[nodiscard]] const std::vector<std::string> &in_order() const { return in_order_; }

private:
    std::set<std::string_view> seen_;
    std::vector<std::string> in_order_;
};

/// Every defined attribute must be a key of the table or of an index.
Result<void> check_all_used(const protocol::Node &input, const model::TableDescription &table)
{
    const auto &locals = input[members::local_secondary_indexes];
    const auto &globals = input[members::global_secondary_indexes];
    UsedNames names;
    names.add(input[members::key_schema]);
    const auto &used = names.in_order();
    if (!locals.present() && !globals.present()) {
        if (used.size() != table.attributes.size()) {
            return invalid_parameters("Number of attributes in KeySchema does not exactly match number of attributes "
                                      "defined in AttributeDefinitions");
        }
        return {};
    }
    if ((locals.present() && locals.elements().empty()) || (globals.present() && globals.elements().empty())) {
        return {}; // an empty list has an error of its own
    }
    for (const auto &index : locals.elements()) {
        names.add(index[protocol::local_secondary_index::key_schema]);
    }
    for (const auto &index : globals.elements()) {
        names.add(index[protocol::global_secondary_index::key_schema]);
    }
    if (table.attributes.size() > used.size()) {
        return invalid_parameters("Some AttributeDefinitions are not used. AttributeDefinitions: " +
                                  name_list(attribute_names(table.attributes)) + ", keys used: " + name_list(used));
    }
    return {};
}

Result<void> add_stream(const protocol::Node &given, model::TableDescription &table)
{
    if (!given.present()) {
        return {};
    }
    const auto &view = given[stream::stream_view_type];
    if (given[stream::stream_enabled].boolean_or(false)) {
        if (!view.present()) {
            return invalid_parameters("Table is being created with a stream enabled, UpdateViewType is required");
        }
        table.stream_view_type = view.text();
    } else if (view.present()) {
        return invalid_parameters("Table is being created with a stream disabled, UpdateViewType should not be "
                                  "specified");
    }
    return {};
}

/// On-demand maxima and warm throughput of the table or of one index. where: "table" or "index <i>".
Result<void> check_maxima(const std::optional<model::Units> &maxima, const std::optional<model::Units> &warm_units,
                          const model::Units &provisioned, bool on_demand_mode, const std::string &where,
                          const std::string &range_where)
{
    if (maxima) {
        for (const auto &[name, value] :
             {std::pair("MaxReadRequestUnits", maxima->read), std::pair("MaxWriteRequestUnits", maxima->write)}) {
            if (value != -1 && !on_demand_mode) {
                return invalid_parameters(std::string(name) +
                                          " for OnDemandThroughput cannot be specified when table BillingMode is "
                                          "PROVISIONED.");
            }
            if (value != -1 && value < 1) {
                return invalid_parameters("Requested " + std::string(name) + " for OnDemandThroughput for " +
                                          range_where + " is outside of valid range");
            }
        }
    }
    if (warm_units) {
        const auto &least = on_demand_mode ? kDefaultWarm : provisioned;
        const std::string tail = on_demand_mode ? "initial throughput for OnDemand" : "";
        for (const auto &[name, capacity, value, floor] :
             {std::tuple("ReadUnitsPerSecond", "ReadCapacityUnits", warm_units->read, least.read),
              std::tuple("WriteUnitsPerSecond", "WriteCapacityUnits", warm_units->write, least.write)}) {
            if (value != -1 && value < floor) {
                return invalid_parameters(
                    "Requested " + std::string(name) + " for WarmThroughput for " + where + " is lower than " +
                    (on_demand_mode ? tail : std::string(capacity) + " of ProvisionedThroughput"));
            }
        }
    }
    return {};
}

Result<void> add_throughput_settings(const protocol::Node &input, model::TableDescription &table)
{
    if (const auto &given = input[members::on_demand_throughput]; given.present()) {
        table.on_demand = units_of(given[on_demand::max_read_request_units], given[on_demand::max_write_request_units]);
    }
    if (const auto &given = input[members::warm_throughput]; given.present()) {
        table.warm = units_of(given[warm::read_units_per_second], given[warm::write_units_per_second]);
    }
    const bool on_demand_mode = table.billing_mode == model::BillingMode::pay_per_request;
    if (auto checked = check_maxima(table.on_demand, table.warm, table.provisioned, on_demand_mode, "table", "table");
        !checked) {
        return checked;
    }
    for (const auto &index : table.global_indexes) {
        if (auto checked = check_maxima(index.on_demand, index.warm, index.provisioned, on_demand_mode,
                                        "index " + index.name, "index : " + index.name);
            !checked) {
            return checked;
        }
    }
    return {};
}

Result<void> add_encryption(const protocol::Node &given, std::string_view region, std::string_view account_id,
                            model::TableDescription &table)
{
    if (!given.present()) {
        return {};
    }
    const auto &type = given[sse::sse_type];
    const auto &key = given[sse::kms_master_key_id];
    if (!given[sse::enabled].boolean_or(false)) {
        if (type.present()) {
            return invalid_parameters("SSEType can not be specified if Enabled is false");
        }
        if (key.present()) {
            return invalid_parameters("KMSMasterKeyId can not be specified if Enabled is false");
        }
        return {};
    }
    if (key.present() && type.text_or("") != "KMS") {
        return invalid_parameters("SSEType KMS is required if KMSMasterKeyId is specified");
    }
    if (type.text_or("KMS") != "KMS") {
        return invalid_parameters("SSEType " + std::string(type.text()) + " is not supported");
    }
    table.sse_kms = true;
    const auto id = key.text_or("alias/aws/dynamodb");
    if (protocol::is_arn(id)) {
        table.sse_key_arn = id;
    } else {
        table.sse_key_arn = "arn:aws:kms:" + std::string(region) + ":" + std::string(account_id) + ":" +
                            (id.starts_with("alias/") ? "" : "key/") + std::string(id);
    }
    return {};
}

Result<void> add_class(const protocol::Node &given, model::TableDescription &table)
{
    table.table_class = given.text_or("");
    if (given.present() && table.table_class != "STANDARD" && table.table_class != "STANDARD_INFREQUENT_ACCESS") {
        return invalid("Invalid table-class parameter provided. Please try again with a valid table-class value: "
                       "[STANDARD, STANDARD_INFREQUENT_ACCESS].");
    }
    return {};
}

Result<void> check_account_limits(const model::TableDescription &table, std::string_view region)
{
    for (const auto &[name, value] : {std::pair("ReadCapacityUnits", table.provisioned.read),
                                      std::pair("WriteCapacityUnits", table.provisioned.write)}) {
        if (value > kMaxTableUnits) {
            return fail(ErrorCode::limit_exceeded,
                        "The requested " + std::string(name) + ", " + std::to_string(value) +
                            ", is above the per table maximum for the account in " + std::string(region) +
                            ". Per table maximum: " + std::to_string(kMaxTableUnits) +
                            ". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request "
                            "higher limits.");
        }
    }
    return {};
}

} // namespace

Result<model::TableDescription> table_from_request(const Context &context, const protocol::Node &input)
{
    if (auto checked = check_required(input); !checked) {
        return fail(std::move(checked).error());
    }
    model::TableDescription table;
    auto name = local_table_name(context, input[members::table_name].text());
    if (!name) {
        return fail(std::move(name).error());
    }
    table.name = *name;
    if (auto done = add_billing(input, table); !done) {
        return fail(std::move(done).error());
    }
    if (auto done = add_attributes(input[members::attribute_definitions], table); !done) {
        return fail(std::move(done).error());
    }
    auto keys = table_key_schema(input[members::key_schema], table.attributes);
    if (!keys) {
        return fail(std::move(keys).error());
    }
    table.keys = std::move(*keys);
    using Step = Result<void> (*)(const protocol::Node &, model::TableDescription &);
    constexpr Step kIndexSteps[] = {
        [](const protocol::Node &in, model::TableDescription &out) { return check_all_used(in, out); },
        [](const protocol::Node &in, model::TableDescription &out) {
            return add_local_indexes(in[members::local_secondary_indexes], out);
        },
        [](const protocol::Node &in, model::TableDescription &out) {
            return add_global_indexes(in[members::global_secondary_indexes], out);
        },
        [](const protocol::Node &, model::TableDescription &out) { return check_indexes_together(out); },
        [](const protocol::Node &in, model::TableDescription &out) {
            return add_stream(in[members::stream_specification], out);
        },
        add_throughput_settings,
    };
    for (const auto step : kIndexSteps) {
        if (auto done = step(input, table); !done) {
            return fail(std::move(done).error());
        }
    }
    if (auto done = add_encryption(input[members::sse_specification], context.region, context.account_id, table);
        !done) {
        return fail(std::move(done).error());
    }
    if (auto done = add_class(input[members::table_class], table); !done) {
        return fail(std::move(done).error());
    }
    table.deletion_protection = input[members::deletion_protection_enabled].boolean_or(false);
    table.resource_policy = input[members::resource_policy].text_or("");
    auto tags = read_tags(input[members::tags]);
    if (!tags) {
        return fail(std::move(tags).error());
    }
    table.tags = std::move(*tags);
    if (auto done = check_account_limits(table, context.region); !done) {
        return fail(std::move(done).error());
    }
    std::sort(table.attributes.begin(), table.attributes.end(),
              [](const auto &a, const auto &b) { return a.name < b.name; });
    return table;
}

} // namespace basalt::operations

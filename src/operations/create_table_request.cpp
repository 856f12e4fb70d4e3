#include "operations/create_table_request.h"

#include "operations/index_request.h"
#include "operations/item_target.h"
#include "operations/table_settings.h"
#include "operations/tag_rules.h"
#include "operations/throughput_request.h"
#include "protocol/service_members.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace basalt::operations {
namespace {

namespace members = protocol::create_table_input;
namespace stream = protocol::stream_specification;

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
    table.provisioned = provisioned_units(units);
    return check_written_units(table.provisioned);
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

Result<void> add_throughput_settings(const protocol::Node &input, model::TableDescription &table)
{
    if (const auto &given = input[members::on_demand_throughput]; given.present()) {
        table.on_demand = on_demand_units(given);
    }
    if (const auto &given = input[members::warm_throughput]; given.present()) {
        table.warm = warm_units(given);
    }
    const bool on_demand_mode = table.billing_mode == model::BillingMode::pay_per_request;
    if (auto checked = check_new_throughput(table.on_demand, table.warm, table.provisioned, on_demand_mode, {});
        !checked) {
        return checked;
    }
    for (const auto &index : table.global_indexes) {
        if (auto checked =
                check_new_throughput(index.on_demand, index.warm, index.provisioned, on_demand_mode, index.name);
            !checked) {
            return checked;
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
    auto attributes = read_attributes(input[members::attribute_definitions]);
    if (!attributes) {
        return fail(std::move(attributes).error());
    }
    table.attributes = std::move(*attributes);
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
    auto encryption = read_encryption(context, input[members::sse_specification]);
    if (!encryption) {
        return fail(std::move(encryption).error());
    }
    table.sse_kms = encryption->kms;
    table.sse_key_arn = std::move(encryption->key_arn);
    auto table_class = read_table_class(input[members::table_class]);
    if (!table_class) {
        return fail(std::move(table_class).error());
    }
    table.table_class = std::move(*table_class);
    table.deletion_protection = input[members::deletion_protection_enabled].boolean_or(false);
    table.resource_policy = input[members::resource_policy].text_or("");
    auto tags = read_tags(input[members::tags]);
    if (!tags) {
        return fail(std::move(tags).error());
    }
    table.tags = std::move(*tags);
    if (auto done = check_account_limits(table.provisioned, context.region); !done) {
        return fail(std::move(done).error());
    }
    std::sort(table.attributes.begin(), table.attributes.end(),
              [](const auto &a, const auto &b) { return a.name < b.name; });
    return table;
}

} // namespace basalt::operations

#include "operations/update_table_request.h"

#include "operations/index_request.h"
#include "operations/throughput_request.h"
#include "protocol/service_members.h"

#include <set>
#include <utility>

namespace basalt::operations {
namespace {

namespace members = protocol::update_table_input;
namespace entry_members = protocol::global_secondary_index_update;
namespace update_members = protocol::update_global_secondary_index_action;
namespace create_members = protocol::create_global_secondary_index_action;

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}
Unexpected invalid_parameters(std::string message)
{
    return invalid(std::string(kInvalidParameters) + std::move(message));
}

/// A structure without members says nothing.
std::optional<MaximaChange> maxima_of(const protocol::Node &given)
{
    namespace maxima = protocol::on_demand_throughput;
    MaximaChange change;
    if (const auto &read = given[maxima::max_read_request_units]; read.present()) {
        change.read = read.integer();
    }
    if (const auto &write = given[maxima::max_write_request_units]; write.present()) {
        change.write = write.integer();
    }
    return change.read || change.write ? std::optional(change) : std::nullopt;
}

std::optional<model::Units> warm_of(const protocol::Node &given)
{
    const auto units = warm_units(given);
    return units.read != -1 || units.write != -1 ? std::optional(units) : std::nullopt;
}

std::optional<model::Units> provisioned_of(const protocol::Node &given)
{
    return given.present() ? std::optional(provisioned_units(given)) : std::nullopt;
}

/// Replicas and what belongs to them.
bool changes_replicas(const protocol::Node &input)
{
    return input[members::replica_updates].present() || input[members::multi_region_consistency].present() ||
           input[members::global_table_witness_updates].present() ||
           input[members::global_table_settings_replication_mode].present();
}

/// What a request is about. It is about one thing, but for a few pairs.
struct Concerns {
    bool throughput = false; // units of the table, or PROVISIONED
    bool on_demand_mode = false;
    bool index_units = false;
    bool online_index = false;
    bool indexes = false; // a list, empty or not
    bool stream = false;
    bool encryption = false;
    bool replicas = false;
    bool table_class = false;
    bool deletion_protection = false;
    bool maxima = false;
    bool warm = false;

    [[nodiscard]] int count() const
    {
        return (throughput || on_demand_mode ? 1 : 0) + (indexes ? 1 : 0) + (stream ? 1 : 0) + (encryption ? 1 : 0) +
               (replicas ? 1 : 0) + (table_class ? 1 : 0) + (deletion_protection ? 1 : 0) + (maxima ? 1 : 0) +
               (warm ? 1 : 0);
    }
};

Concerns concerns_of(const protocol::Node &input)
{
    Concerns concerns;
    concerns.on_demand_mode = input[members::billing_mode].text_or("") == "PAY_PER_REQUEST";
    concerns.throughput = input[members::provisioned_throughput].present() ||
                          (input[members::billing_mode].present() && !concerns.on_demand_mode);
    const auto &entries = input[members::global_secondary_index_updates];
    concerns.indexes = !entries.elements().empty();
    for (const auto &entry : entries.elements()) {
        concerns.index_units = concerns.index_units || entry[entry_members::update].present();
        concerns.online_index = concerns.online_index || !entry[entry_members::update].present();
    }
    concerns.stream = input[members::stream_specification].present();
    concerns.encryption = input[members::sse_specification].present();
    concerns.replicas = changes_replicas(input);
    concerns.table_class = input[members::table_class].present();
    concerns.deletion_protection = input[members::deletion_protection_enabled].present();
    concerns.maxima = maxima_of(input[members::on_demand_throughput]).has_value();
    concerns.warm = warm_of(input[members::warm_throughput]).has_value();
    return concerns;
}

/// Only warm throughput of indexes may be raised together with the table's.
bool warms_only(const protocol::Node &entries)
{
    for (const auto &entry : entries.elements()) {
        const auto &update = entry[entry_members::update];
        if (!update.present() || update[update_members::provisioned_throughput].present() ||
            update[update_members::on_demand_throughput].present()) {
            return false;
        }
    }
    return true;
}

Result<void> check_exclusive(const protocol::Node &input, const Concerns &concerns)
{
    const bool alone = concerns.count() == 1;
    for (const auto &[present, name] :
         {std::pair(concerns.replicas, "Replica"), std::pair(concerns.encryption, "Server-Side Encryption"),
          std::pair(concerns.table_class, "TableClass"),
          std::pair(concerns.deletion_protection, "DeletionProtection")}) {
        if (present && !alone) {
            return invalid_parameters(std::string(name) + " modification must be the only operation in the request");
        }
    }
    if (concerns.maxima && (concerns.throughput || concerns.indexes || concerns.stream || concerns.warm)) {
        return invalid_parameters("OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
    }
    if (concerns.warm && !alone) {
        const auto &entries = input[members::global_secondary_index_updates];
        for (const auto &entry : entries.elements()) {
            if (entry[entry_members::create].present()) {
                return invalid_parameters("Create global secondary index cannot be specified when updating "
                                          "WarmThroughput");
            }
        }
        if (concerns.count() > 2 || !concerns.indexes || !warms_only(entries)) {
            return invalid_parameters("WarmThroughput must be the only operation in the request");
        }
    }
    if (concerns.stream && (concerns.throughput || concerns.index_units)) {
        return invalid_parameters("You cannot modify stream status while updating table IOPS");
    }
    if (concerns.online_index && input[members::provisioned_throughput].present()) {
        return invalid_parameters("You cannot create or delete index while updating table IOPS");
    }
    if (concerns.online_index && concerns.stream) {
        return invalid_parameters("You cannot create or delete index while changing stream status");
    }
    return {};
}

Result<void> read_throughput(const protocol::Node &input, UpdateTableRequest &request)
{
    request.provisioned = provisioned_of(input[members::provisioned_throughput]);
    if (const auto &mode = input[members::billing_mode]; mode.present()) {
        const bool on_demand = mode.text() == "PAY_PER_REQUEST";
        request.billing_mode = on_demand ? model::BillingMode::pay_per_request : model::BillingMode::provisioned;
        if (on_demand && request.provisioned) {
            return invalid_parameters("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when "
                                      "BillingMode is PAY_PER_REQUEST");
        }
        if (!on_demand && !request.provisioned) {
            return invalid_parameters("ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
        }
    }
    if (request.provisioned) {
        if (auto checked = check_written_units(*request.provisioned); !checked) {
            return checked;
        }
    }
    request.on_demand = maxima_of(input[members::on_demand_throughput]);
    request.warm = warm_of(input[members::warm_throughput]);
    return {};
}

Result<std::string_view> entry_name(const protocol::Node &entry)
{
    const protocol::Node *action = nullptr;
    for (const auto member : {entry_members::update, entry_members::create, entry_members::delete_}) {
        if (!entry[member].present()) {
            continue;
        }
        if (action != nullptr) {
            return invalid_parameters(
                "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate "
                "object");
        }
        action = &entry[member];
    }
    if (action == nullptr) {
        return invalid_parameters("One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
                                  "GlobalSecondaryIndexUpdate.Delete must not be null");
    }
    // Every action has its index's name first.
    static_assert(std::size_t{update_members::index_name} == 0 && std::size_t{create_members::index_name} == 0 &&
                  std::size_t{protocol::delete_global_secondary_index_action::index_name} == 0);
    return (*action)[0].text();
}

Result<void> read_entries(const protocol::Node &input, UpdateTableRequest &request)
{
    const auto &entries = input[members::global_secondary_index_updates];
    if (entries.present() && entries.elements().empty()) {
        return invalid_parameters("List of GlobalSecondaryIndexUpdates is empty");
    }
    std::set<std::string_view> names;
    for (const auto &entry : entries.elements()) {
        auto name = entry_name(entry);
        if (!name) {
            return fail(std::move(name).error());
        }
        if (!names.insert(*name).second) {
            return invalid_parameters("Only one global secondary index update per index is allowed simultaneously. "
                                      "Index: " +
                                      std::string(*name));
        }
        if (entry[entry_members::create].present() && !input[members::attribute_definitions].present()) {
            return invalid_parameters("AttributeDefinitions is not specified for index: " + std::string(*name));
        }
        const auto &update = entry[entry_members::update];
        if (!update.present()) {
            ++request.online_changes;
            continue;
        }
        request.updates.push_back({*name, provisioned_of(update[update_members::provisioned_throughput]),
                                   maxima_of(update[update_members::on_demand_throughput]),
                                   warm_of(update[update_members::warm_throughput])});
    }
    return {};
}

/// Two or more are refused by a rule of the table's.
Result<void> read_online_change(const protocol::Node &input, UpdateTableRequest &request)
{
    if (request.online_changes != 1) {
        return {};
    }
    for (const auto &entry : input[members::global_secondary_index_updates].elements()) {
        if (const auto &deleted = entry[entry_members::delete_]; deleted.present()) {
            request.deleted = deleted[0].text();
        }
        if (const auto &create = entry[entry_members::create]; create.present()) {
            auto attributes = read_attributes(input[members::attribute_definitions]);
            if (!attributes) {
                return fail(std::move(attributes).error());
            }
            auto index = read_global_index(create, *attributes);
            if (!index) {
                return fail(std::move(index).error());
            }
            request.created_has_units = create[create_members::provisioned_throughput].present();
            request.created = std::move(*index);
        }
    }
    return {};
}

Result<void> read_stream(const protocol::Node &given, UpdateTableRequest &request)
{
    namespace stream = protocol::stream_specification;
    if (!given.present()) {
        return {};
    }
    request.stream = given[stream::stream_enabled].boolean_or(false);
    const bool has_view = given[stream::stream_view_type].present();
    if (*request.stream && !has_view) {
        return invalid_parameters("If stream is being enabled then UpdateViewType is required");
    }
    if (!*request.stream && has_view) {
        return invalid_parameters("If stream is being disabled, then UpdateViewType must not be specified");
    }
    return {};
}

Result<void> read_settings(const Context &context, const protocol::Node &input, UpdateTableRequest &request)
{
    if (auto read = read_stream(input[members::stream_specification], request); !read) {
        return read;
    }
    if (const auto &given = input[members::sse_specification]; given.present()) {
        auto encryption = read_encryption(context, given);
        if (!encryption) {
            return fail(std::move(encryption).error());
        }
        request.encryption = std::move(*encryption);
        request.encryption_names_key = given[protocol::sse_specification::kms_master_key_id].present();
    }
    if (const auto &given = input[members::table_class]; given.present()) {
        auto table_class = read_table_class(given);
        if (!table_class) {
            return fail(std::move(table_class).error());
        }
        request.table_class = std::move(*table_class);
    }
    if (const auto &given = input[members::deletion_protection_enabled]; given.present()) {
        request.deletion_protection = given.boolean_or(false);
    }
    return {};
}

} // namespace

Result<UpdateTableRequest> read_update_table(const Context &context, const protocol::Node &input)
{
    const auto concerns = concerns_of(input);
    if (concerns.count() == 0) {
        return invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
                       "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
                       "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, "
                       "WarmThroughput or TableClass is required");
    }
    UpdateTableRequest request;
    if (auto read = read_throughput(input, request); !read) {
        return fail(std::move(read).error());
    }
    if (auto read = read_entries(input, request); !read) {
        return fail(std::move(read).error());
    }
    if (auto checked = check_exclusive(input, concerns); !checked) {
        return fail(std::move(checked).error());
    }
    if (auto read = read_online_change(input, request); !read) {
        return fail(std::move(read).error());
    }
    if (auto read = read_settings(context, input, request); !read) {
        return fail(std::move(read).error());
    }
    return request;
}

} // namespace basalt::operations

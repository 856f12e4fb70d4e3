#include "operations/throughput_request.h"

#include "model/limits.h"
#include "operations/index_request.h"
#include "protocol/service_members.h"

#include <string>
#include <tuple>
#include <utility>

namespace basalt::operations {
namespace {

constexpr std::int64_t kMaxWrittenUnits = 1'000'000'000'000; // above it the service does not even compare
constexpr std::int64_t kMaxTableUnits = 40'000;
// Warm throughput of a new table on demand.
constexpr model::Units kDefaultWarm{model::kOnDemandWarmReadUnits, model::kOnDemandWarmWriteUnits};

Unexpected invalid_parameters(std::string message)
{
    return fail(ErrorCode::validation, std::string(kInvalidParameters) + std::move(message));
}

model::Units units_of(const protocol::Node &read, const protocol::Node &write)
{
    return {read.present() ? read.integer() : -1, write.present() ? write.integer() : -1};
}

} // namespace

model::Units provisioned_units(const protocol::Node &given)
{
    namespace members = protocol::provisioned_throughput;
    return units_of(given[members::read_capacity_units], given[members::write_capacity_units]);
}

model::Units on_demand_units(const protocol::Node &given)
{
    namespace members = protocol::on_demand_throughput;
    return units_of(given[members::max_read_request_units], given[members::max_write_request_units]);
}

model::Units warm_units(const protocol::Node &given)
{
    namespace members = protocol::warm_throughput;
    return units_of(given[members::read_units_per_second], given[members::write_units_per_second]);
}

bool are_out_of_bounds(const model::Units &provisioned)
{
    return provisioned.read > kMaxWrittenUnits || provisioned.write > kMaxWrittenUnits;
}

Result<void> check_written_units(const model::Units &provisioned)
{
    if (!are_out_of_bounds(provisioned)) {
        return {};
    }
    const bool read = provisioned.read > kMaxWrittenUnits;
    return fail(ErrorCode::validation, "Given value " + std::to_string(read ? provisioned.read : provisioned.write) +
                                           " for " + (read ? "ReadCapacityUnits" : "WriteCapacityUnits") +
                                           " is out of bounds");
}

Result<void> check_account_limits(const model::Units &provisioned, std::string_view region)
{
    for (const auto &[name, value] :
         {std::pair("ReadCapacityUnits", provisioned.read), std::pair("WriteCapacityUnits", provisioned.write)}) {
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

Result<void> check_maximum(std::string_view name, std::int64_t value, std::string_view index)
{
    if (value >= 1) {
        return {};
    }
    return invalid_parameters("Requested " + std::string(name) + " for OnDemandThroughput for " +
                              (index.empty() ? "table" : "index : " + std::string(index)) +
                              " is outside of valid range");
}

Result<void> check_new_throughput(const std::optional<model::Units> &on_demand, const std::optional<model::Units> &warm,
                                  const model::Units &provisioned, bool on_demand_mode, std::string_view index)
{
    if (on_demand) {
        for (const auto &[name, value] :
             {std::pair("MaxReadRequestUnits", on_demand->read), std::pair("MaxWriteRequestUnits", on_demand->write)}) {
            if (value != -1 && !on_demand_mode) {
                return invalid_parameters(std::string(name) +
                                          " for OnDemandThroughput cannot be specified when table BillingMode is "
                                          "PROVISIONED.");
            }
            if (value == -1) {
                continue;
            }
            if (auto checked = check_maximum(name, value, index); !checked) {
                return checked;
            }
        }
    }
    if (warm) {
        const auto &least = on_demand_mode ? kDefaultWarm : provisioned;
        const auto where = index.empty() ? "table" : "index " + std::string(index);
        for (const auto &[name, capacity, value, floor] :
             {std::tuple("ReadUnitsPerSecond", "ReadCapacityUnits", warm->read, least.read),
              std::tuple("WriteUnitsPerSecond", "WriteCapacityUnits", warm->write, least.write)}) {
            if (value != -1 && value < floor) {
                return invalid_parameters("Requested " + std::string(name) + " for WarmThroughput for " + where +
                                          " is lower than " +
                                          (on_demand_mode ? "initial throughput for OnDemand"
                                                          : std::string(capacity) + " of ProvisionedThroughput"));
            }
        }
    }
    return {};
}

model::Units effective_warm(const std::optional<model::Units> &asked, const model::Units &provisioned,
                            model::BillingMode mode)
{
    model::Units units = mode == model::BillingMode::pay_per_request ? kDefaultWarm : provisioned;
    if (asked) {
        units.read = asked->read != -1 ? asked->read : units.read;
        units.write = asked->write != -1 ? asked->write : units.write;
    }
    return units;
}

} // namespace basalt::operations

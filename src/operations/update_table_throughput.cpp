#include "operations/update_table_throughput.h"

#include "operations/index_request.h"
#include "operations/table_work.h"
#include "operations/throughput_request.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <tuple>
#include <utility>

namespace basalt::operations {
namespace {

constexpr std::int64_t kFreeDecreases = 4; // a UTC day
constexpr std::int64_t kDecreaseIntervalMs = 3'600'000;

using model::BillingMode;

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}
Unexpected invalid_parameters(std::string message)
{
    return invalid(std::string(kInvalidParameters) + std::move(message));
}

/// As in "Friday, October 9, 2026 at 1:21:34 AM Coordinated Universal Time".
std::string long_date(std::int64_t ms)
{
    constexpr std::array kDays{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
    constexpr std::array kMonths{"January", "February", "March",     "April",   "May",      "June",
                                 "July",    "August",   "September", "October", "November", "December"};
    const std::time_t seconds = ms / 1000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    const auto two_digits = [](int number) { return (number < 10 ? "0" : "") + std::to_string(number); };
    const int hour = parts.tm_hour % 12 == 0 ? 12 : parts.tm_hour % 12;
    return std::string(kDays[static_cast<std::size_t>(parts.tm_wday)]) + ", " +
           kMonths[static_cast<std::size_t>(parts.tm_mon)] + " " + std::to_string(parts.tm_mday) + ", " +
           std::to_string(parts.tm_year + 1900) + " at " + std::to_string(hour) + ":" + two_digits(parts.tm_min) + ":" +
           two_digits(parts.tm_sec) + (parts.tm_hour < 12 ? " AM" : " PM") + " Coordinated Universal Time";
}

/// The day's first decreases are free, later ones come an hour after one another.
Result<void> check_decreases(const model::ThroughputChanges &changes, std::int64_t now_ms)
{
    const auto today = decreases_today(changes, now_ms);
    const auto next_ms = changes.last_decrease_ms + kDecreaseIntervalMs;
    if (today < kFreeDecreases || now_ms >= next_ms) {
        return {};
    }
    return fail(ErrorCode::limit_exceeded,
                "Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After "
                "the first 4 decreases, each subsequent decrease in the same UTC day can be performed at most once "
                "every 3600 seconds. Number of decreases today: " +
                    std::to_string(today) + ". Last decrease at " + long_date(changes.last_decrease_ms) +
                    ". Next decrease can be made at " + long_date(next_ms));
}

/// index: a name, empty for the table.
Result<void> change_units(model::Units &units, model::ThroughputChanges &changes, const model::Units &wanted,
                          const UpdateTimes &times, std::string_view index)
{
    if (wanted.read == units.read && wanted.write == units.write) {
        const auto what = index.empty() ? std::string("the table") : "the index " + std::string(index);
        const auto of = index.empty() ? std::string("the table") : "index " + std::string(index);
        return invalid("The provisioned throughput for " + what +
                       " will not change. The requested value equals the current value. Current ReadCapacityUnits "
                       "provisioned for " +
                       of + ": " + std::to_string(units.read) + ". Requested ReadCapacityUnits: " +
                       std::to_string(wanted.read) + ". Current WriteCapacityUnits provisioned for " + of + ": " +
                       std::to_string(units.write) + ". Requested WriteCapacityUnits: " + std::to_string(wanted.write) +
                       ". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher "
                       "limits.");
    }
    if (wanted.read < units.read || wanted.write < units.write) {
        if (auto checked = check_decreases(changes, times.now_ms); !checked) {
            return checked;
        }
        changes.decreases = decreases_today(changes, times.until_ms) + 1;
        changes.last_decrease_ms = times.until_ms;
    }
    if (wanted.read > units.read || wanted.write > units.write) {
        changes.last_increase_ms = times.until_ms;
    }
    units = wanted;
    return {};
}

/// Warm throughput never falls: what it was before stays where the new units and mode would give less.
void keep_warm(std::optional<model::Units> &warm, const model::Units &before, const model::Units &provisioned,
               BillingMode mode)
{
    const auto given = effective_warm({}, provisioned, mode);
    const model::Units units{std::max(before.read, given.read), std::max(before.write, given.write)};
    warm = units.read == given.read && units.write == given.write ? std::nullopt : std::optional(units);
}

Result<void> check_index_update(const IndexUpdate &update, BillingMode mode)
{
    const bool on_demand = mode == BillingMode::pay_per_request;
    const bool nothing = !update.provisioned && !update.on_demand && !update.warm;
    if (on_demand && (update.provisioned || nothing)) {
        return invalid_parameters("The only Updates for index: " + std::string(update.name) +
                                  " when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, "
                                  "WarmThroughput");
    }
    if (nothing) {
        return invalid_parameters("ProvisionedThroughput is not specified for index: " + std::string(update.name));
    }
    return {};
}

/// A table that becomes provisioned needs units for each of its global indexes.
Result<void> check_all_provisioned(const UpdateTableRequest &request, const model::TableDescription &table)
{
    std::string missing;
    for (const auto &index : table.global_indexes) {
        const bool given = std::any_of(request.updates.begin(), request.updates.end(), [&](const auto &update) {
            return update.name == index.name && update.provisioned.has_value();
        });
        if (!given) {
            missing += missing.empty() ? "" : ",";
            missing += index.name;
        }
    }
    return missing.empty() ? Result<void>()
                           : invalid_parameters("ProvisionedThroughput must be specified for index: " + missing);
}

Result<void> apply_maxima(const MaximaChange &change, BillingMode mode, std::string_view index,
                          std::optional<model::Units> &on_demand)
{
    model::Units units = on_demand.value_or(model::Units{});
    for (const auto &[name, wanted, unit] : {std::tuple("MaxReadRequestUnits", change.read, &units.read),
                                             std::tuple("MaxWriteRequestUnits", change.write, &units.write)}) {
        if (!wanted) {
            continue;
        }
        if (mode == BillingMode::provisioned) {
            return invalid_parameters(std::string(name) + " for OnDemandThroughput " +
                                      (index.empty()
                                           ? "cannot be specified when the table BillingMode is PROVISIONED"
                                           : "for index: " + std::string(index) +
                                                 " cannot be specified when table BillingMode is PROVISIONED."));
        }
        if (*wanted != -1) {
            if (auto checked = check_maximum(name, *wanted, index); !checked) {
                return checked;
            }
        }
        *unit = *wanted;
    }
    on_demand = units.read == -1 && units.write == -1 ? std::nullopt : std::optional(units);
    return {};
}

Result<void> apply_warm(const model::Units &wanted, const model::Units &current, std::string_view index,
                        std::optional<model::Units> &warm)
{
    for (const auto &[name, value, now] : {std::tuple("ReadUnitsPerSecond", wanted.read, current.read),
                                           std::tuple("WriteUnitsPerSecond", wanted.write, current.write)}) {
        if (value != -1 && value < now) {
            return invalid_parameters("Requested " + std::string(name) + " for WarmThroughput for " +
                                      (index.empty() ? "table" : "index " + std::string(index)) +
                                      " is lower than current WarmThroughput, decreasing WarmThroughput is not "
                                      "supported");
        }
    }
    warm = model::Units{std::max(wanted.read, current.read), std::max(wanted.write, current.write)};
    return {};
}

/// From provisioned to on demand: nothing is provisioned any more, for which no budget is needed.
void become_on_demand(const UpdateTimes &times, model::TableDescription &table)
{
    keep_warm(table.warm, effective_warm(table.warm, table.provisioned, BillingMode::provisioned), {},
              BillingMode::pay_per_request);
    table.billing_mode = BillingMode::pay_per_request;
    table.billing_mode_shown = true;
    table.on_demand_from_ms = times.until_ms;
    table.provisioned = {0, 0};
    table.changes.last_decrease_ms = 0;
    table.changes.decreases = 0;
    for (auto &index : table.global_indexes) {
        keep_warm(index.warm, effective_warm(index.warm, index.provisioned, BillingMode::provisioned), {},
                  BillingMode::pay_per_request);
        index.provisioned = {0, 0};
        index.changes.decreases = decreases_today(index.changes, times.until_ms) + 1;
        index.changes.last_decrease_ms = times.until_ms;
    }
}

void become_provisioned(model::TableDescription &table)
{
    table.billing_mode = BillingMode::provisioned;
    if (table.on_demand_from_ms == 0) {
        table.on_demand_from_ms = table.created_ms;
    }
    table.on_demand.reset();
    table.warm = effective_warm(table.warm, {}, BillingMode::pay_per_request);
    for (auto &index : table.global_indexes) {
        index.on_demand.reset();
        index.warm = effective_warm(index.warm, {}, BillingMode::pay_per_request);
    }
}

Result<void> apply_index_update(const IndexUpdate &update, BillingMode mode, const UpdateTimes &times,
                                model::IndexDescription &index)
{
    const auto warm_before = effective_warm(index.warm, index.provisioned, mode);
    if (update.provisioned) {
        if (auto done = change_units(index.provisioned, index.changes, *update.provisioned, times, index.name); !done) {
            return done;
        }
        keep_warm(index.warm, warm_before, index.provisioned, mode);
    }
    if (update.on_demand) {
        if (auto done = apply_maxima(*update.on_demand, mode, index.name, index.on_demand); !done) {
            return done;
        }
    }
    if (update.warm) {
        const auto current = effective_warm(index.warm, index.provisioned, mode);
        return apply_warm(*update.warm, current, index.name, index.warm);
    }
    return {};
}

Result<void> apply_table_units(const UpdateTableRequest &request, const UpdateTimes &times, std::string_view region,
                               model::TableDescription &table)
{
    if (request.provisioned) {
        const auto warm_before = effective_warm(table.warm, table.provisioned, table.billing_mode);
        if (auto done = change_units(table.provisioned, table.changes, *request.provisioned, times, {}); !done) {
            return done;
        }
        if (auto checked = check_account_limits(table.provisioned, region); !checked) {
            return checked;
        }
        keep_warm(table.warm, warm_before, table.provisioned, table.billing_mode);
    }
    if (request.on_demand) {
        if (auto done = apply_maxima(*request.on_demand, table.billing_mode, {}, table.on_demand); !done) {
            return done;
        }
    }
    if (request.warm) {
        const auto current = effective_warm(table.warm, table.provisioned, table.billing_mode);
        return apply_warm(*request.warm, current, {}, table.warm);
    }
    return {};
}

} // namespace

Result<model::IndexDescription *> find_global_index(model::TableDescription &table, std::string_view name,
                                                    std::string_view what)
{
    const auto is_it = [&](const auto &index) { return index.name == name; };
    const auto found = std::find_if(table.global_indexes.begin(), table.global_indexes.end(), is_it);
    if (found != table.global_indexes.end()) {
        return &*found;
    }
    if (std::any_of(table.local_indexes.begin(), table.local_indexes.end(), is_it)) {
        return invalid("Cannot " + std::string(what) +
                       " an index that is not a GlobalSecondaryIndex: " + std::string(name));
    }
    return fail(ErrorCode::resource_not_found,
                "Requested resource not found: Index " + std::string(name) + " for table " + table.name);
}

Result<void> apply_throughput(const UpdateTableRequest &request, const UpdateTimes &times, std::string_view region,
                              model::TableDescription &table)
{
    const auto before = table.billing_mode;
    const auto mode = request.billing_mode.value_or(before);
    if (request.provisioned && mode == BillingMode::pay_per_request) {
        return invalid_parameters("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode "
                                  "is PAY_PER_REQUEST");
    }
    for (const auto &update : request.updates) {
        if (update.provisioned && are_out_of_bounds(*update.provisioned)) {
            return invalid("This operation cannot be performed with given input values. Please contact DynamoDB "
                           "service team for more info: Action Blocked: IndexUpdate");
        }
    }
    for (const auto &update : request.updates) {
        if (auto found = find_global_index(table, update.name, "update"); !found) {
            return fail(std::move(found).error());
        }
        if (auto checked = check_index_update(update, mode); !checked) {
            return checked;
        }
    }
    if (mode != before) {
        if (mode == BillingMode::pay_per_request) {
            become_on_demand(times, table);
        } else {
            if (auto checked = check_all_provisioned(request, table); !checked) {
                return checked;
            }
            become_provisioned(table);
        }
    }
    if (auto done = apply_table_units(request, times, region, table); !done) {
        return done;
    }
    for (const auto &update : request.updates) {
        auto index = find_global_index(table, update.name, "update");
        if (auto done = apply_index_update(update, mode, times, **index); !done) {
            return done;
        }
    }
    return {};
}

} // namespace basalt::operations

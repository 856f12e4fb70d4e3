#include "server/settings.h"

#include "server/configuration.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>

namespace basalt::server {
namespace {

Result<void> expected(std::string_view what, std::string_view value)
{
    return fail(ErrorCode::invalid_options, "must be " + std::string(what) + ", not '" + std::string(value) + "'");
}

Result<std::int64_t> whole_number(std::string_view value, std::int64_t least, std::int64_t most)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size() || number < least || number > most) {
        const std::string what = "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
        return Unexpected{std::move(expected(what, value)).error()};
    }
    return number;
}

Result<bool> boolean(std::string_view value)
{
    if (value == "true" || value == "1" || value == "yes" || value == "on") {
        return true;
    }
    if (value == "false" || value == "0" || value == "no" || value == "off") {
        return false;
    }
    return Unexpected{std::move(expected("true or false", value)).error()};
}

/// Passes the parsed value on, or the failure.
template <typename T, typename Store>
Result<void> store(Result<T> parsed, Store store_value)
{
    if (!parsed) {
        return Unexpected{std::move(parsed).error()};
    }
    store_value(*parsed);
    return {};
}

std::string word(bool value)
{
    return value ? "true" : "false";
}

constexpr std::int64_t kLargestSeconds = 86'400;
constexpr std::int64_t kMib = 1 << 20;

/// A duration of the database's.
template <std::int64_t Options::*Member>
Result<void> apply_ms(Configuration &configuration, std::string_view value)
{
    return store(whole_number(value, 0, kLargestSeconds * 1000),
                 [&](std::int64_t number) { configuration.database.*Member = number; });
}

template <std::int64_t Options::*Member>
std::string show_ms(const Configuration &configuration)
{
    return std::to_string(configuration.database.*Member);
}

Result<void> apply_index_reads(Configuration &configuration, std::string_view value)
{
    if (value != "caught_up" && value != "eventual") {
        return expected("caught_up or eventual", value);
    }
    configuration.database.index_reads = value == "eventual" ? IndexReads::eventual : IndexReads::caught_up;
    return {};
}

Result<void> apply_log_level(Configuration &configuration, std::string_view value)
{
    for (const std::string_view level : {"trace", "debug", "info", "warning", "error", "critical", "off"}) {
        if (value == level) {
            configuration.log_level = value;
            return {};
        }
    }
    return expected("one of trace, debug, info, warning, error, critical, off", value);
}

Result<void> apply_account_id(Configuration &configuration, std::string_view value)
{
    if (value.size() != 12 || value.find_first_not_of("0123456789") != std::string_view::npos) {
        return expected("12 digits", value);
    }
    configuration.database.account_id = value;
    return {};
}

Result<void> apply_region(Configuration &configuration, std::string_view value)
{
    if (value.empty() || value.size() > 63 ||
        value.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string_view::npos) {
        return expected("a region's name, such as us-east-1", value);
    }
    configuration.database.region = value;
    configuration.server.region = value;
    return {};
}

Result<void> apply_metrics_port(Configuration &configuration, std::string_view value)
{
    if (value == "off") {
        configuration.server.metrics_port.reset();
        return {};
    }
    return store(whole_number(value, 0, std::numeric_limits<std::uint16_t>::max()),
                 [&](std::int64_t number) { configuration.server.metrics_port = static_cast<std::uint16_t>(number); });
}

std::string show_metrics_port(const Configuration &configuration)
{
    const auto port = configuration.server.metrics_port;
    return port ? std::to_string(*port) : "off";
}

constexpr std::array kSettings = {
    Setting{"host", "ADDRESS", "Address to listen on: an IP address or localhost; 0.0.0.0 or :: for every interface",
            [](Configuration &c, std::string_view value) -> Result<void> {
                if (value.empty()) {
                    return expected("an IP address or localhost", value);
                }
                c.server.host = value;
                return {};
            },
            [](const Configuration &c) { return c.server.host; }},
    Setting{"port", "PORT", "Port to listen on; 0 picks a free one",
            [](Configuration &c, std::string_view value) {
                return store(whole_number(value, 0, std::numeric_limits<std::uint16_t>::max()),
                             [&](std::int64_t number) { c.server.port = static_cast<std::uint16_t>(number); });
            },
            [](const Configuration &c) { return std::to_string(c.server.port); }},
    Setting{"data-dir", "DIRECTORY", "Directory of the database; created if absent",
            [](Configuration &c, std::string_view value) -> Result<void> {
                if (value.empty()) {
                    return expected("a directory", value);
                }
                c.database.data_dir = std::string(value);
                return {};
            },
            [](const Configuration &c) { return c.database.data_dir.string(); }},
    Setting{"in-memory", "", "Keep everything in memory; nothing survives the end of the program",
            [](Configuration &c, std::string_view value) {
                return store(boolean(value), [&](bool on) { c.database.in_memory = on; });
            },
            [](const Configuration &c) { return word(c.database.in_memory); }},
    Setting{"durability", "MODE", "sync: a reply waits until its data is on the disk; async: until the kernel has it",
            [](Configuration &c, std::string_view value) -> Result<void> {
                if (value != "sync" && value != "async") {
                    return expected("sync or async", value);
                }
                c.database.durability = value == "sync" ? DurabilityMode::sync : DurabilityMode::async;
                return {};
            },
            [](const Configuration &c) -> std::string {
                return c.database.durability == DurabilityMode::sync ? "sync" : "async";
            }},
    Setting{"memory-budget-mb", "MB", "Memory for caches, write buffers and request bodies together",
            [](Configuration &c, std::string_view value) {
                return store(whole_number(value, 32, 1 << 24), [&](std::int64_t number) {
                    c.database.memory_budget_bytes = static_cast<std::size_t>(number * kMib);
                });
            },
            [](const Configuration &c) { return std::to_string(c.database.memory_budget_bytes / kMib); }},
    Setting{"min-free-space-mb", "MB",
            "Writes are refused while the disk has less free space than this; deletes are not",
            [](Configuration &c, std::string_view value) {
                return store(whole_number(value, 0, 1 << 24), [&](std::int64_t number) {
                    c.database.min_free_space_bytes = static_cast<std::uint64_t>(number * kMib);
                });
            },
            [](const Configuration &c) { return std::to_string(c.database.min_free_space_bytes / kMib); }},
    Setting{"table-transition-ms", "MS", "How long tables stay CREATING, UPDATING and DELETING",
            apply_ms<&Options::table_transition_ms>, show_ms<&Options::table_transition_ms>},
    Setting{"item-collection-limit-bytes", "BYTES",
            "What an item collection of a table with local indexes may hold; 0: no limit; the service: 10737418240",
            [](Configuration &c, std::string_view value) {
                return store(whole_number(value, 0, std::numeric_limits<std::int64_t>::max()),
                             [&](std::int64_t number) {
                                 c.database.item_collection_limit_bytes = static_cast<std::uint64_t>(number);
                             });
            },
            [](const Configuration &c) { return std::to_string(c.database.item_collection_limit_bytes); }},
    Setting{"transaction-lock-ms", "MS", "How long a write waits for an item that another request holds",
            apply_ms<&Options::transaction_lock_ms>, show_ms<&Options::transaction_lock_ms>},
    Setting{"index-reads", "MODE",
            "caught_up: a read of a global index sees every write answered before; eventual: what is applied by then",
            apply_index_reads,
            [](const Configuration &c) {
                return std::string(c.database.index_reads == IndexReads::eventual ? "eventual" : "caught_up");
            }},
    Setting{"index-lag-ms", "MS", "How long every write is kept from the global indexes, to try a program against it",
            apply_ms<&Options::index_lag_ms>, show_ms<&Options::index_lag_ms>},
    Setting{"index-wait-ms", "MS", "How long a caught_up read waits before it sees what is applied by then",
            apply_ms<&Options::index_wait_ms>, show_ms<&Options::index_wait_ms>},
    Setting{"change-log-max-mb", "MB",
            "Writes to a table are throttled while more changes than this wait for its global indexes",
            [](Configuration &c, std::string_view value) {
                return store(whole_number(value, 1, 1 << 20), [&](std::int64_t number) {
                    c.database.change_log_max_bytes = static_cast<std::uint64_t>(number * kMib);
                });
            },
            [](const Configuration &c) { return std::to_string(c.database.change_log_max_bytes / kMib); }},
    Setting{"region", "REGION", "Region in the ARNs that responses show", apply_region,
            [](const Configuration &c) { return c.database.region; }},
    Setting{"account-id", "ID", "Account in the ARNs that responses show", apply_account_id,
            [](const Configuration &c) { return c.database.account_id; }},
    Setting{"io-threads", "COUNT", "Threads that serve connections; 0: one for each core",
            [](Configuration &c, std::string_view value) {
                return store(whole_number(value, 0, 1024),
                             [&](std::int64_t number) { c.server.io_threads = static_cast<int>(number); });
            },
            [](const Configuration &c) { return std::to_string(c.server.io_threads); }},
    Setting{"max-connections", "COUNT", "Connections served at a time; further ones are answered 503",
            [](Configuration &c, std::string_view value) {
                return store(whole_number(value, 1, 1'000'000),
                             [&](std::int64_t number) { c.server.max_connections = static_cast<std::size_t>(number); });
            },
            [](const Configuration &c) { return std::to_string(c.server.max_connections); }},
    Setting{"metrics-port", "PORT", "Port for GET /metrics; 0 picks a free one; off: none", apply_metrics_port,
            show_metrics_port},
    Setting{"metrics-host", "ADDRESS", "Address for GET /metrics: an IP address or localhost",
            [](Configuration &c, std::string_view value) -> Result<void> {
                if (value.empty()) {
                    return expected("an IP address or localhost", value);
                }
                c.server.metrics_host = value;
                return {};
            },
            [](const Configuration &c) { return c.server.metrics_host; }},
    Setting{"request-timeout-s", "SECONDS", "How long a client may take to send a request or to read its answer",
            [](Configuration &c, std::string_view value) {
                return store(whole_number(value, 1, kLargestSeconds),
                             [&](std::int64_t number) { c.server.request_timeout = std::chrono::seconds(number); });
            },
            [](const Configuration &c) { return std::to_string(c.server.request_timeout.count() / 1000); }},
    Setting{"idle-timeout-s", "SECONDS", "How long a connection may stay open between two requests",
            [](Configuration &c, std::string_view value) {
                return store(whole_number(value, 1, kLargestSeconds),
                             [&](std::int64_t number) { c.server.idle_timeout = std::chrono::seconds(number); });
            },
            [](const Configuration &c) { return std::to_string(c.server.idle_timeout.count() / 1000); }},
    Setting{"shutdown-grace-s", "SECONDS", "How long requests at hand may take when the program is told to stop",
            [](Configuration &c, std::string_view value) {
                return store(whole_number(value, 0, kLargestSeconds),
                             [&](std::int64_t number) { c.shutdown_grace = std::chrono::seconds(number); });
            },
            [](const Configuration &c) { return std::to_string(c.shutdown_grace.count() / 1000); }},
    Setting{"compression", "BOOLEAN", "Compress responses of 4 KB and more for clients that accept it",
            [](Configuration &c, std::string_view value) {
                return store(boolean(value), [&](bool on) { c.server.compress = on; });
            },
            [](const Configuration &c) { return word(c.server.compress); }},
    Setting{"log-level", "LEVEL", "trace, debug, info, warning, error, critical or off", apply_log_level,
            [](const Configuration &c) { return c.log_level; }},
};

std::string spelled(std::string_view name, std::string_view prefix, bool upper)
{
    std::string result(prefix);
    for (const char c : name) {
        if (c == '-') {
            result += '_';
        } else {
            result += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        }
    }
    return result;
}

} // namespace

std::span<const Setting> all_settings() noexcept
{
    return kSettings;
}

std::string environment_name(const Setting &setting)
{
    return spelled(setting.name, "BASALT_", true);
}

std::string file_key(const Setting &setting)
{
    return spelled(setting.name, "", false);
}

} // namespace basalt::server

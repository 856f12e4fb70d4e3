// The one error type of Basalt. Codes name DynamoDB's outcomes plus a few of our own that never reach a client;
// the wire name, the `__type` prefix, the message key and the HTTP status of each stand in protocol/error_table.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace basalt {

enum class ErrorCode : std::uint8_t {
    // Outcomes that the service model or the protocol defines.
    validation,
    serialization,
    unknown_operation,
    access_denied,
    incomplete_signature,
    invalid_signature,
    missing_authentication_token,
    unrecognized_client,
    internal_failure,
    internal_server_error,
    service_unavailable,
    request_entity_too_large,
    throttling,
    request_limit_exceeded,
    provisioned_throughput_exceeded,
    limit_exceeded,
    resource_not_found,
    resource_in_use,
    table_not_found,
    table_in_use,
    table_already_exists,
    index_not_found,
    conditional_check_failed,
    item_collection_size_limit_exceeded,
    transaction_canceled,
    transaction_conflict,
    transaction_in_progress,
    idempotent_parameter_mismatch,
    duplicate_item,
    replicated_write_conflict,
    backup_in_use,
    backup_not_found,
    continuous_backups_unavailable,
    point_in_time_recovery_unavailable,
    invalid_restore_time,
    export_conflict,
    export_not_found,
    invalid_export_time,
    import_conflict,
    import_not_found,
    global_table_already_exists,
    global_table_not_found,
    replica_already_exists,
    replica_not_found,
    policy_not_found,
    expired_iterator,
    trimmed_data_access,
    // Ours; Database turns them into one of the above or handles them.
    would_block,        // nothing changed; run the attempt again where waiting is allowed
    lock_timeout,       // another request held an item for longer than one waits for it; nothing changed
    outcome_unknown,    // a commit whose fate is not known (connection to a networked engine lost)
    unsupported_format, // the data directory was written in another format
    corruption,         // stored bytes do not decode or do not match their checksum
    io_error,           // the operating system refused a read or a write
    locked,             // another process has the data directory open
    invalid_options,    // Options or configuration make no sense
};

/// One failure. `message` is what the client reads; `detail` is, for the few errors that carry more members than a
/// message (Item, CancellationReasons, ThrottlingReasons), those members as JSON text without the enclosing braces.
struct Error {
    ErrorCode code = ErrorCode::internal_server_error;
    std::string message;
    std::string detail = {};

    friend bool operator==(const Error &, const Error &) = default;
};

} // namespace basalt

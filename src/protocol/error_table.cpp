// How each error looks on the wire.
#include "protocol/error_table.h"

#include "protocol/json_writer.h"

#include <array>
#include <cstddef>

namespace basalt::protocol {
namespace {

constexpr std::string_view kModelled = "com.amazonaws.dynamodb.v20120810#";
constexpr std::string_view kService = "com.amazon.coral.service#";
constexpr std::string_view kValidation = "com.amazon.coral.validate#";
constexpr std::string_view kAvailability = "com.amazon.coral.availability#";
constexpr std::string_view kLower = "message";
constexpr std::string_view kUpper = "Message";

constexpr ErrorWire modelled(ErrorCode code, std::string_view name)
{
    return {code, name, kModelled, kLower, 400};
}
/// Codes that never leave the process.
constexpr ErrorWire internal(ErrorCode code)
{
    return {code, "InternalServerError", kModelled, kLower, 500};
}

using enum ErrorCode;
constexpr std::array kTable = {
    ErrorWire{validation, "ValidationException", kValidation, kLower, 400},
    ErrorWire{serialization, "SerializationException", kService, kUpper, 400},
    ErrorWire{unknown_operation, "UnknownOperationException", kService, kLower, 400},
    ErrorWire{access_denied, "AccessDeniedException", kService, kUpper, 400},
    ErrorWire{incomplete_signature, "IncompleteSignatureException", kService, kLower, 400},
    ErrorWire{invalid_signature, "InvalidSignatureException", kService, kLower, 400},
    ErrorWire{missing_authentication_token, "MissingAuthenticationTokenException", kService, kLower, 400},
    ErrorWire{unrecognized_client, "UnrecognizedClientException", kService, kLower, 400},
    ErrorWire{internal_failure, "InternalFailure", kService, kLower, 500},
    ErrorWire{internal_server_error, "InternalServerError", kModelled, kLower, 500},
    ErrorWire{service_unavailable, "ServiceUnavailable", kService, kLower, 503},
    ErrorWire{request_entity_too_large, "RequestEntityTooLargeException", kService, kLower, 413},
    ErrorWire{throttling, "ThrottlingException", kAvailability, kLower, 400},
    modelled(request_limit_exceeded, "RequestLimitExceeded"),
    modelled(provisioned_throughput_exceeded, "ProvisionedThroughputExceededException"),
    modelled(limit_exceeded, "LimitExceededException"),
    modelled(resource_not_found, "ResourceNotFoundException"),
    modelled(resource_in_use, "ResourceInUseException"),
    modelled(table_not_found, "TableNotFoundException"),
    modelled(table_in_use, "TableInUseException"),
    modelled(table_already_exists, "TableAlreadyExistsException"),
    modelled(index_not_found, "IndexNotFoundException"),
    modelled(conditional_check_failed, "ConditionalCheckFailedException"),
    modelled(item_collection_size_limit_exceeded, "ItemCollectionSizeLimitExceededException"),
    ErrorWire{transaction_canceled, "TransactionCanceledException", kModelled, kUpper, 400},
    modelled(transaction_conflict, "TransactionConflictException"),
    ErrorWire{transaction_in_progress, "TransactionInProgressException", kModelled, kUpper, 400},
    ErrorWire{idempotent_parameter_mismatch, "IdempotentParameterMismatchException", kModelled, kUpper, 400},
    modelled(duplicate_item, "DuplicateItemException"),
    modelled(replicated_write_conflict, "ReplicatedWriteConflictException"),
    modelled(backup_in_use, "BackupInUseException"),
    modelled(backup_not_found, "BackupNotFoundException"),
    modelled(continuous_backups_unavailable, "ContinuousBackupsUnavailableException"),
    modelled(point_in_time_recovery_unavailable, "PointInTimeRecoveryUnavailableException"),
    modelled(invalid_restore_time, "InvalidRestoreTimeException"),
    modelled(export_conflict, "ExportConflictException"),
    modelled(export_not_found, "ExportNotFoundException"),
    modelled(invalid_export_time, "InvalidExportTimeException"),
    modelled(import_conflict, "ImportConflictException"),
    modelled(import_not_found, "ImportNotFoundException"),
    modelled(global_table_already_exists, "GlobalTableAlreadyExistsException"),
    modelled(global_table_not_found, "GlobalTableNotFoundException"),
    modelled(replica_already_exists, "ReplicaAlreadyExistsException"),
    modelled(replica_not_found, "ReplicaNotFoundException"),
    modelled(policy_not_found, "PolicyNotFoundException"),
    modelled(expired_iterator, "ExpiredIteratorException"),
    modelled(trimmed_data_access, "TrimmedDataAccessException"),
    internal(would_block),
    internal(lock_timeout),
    internal(outcome_unknown),
    internal(unsupported_format),
    internal(corruption),
    internal(io_error),
    internal(locked),
    internal(invalid_options),
};

constexpr bool in_code_order()
{
    for (std::size_t i = 0; i < kTable.size(); ++i) {
        if (static_cast<std::size_t>(kTable[i].code) != i) {
            return false;
        }
    }
    return true;
}
static_assert(in_code_order() && kTable.back().code == invalid_options);

} // namespace

const ErrorWire &error_wire(ErrorCode code) noexcept
{
    return kTable[static_cast<std::size_t>(code)];
}

namespace {

/// Some texts repeat what was sent, which may be megabytes; the end of those is left out.
constexpr std::size_t kMaxMessageBytes = std::size_t{128} << 10;

std::string_view cut(std::string_view message)
{
    if (message.size() <= kMaxMessageBytes) {
        return message;
    }
    std::size_t end = kMaxMessageBytes;
    while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return message.substr(0, end);
}

} // namespace

std::string encode_error(const Error &error)
{
    const ErrorWire &wire = error_wire(error.code);
    const bool shown = error.code < would_block; // ours may name files and offsets
    const std::string_view message = shown ? cut(error.message) : "Internal server error";
    // The service spells the key differently when this error carries the item.
    const bool carries_item = error.code == conditional_check_failed && !error.detail.empty();
    std::string out;
    JsonWriter writer(out);
    writer.begin_object();
    writer.key("__type");
    writer.string(std::string(wire.prefix).append(wire.name));
    if (!message.empty()) {
        writer.key(carries_item ? kUpper : wire.message_key);
        writer.string(message);
    }
    if (shown && !error.detail.empty()) {
        out.append(",").append(error.detail);
    }
    writer.end_object();
    return out;
}

} // namespace basalt::protocol

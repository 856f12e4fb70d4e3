// How each error looks on the wire: name, `__type` prefix, key of the message, HTTP status.
#pragma once

#include "basalt/error.h"

#include <string>
#include <string_view>

namespace basalt::protocol {

struct ErrorWire {
    ErrorCode code;
    std::string_view name;   // "ResourceNotFoundException"
    std::string_view prefix; // "com.amazonaws.dynamodb.v20120810#"
    std::string_view message_key;
    int status;
};

/// The row of a code; codes that must not reach a client have InternalServerError's.
[[nodiscard]] const ErrorWire &error_wire(ErrorCode code) noexcept;

/// {"__type":"...","message":"..."}; a message that is empty is left out; detail's members are appended.
[[nodiscard]] std::string encode_error(const Error &error);

} // namespace basalt::protocol

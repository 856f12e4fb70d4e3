// Encryption and class of a table as requests give them.
#pragma once

#include "basalt/result.h"
#include "operations/operation.h"
#include "protocol/document.h"

#include <string>

namespace basalt::operations {

struct Encryption {
    bool kms = false; // a key that the account sees, instead of the service's own
    std::string key_arn;
};

/// An SSESpecification; absent: no key of the account's. Errors (validation).
[[nodiscard]] Result<Encryption> read_encryption(const Context &context, const protocol::Node &given);

/// A TableClass; absent: empty. Error (validation).
[[nodiscard]] Result<std::string> read_table_class(const protocol::Node &given);

} // namespace basalt::operations

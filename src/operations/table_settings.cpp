#include "operations/table_settings.h"

#include "operations/index_request.h"
#include "protocol/service_members.h"
#include "protocol/table_name.h"

#include <utility>

namespace basalt::operations {
namespace {

Unexpected invalid_parameters(std::string message)
{
    return fail(ErrorCode::validation, std::string(kInvalidParameters) + std::move(message));
}

} // namespace

Result<Encryption> read_encryption(const Context &context, const protocol::Node &given)
{
    namespace members = protocol::sse_specification;
    if (!given.present()) {
        return Encryption{};
    }
    const auto &type = given[members::sse_type];
    const auto &key = given[members::kms_master_key_id];
    if (!given[members::enabled].boolean_or(false)) {
        if (type.present()) {
            return invalid_parameters("SSEType can not be specified if Enabled is false");
        }
        if (key.present()) {
            return invalid_parameters("KMSMasterKeyId can not be specified if Enabled is false");
        }
        return Encryption{};
    }
    if (key.present() && type.text_or("") != "KMS") {
        return invalid_parameters("SSEType KMS is required if KMSMasterKeyId is specified");
    }
    if (type.text_or("KMS") != "KMS") {
        return invalid_parameters("SSEType " + std::string(type.text()) + " is not supported");
    }
    const auto id = key.text_or("alias/aws/dynamodb");
    if (protocol::is_arn(id)) {
        return Encryption{true, std::string(id)};
    }
    return Encryption{true, "arn:aws:kms:" + context.region + ":" + context.account_id + ":" +
                                (id.starts_with("alias/") ? "" : "key/") + std::string(id)};
}

Result<std::string> read_table_class(const protocol::Node &given)
{
    const auto name = given.text_or("");
    if (given.present() && name != "STANDARD" && name != "STANDARD_INFREQUENT_ACCESS") {
        return fail(ErrorCode::validation,
                    "Invalid table-class parameter provided. Please try again with a valid table-class value: "
                    "[STANDARD, STANDARD_INFREQUENT_ACCESS].");
    }
    return std::string(name);
}

} // namespace basalt::operations

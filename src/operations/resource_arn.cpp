#include "operations/resource_arn.h"

#include "protocol/service_members.h"
#include "protocol/table_name.h"

#include <algorithm>
#include <array>
#include <string>

namespace basalt::operations {
namespace {

static_assert(protocol::list_tags_of_resource_input::resource_arn == 0 &&
              protocol::tag_resource_input::resource_arn == 0 && protocol::untag_resource_input::resource_arn == 0);
constexpr std::size_t kResourceArn = 0;

constexpr std::string_view kTable = "table/";
constexpr std::string_view kStream = "/stream/";

/// arn, partition, service, region, account, resource; the resource may have colons. Missing parts are empty.
using ArnParts = std::array<std::string_view, 6>;

ArnParts split(std::string_view arn)
{
    ArnParts parts;
    for (auto &part : parts) {
        const bool is_last = &part == &parts.back();
        const auto colon = is_last ? std::string_view::npos : arn.find(':');
        part = arn.substr(0, colon);
        arn = colon == std::string_view::npos ? std::string_view() : arn.substr(colon + 1);
    }
    return parts;
}

/// Six parts, none of them empty, and a slash inside the last one.
bool looks_like_arn(std::string_view text)
{
    const auto parts = split(text);
    const auto slash = parts.back().find('/', 1);
    return std::ranges::none_of(parts, &std::string_view::empty) && slash != std::string_view::npos &&
           slash + 1 < parts.back().size();
}

Unexpected invalid(std::string_view what, std::string_view arn)
{
    return fail(ErrorCode::validation, std::string(what).append(arn));
}

Unexpected invalid_table_arn(std::string_view arn)
{
    return invalid("Invalid TableArn: Invalid ResourceArn provided as input ", arn);
}

} // namespace

Result<void> require_resource_arn(const Context &context, const Operation &operation, const protocol::Node &input)
{
    const auto &arn = input[kResourceArn];
    if (!arn) {
        return invalid("Invalid TableArn", "");
    }
    if (!looks_like_arn(arn.text())) {
        std::string message =
            "User: arn:aws:iam::" + context.account_id + ":root is not authorized to perform: dynamodb:";
        message.append(operation.action).append(" on resource: ").append(arn.text().empty() ? "*" : arn.text());
        return fail(ErrorCode::access_denied, std::move(message));
    }
    return {};
}

Result<std::string_view> table_of_resource(const Context &context, std::string_view arn)
{
    const auto parts = split(arn);
    const auto resource = parts.back();
    if (!protocol::is_arn(arn) || !parts[1].starts_with("aws") || parts[2] != "dynamodb") {
        return invalid_table_arn(arn);
    }
    const auto name_end = resource.starts_with(kTable) ? resource.find('/', kTable.size()) : 0;
    const auto behind_name = name_end == std::string_view::npos ? std::string_view() : resource.substr(name_end);
    if (!behind_name.empty() && !behind_name.starts_with(kStream)) {
        return invalid("One or more parameter values were invalid: Invalid resource arn provided, only table or stream "
                       "is accepted. Provided resource arn: ",
                       arn);
    }
    const auto table = protocol::parse_table_reference(arn.substr(0, arn.size() - behind_name.size()));
    if (!table) {
        return invalid_table_arn(arn);
    }
    if (table->account != context.account_id) {
        return fail(ErrorCode::access_denied, "Access is denied");
    }
    if (table->region != context.region) {
        return invalid_table_arn(arn);
    }
    if (!behind_name.empty()) {
        return invalid("The tags of a stream are not supported yet: ", arn);
    }
    return table->name;
}

bool is_out_of_reach(const storage::Outcome &change)
{
    return !change.result && (change.result.error().code == ErrorCode::resource_not_found ||
                              change.result.error().code == ErrorCode::resource_in_use);
}

Error resource_not_found(std::string_view arn)
{
    // The service's own spelling.
    return {ErrorCode::resource_not_found,
            "Requested resource not found: ResourcArn: " + std::string(arn) + " not found"};
}

} // namespace basalt::operations

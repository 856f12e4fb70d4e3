// Table names and table ARNs as requests give them.
#include "protocol/table_name.h"

#include "protocol/document.h"

#include <algorithm>
#include <array>
#include <string>

namespace basalt::protocol {
namespace {

constexpr std::size_t kMinControlName = 3;
constexpr std::size_t kMaxTableName = 255;
constexpr std::size_t kAccountDigits = 12;

bool all_of(std::string_view text, bool (*allowed)(char)) noexcept
{
    return !text.empty() && std::ranges::all_of(text, allowed);
}
bool is_digit(char c) noexcept
{
    return c >= '0' && c <= '9';
}
bool is_lower_or_digit(char c) noexcept
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-';
}
bool is_name_character(char c) noexcept
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '-';
}

Unexpected invalid_part(std::string_view part, std::string_view arn)
{
    std::string message = "1 validation error detected: Invalid AWS ";
    message.append(part).append(" in '").append(arn).append("'");
    return fail(ErrorCode::validation, std::move(message));
}

/// Cuts the text up to the next colon off the front; everything when there is none.
std::string_view next_part(std::string_view &rest)
{
    const auto colon = rest.find(':');
    const auto part = rest.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    return part;
}

} // namespace

Result<TableReference> parse_table_reference(std::string_view name_or_arn)
{
    if (!is_arn(name_or_arn)) {
        return TableReference{name_or_arn};
    }
    auto rest = name_or_arn;
    next_part(rest);
    const auto partition = next_part(rest);
    const auto service = next_part(rest);
    const auto region = next_part(rest);
    const auto account = next_part(rest);
    constexpr std::string_view kTable = "table/";
    if (!partition.starts_with("aws") || !all_of(partition, is_lower_or_digit)) {
        return invalid_part("partition", name_or_arn);
    }
    if (service != "dynamodb") {
        return invalid_part("service", name_or_arn);
    }
    if (!all_of(region, is_lower_or_digit)) {
        return invalid_part("region", name_or_arn);
    }
    if (account.size() != kAccountDigits || !all_of(account, is_digit)) {
        return invalid_part("account", name_or_arn);
    }
    if (!rest.starts_with(kTable) || rest.find('/', kTable.size()) != std::string_view::npos) {
        return invalid_part("resource type", name_or_arn);
    }
    const auto name = rest.substr(kTable.size());
    if (name.size() < kMinControlName || name.size() > kMaxTableName || !all_of(name, is_name_character)) {
        return invalid_part("resource name", name_or_arn);
    }
    return TableReference{name, region, account};
}

Result<void> check_control_table_name(const Node &table_name)
{
    if (!table_name) {
        return fail(ErrorCode::validation, "The parameter 'TableName' is required but was not present in the request");
    }
    const auto name = table_name.text();
    if (!is_arn(name) && (name.size() < kMinControlName || name.size() > kMaxTableName)) {
        return fail(ErrorCode::validation,
                    "TableName must be at least 3 characters long and at most 255 characters long");
    }
    return {};
}

} // namespace basalt::protocol

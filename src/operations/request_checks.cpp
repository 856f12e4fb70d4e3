#include "operations/request_checks.h"

#include "model/limits.h"

#include <string>

namespace basalt::operations {
namespace {

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}

Result<void> check_placeholder_key(std::string_view parameter, char sigil, std::string_view key)
{
    if (!expression::is_placeholder(sigil, key)) {
        return invalid(std::string(parameter) + " contains invalid key: Syntax error; key: \"" + std::string(key) +
                       "\"");
    }
    return {};
}

} // namespace

Result<void> refuse_unbuilt(std::initializer_list<Unbuilt> members)
{
    for (const auto &unbuilt : members) {
        if (unbuilt.member.present()) {
            return invalid("The parameter " + std::string(unbuilt.name) + " is not supported yet");
        }
    }
    return {};
}

Result<void> check_values(const protocol::Node &attributes)
{
    if (const auto *fault = attributes.fault()) {
        return invalid(std::string(fault->message));
    }
    return {};
}

Result<std::vector<expression::NameSubstitution>> check_placeholders(const protocol::Node &names,
                                                                     const protocol::Node &values)
{
    std::vector<expression::NameSubstitution> substitutions;
    if (names.present()) {
        if (names.entries().empty()) {
            return invalid("ExpressionAttributeNames must not be empty");
        }
        for (const auto &entry : names.entries()) {
            if (auto checked = check_placeholder_key("ExpressionAttributeNames", '#', entry.key); !checked) {
                return fail(std::move(checked).error());
            }
            if (entry.value.text().empty()) {
                return invalid("ExpressionAttributeNames contains invalid value: Empty attribute name for key " +
                               std::string(entry.key));
            }
            substitutions.push_back({entry.key, entry.value.text()});
        }
    }
    if (values.present()) {
        const auto attributes = values.item().attributes(); // its names are right even if a value is not
        if (attributes.empty()) {
            return invalid("ExpressionAttributeValues must not be empty");
        }
        for (const auto &attribute : attributes) {
            if (auto checked = check_placeholder_key("ExpressionAttributeValues", ':', attribute.name); !checked) {
                return fail(std::move(checked).error());
            }
        }
        if (const auto *fault = values.fault()) {
            return invalid("ExpressionAttributeValues contains invalid value: " + std::string(fault->message) +
                           " for key " + std::string(fault->key));
        }
    }
    std::size_t bytes = values.present() ? values.item().size_bytes() : 0;
    for (const auto &substitution : substitutions) {
        bytes += substitution.placeholder.size() + substitution.name.size();
    }
    if (bytes > model::kMaxSubstitutionBytes) {
        return invalid("The size of ExpressionAttributeNames and ExpressionAttributeValues has exceeded the maximum "
                       "allowed size; size: " +
                       std::to_string(bytes));
    }
    return substitutions;
}

Result<bool> wants_old_item(const protocol::Node &return_values)
{
    const auto text = return_values.text_or("NONE");
    if (text != "ALL_OLD" && text != "NONE") {
        return invalid("ReturnValues can only be ALL_OLD or NONE");
    }
    return text == "ALL_OLD";
}

} // namespace basalt::operations

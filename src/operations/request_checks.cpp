#include "operations/request_checks.h"

#include <algorithm>
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

Result<void> check_start_key_values(const protocol::Node &attributes)
{
    const auto *fault = attributes.fault();
    if (fault == nullptr) {
        return {};
    }
    const bool prefixed = fault->kind == protocol::ValueFault::Kind::other;
    return invalid((prefixed ? "The provided starting key is invalid: " : "") + std::string(fault->message));
}

Result<void> refuse_placeholders(const protocol::Node &names, const protocol::Node &values,
                                 std::string_view values_tail)
{
    if (names.present()) {
        return invalid("ExpressionAttributeNames can only be specified when using expressions");
    }
    if (values.present()) {
        return invalid("ExpressionAttributeValues can only be specified when using expressions: " +
                       std::string(values_tail));
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
            substitutions.push_back({entry.key, entry.value.text()});
        }
    }
    if (values.present()) {
        if (const auto *fault = values.fault()) {
            if (auto checked = check_placeholder_key("ExpressionAttributeValues", ':', fault->key); !checked) {
                return fail(std::move(checked).error());
            }
            return invalid("ExpressionAttributeValues contains invalid value: " + std::string(fault->message) +
                           " for key " + std::string(fault->key));
        }
        const auto attributes = values.item().attributes();
        if (attributes.empty()) {
            return invalid("ExpressionAttributeValues must not be empty");
        }
        for (const auto &attribute : attributes) {
            if (auto checked = check_placeholder_key("ExpressionAttributeValues", ':', attribute.name); !checked) {
                return fail(std::move(checked).error());
            }
        }
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

Result<void> refuse_index_read(const model::TableDescription &table, const protocol::Node &index_name, bool consistent)
{
    if (!index_name.present()) {
        return {};
    }
    const auto name = index_name.text();
    const auto named = [name](const model::IndexDescription &index) { return index.name == name; };
    const bool global = std::any_of(table.global_indexes.begin(), table.global_indexes.end(), named);
    const bool local = std::any_of(table.local_indexes.begin(), table.local_indexes.end(), named);
    if (!global && !local) {
        return invalid("The table does not have the specified index: " + std::string(name));
    }
    if (global && consistent) {
        return invalid("Consistent reads are not supported on global secondary indexes");
    }
    return invalid("Reading a secondary index is not supported yet: " + std::string(name));
}

} // namespace basalt::operations

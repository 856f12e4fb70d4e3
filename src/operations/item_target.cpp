#include "operations/item_target.h"

#include "protocol/table_name.h"

#include <string>

namespace basalt::operations {

Result<std::string_view> local_table_name(const Context &context, std::string_view table_name)
{
    auto reference = protocol::parse_table_reference(table_name);
    if (!reference) {
        return fail(std::move(reference).error());
    }
    if (protocol::is_arn(table_name) && reference->region != context.region) {
        return fail(ErrorCode::validation,
                    "1 validation error detected: Invalid AWS region in '" + std::string(table_name) + "'");
    }
    if (protocol::is_arn(table_name) && reference->account != context.account_id) {
        return fail(ErrorCode::access_denied, "Access is denied");
    }
    return reference->name;
}

Result<engine::TablePtr> item_table(const Context &context, std::string_view table_name)
{
    auto name = local_table_name(context, table_name);
    if (!name) {
        return fail(std::move(name).error());
    }
    return context.engine.catalog().find_active(*name);
}

Result<engine::TablePtr> item_table(const Context &context, const protocol::Node &table_name)
{
    return item_table(context, table_name.text());
}

} // namespace basalt::operations

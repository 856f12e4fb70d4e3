#include "operations/item_target.h"

#include "protocol/table_name.h"

namespace basalt::operations {

Result<engine::TablePtr> item_table(const Context &context, const protocol::Node &table_name)
{
    auto name = protocol::table_name_of(table_name.text());
    if (!name) {
        return fail(std::move(name).error());
    }
    return context.engine.catalog().find_active(*name);
}

} // namespace basalt::operations

// DescribeTable.
#include "operations/item_target.h"
#include "operations/operation.h"
#include "operations/table_json.h"
#include "protocol/json_writer.h"
#include "protocol/service_members.h"

namespace basalt::operations {

storage::Outcome describe_table(const Context &context, storage::Wait, const protocol::Node &input, std::string &body)
{
    auto name = local_table_name(context, input[protocol::describe_table_input::table_name].text());
    if (!name) {
        return reject(std::move(name).error());
    }
    const auto &catalog = context.engine.catalog();
    const auto table = catalog.find(*name);
    const auto seen = catalog.ticket();
    if (!table) {
        return reject(ErrorCode::resource_not_found,
                      "Requested resource not found: Table: " + std::string(*name) + " not found", seen);
    }
    const auto now_ms = catalog.now_ms();
    body.clear();
    protocol::JsonWriter out(body);
    out.begin_object();
    out.key("Table");
    write_table(out, context, table->description, {engine::status_at(table->description, now_ms), now_ms},
                TableView::described);
    out.end_object();
    return {{}, seen};
}

} // namespace basalt::operations

// DeleteTable.
#include "operations/item_target.h"
#include "operations/operation.h"
#include "operations/table_json.h"
#include "protocol/json_writer.h"
#include "protocol/service_members.h"

namespace basalt::operations {

storage::Outcome delete_table(const Context &context, storage::Wait wait, const protocol::Node &input,
                              std::string &body)
{
    auto name = local_table_name(context, input[protocol::delete_table_input::table_name].text());
    if (!name) {
        return reject(std::move(name).error());
    }
    model::TableDescription dropped;
    auto outcome = context.engine.catalog().drop(wait, *name, dropped);
    if (outcome.result) {
        body.clear();
        protocol::JsonWriter out(body);
        out.begin_object();
        out.key("TableDescription");
        write_table(out, context, dropped, {engine::TableStatus::deleting, context.engine.catalog().now_ms()},
                    TableView::deleted);
        out.end_object();
    }
    return outcome;
}

} // namespace basalt::operations

// CreateTable.
#include "operations/create_table_request.h"
#include "operations/operation.h"
#include "operations/request_checks.h"
#include "operations/table_json.h"
#include "protocol/json_writer.h"
#include "protocol/service_members.h"

namespace basalt::operations {

storage::Outcome create_table(const Context &context, storage::Wait wait, const protocol::Node &input,
                              std::string &body)
{
    namespace members = protocol::create_table_input;
    if (auto checked = refuse_unbuilt(
            {{input[members::global_table_source_arn], "GlobalTableSourceArn"},
             {input[members::global_table_settings_replication_mode], "GlobalTableSettingsReplicationMode"}});
        !checked) {
        return reject(std::move(checked).error());
    }
    auto table = table_from_request(context, input);
    if (!table) {
        return reject(std::move(table).error());
    }
    auto outcome = context.engine.catalog().create(wait, *table);
    if (outcome.result) {
        body.clear();
        protocol::JsonWriter out(body);
        out.begin_object();
        out.key("TableDescription");
        write_table(out, context, *table, {engine::TableStatus::creating, table->created_ms}, TableView::created);
        out.end_object();
    }
    return outcome;
}

} // namespace basalt::operations

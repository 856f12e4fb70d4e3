// CreateTable.
#include "operations/create_table_request.h"
#include "operations/operation.h"
#include "operations/table_json.h"
#include "protocol/json_writer.h"
#include "protocol/service_members.h"

namespace basalt::operations {

storage::Outcome create_table(const Context &context, storage::Wait wait, const protocol::Node &input,
                              std::string &body)
{
    if (input[protocol::create_table_input::global_table_source_arn].present()) {
        return reject(ErrorCode::validation, "The parameter GlobalTableSourceArn is not supported yet");
    }
    auto table = table_from_request(input, context.region, context.account_id);
    if (!table) {
        return reject(std::move(table).error());
    }
    auto outcome = context.engine.catalog().create(wait, *table);
    if (outcome.result) {
        body.clear();
        protocol::JsonWriter out(body);
        out.begin_object();
        out.key("TableDescription");
        write_table(out, context, *table, engine::TableStatus::creating, TableView::created);
        out.end_object();
    }
    return outcome;
}

} // namespace basalt::operations

// ListTables: names in byte order, in pages.
#include "operations/operation.h"
#include "protocol/json_writer.h"
#include "protocol/service_members.h"

namespace basalt::operations {

namespace members = protocol::list_tables_input;

namespace {
constexpr std::size_t kMaxNames = 100;
}

storage::Outcome list_tables(const Context &context, storage::Wait, const protocol::Node &input, std::string &body)
{
    const auto &limit = input[members::limit];
    const auto &catalog = context.engine.catalog();
    bool more = false;
    const auto names = catalog.list(input[members::exclusive_start_table_name].text_or(""),
                                    limit.present() ? static_cast<std::size_t>(limit.integer()) : kMaxNames, more);
    const auto seen = catalog.ticket();
    body.clear();
    protocol::JsonWriter out(body);
    out.begin_object();
    out.key("TableNames");
    out.begin_array();
    for (const auto &name : names) {
        out.string(name);
    }
    out.end_array();
    if (more) {
        out.key("LastEvaluatedTableName");
        out.string(names.back());
    }
    out.end_object();
    return {{}, seen};
}

} // namespace basalt::operations

#include "operations/item_write.h"

#include "operations/request_checks.h"
#include "protocol/json_writer.h"

namespace basalt::operations {

void WriteResponse::write(std::optional<model::ItemView> old, std::string &body) const
{
    body.clear();
    protocol::JsonWriter out(body);
    out.begin_object();
    if (old_item && old) {
        out.key("Attributes");
        out.attributes(old->attributes());
    }
    write_consumed_capacity(out, report, table.name, write_units(old ? old->size_bytes() : 0, new_bytes));
    out.end_object();
}

Result<void> check_write_parameters(const WriteParameters &parameters)
{
    if (auto checked = refuse_unbuilt({{parameters.condition_expression, "ConditionExpression"},
                                       {parameters.expected, "Expected"},
                                       {parameters.conditional_operator, "ConditionalOperator"}});
        !checked) {
        return checked;
    }
    if (auto checked = refuse_placeholders(parameters.names, parameters.values, "ConditionExpression is null");
        !checked) {
        return checked;
    }
    return check_values(parameters.attributes);
}

Result<void> refuse_collection_metrics(const model::TableDescription &table,
                                       const protocol::Node &return_item_collection_metrics)
{
    if (!table.local_indexes.empty() && return_item_collection_metrics.text_or("NONE") == "SIZE") {
        return fail(ErrorCode::validation,
                    "ReturnItemCollectionMetrics is not supported yet on a table with local secondary indexes");
    }
    return {};
}

} // namespace basalt::operations

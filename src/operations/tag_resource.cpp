// TagResource.
#include "operations/operation.h"
#include "operations/resource_arn.h"
#include "operations/tag_rules.h"
#include "protocol/service_members.h"

namespace basalt::operations {

namespace members = protocol::tag_resource_input;

storage::Outcome tag_resource(const Context &context, storage::Wait wait, const protocol::Node &input,
                              std::string &body)
{
    const auto arn = input[members::resource_arn].text();
    auto name = table_of_resource(context, arn);
    if (!name) {
        return reject(std::move(name).error());
    }
    auto tags = read_tags(input[members::tags]);
    if (!tags) {
        return reject(std::move(tags).error());
    }
    if (tags->empty()) {
        return reject(ErrorCode::validation, "Atleast one Tag needs to be provided as Input.");
    }
    auto outcome = context.engine.catalog().change(
        wait, *name, [&](model::TableDescription &table) { return merge_tags(*tags, table.tags); });
    if (is_out_of_reach(outcome)) {
        return reject(resource_not_found(arn), outcome.ticket);
    }
    body.clear();
    return outcome;
}

} // namespace basalt::operations

// ListTagsOfResource.
#include "operations/operation.h"
#include "operations/resource_arn.h"
#include "protocol/json_writer.h"
#include "protocol/service_members.h"

namespace basalt::operations {

namespace members = protocol::list_tags_of_resource_input;

storage::Outcome list_tags_of_resource(const Context &context, storage::Wait, const protocol::Node &input,
                                       std::string &body)
{
    const auto arn = input[members::resource_arn].text();
    auto name = table_of_resource(context, arn);
    if (!name) {
        return reject(std::move(name).error());
    }
    if (input[members::next_token]) {
        // All tags fit in one page, so that no response has told of a token.
        return reject(ErrorCode::validation, "NextToken is invalid");
    }
    const auto &catalog = context.engine.catalog();
    const auto table = catalog.find_active(*name);
    const auto seen = catalog.ticket();
    if (!table) {
        return reject(resource_not_found(arn), seen);
    }
    body.clear();
    protocol::JsonWriter out(body);
    out.begin_object();
    out.key("Tags");
    out.begin_array();
    for (const auto &tag : (*table)->description.tags) {
        out.begin_object();
        out.key("Key");
        out.string(tag.key);
        out.key("Value");
        out.string(tag.value);
        out.end_object();
    }
    out.end_array();
    out.end_object();
    return {{}, seen};
}

} // namespace basalt::operations

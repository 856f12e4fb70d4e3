// UntagResource.
#include "operations/operation.h"
#include "operations/resource_arn.h"
#include "operations/tag_rules.h"
#include "protocol/service_members.h"

#include <algorithm>
#include <set>

namespace basalt::operations {

namespace members = protocol::untag_resource_input;

storage::Outcome untag_resource(const Context &context, storage::Wait wait, const protocol::Node &input,
                                std::string &body)
{
    auto name = table_of_resource(context, input[members::resource_arn].text());
    if (!name) {
        return reject(std::move(name).error());
    }
    std::set<std::string_view> keys;
    for (const auto &key : input[members::tag_keys].elements()) {
        if (auto checked = check_tag_key(key); !checked) {
            return reject(std::move(checked).error());
        }
        keys.insert(key.text());
    }
    if (keys.empty()) {
        return reject(ErrorCode::validation, "Atleast one Tag Key needs to be provided as Input.");
    }
    auto outcome = context.engine.catalog().change(wait, *name, [&](model::TableDescription &table) -> Result<void> {
        std::erase_if(table.tags, [&](const model::Tag &tag) { return keys.contains(tag.key); });
        return {};
    });
    if (is_out_of_reach(outcome)) {
        // Without the ARN, unlike the other two operations.
        return reject(ErrorCode::resource_not_found, "Requested resource not found", outcome.ticket);
    }
    body.clear();
    return outcome;
}

} // namespace basalt::operations

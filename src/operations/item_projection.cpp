#include "operations/item_projection.h"

#include "operations/legacy_parameters.h"

#include <utility>

namespace basalt::operations {

Result<void> check_projection_styles(const ProjectionMembers &members)
{
    const NamedParameter legacy[] = {{members.attributes_to_get, "AttributesToGet"}};
    const NamedParameter expressions[] = {{members.projection_expression, "ProjectionExpression"}};
    return check_parameter_styles(legacy, expressions, members.names, protocol::Node());
}

Result<std::optional<expression::Projection>> read_projection(const ProjectionMembers &members,
                                                              ExpressionParameters &expressions)
{
    auto attributes = legacy_projection(members.attributes_to_get);
    if (!attributes || *attributes) {
        return attributes;
    }
    if (auto opened = expressions.open(members.names, protocol::Node()); !opened) {
        return fail(std::move(opened).error());
    }
    auto projection = expressions.projection(members.projection_expression);
    if (projection) {
        if (auto checked = expressions.check_all_used(); !checked) {
            return fail(std::move(checked).error());
        }
    }
    return projection;
}

void write_projected(protocol::JsonWriter &out, model::MapView item,
                     const std::optional<expression::Projection> &projection, std::string &scratch)
{
    if (!projection) {
        out.attributes(item);
        return;
    }
    scratch.clear();
    projection->append_item(item, scratch);
    out.attributes(model::ItemView(scratch).attributes());
}

} // namespace basalt::operations

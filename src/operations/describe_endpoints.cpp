// DescribeEndpoints.
#include "operations/operation.h"
#include "protocol/json_writer.h"

namespace basalt::operations {

storage::Outcome describe_endpoints(const Context &context, storage::Wait, const protocol::Node &, std::string &body)
{
    constexpr std::int64_t kCachePeriodInMinutes = 1440;
    body.clear();
    protocol::JsonWriter out(body);
    out.begin_object();
    out.key("Endpoints");
    out.begin_array();
    out.begin_object();
    out.key("Address");
    out.string("dynamodb." + context.region + ".amazonaws.com");
    out.key("CachePeriodInMinutes");
    out.integer(kCachePeriodInMinutes);
    out.end_object();
    out.end_array();
    out.end_object();
    return {{}, {}};
}

} // namespace basalt::operations

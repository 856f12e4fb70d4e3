// DescribeLimits: the service's default quotas for throughput; Basalt itself does not throttle.
#include "operations/operation.h"
#include "protocol/json_writer.h"

#include <array>
#include <utility>

namespace basalt::operations {

storage::Outcome describe_limits(const Context &, storage::Wait, const protocol::Node &, std::string &body)
{
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kQuotas{{
        {"AccountMaxReadCapacityUnits", 80'000},
        {"AccountMaxWriteCapacityUnits", 80'000},
        {"TableMaxReadCapacityUnits", 40'000},
        {"TableMaxWriteCapacityUnits", 40'000},
    }};
    body.clear();
    protocol::JsonWriter out(body);
    out.begin_object();
    for (const auto &[name, units] : kQuotas) {
        out.key(name);
        out.integer(units);
    }
    out.end_object();
    return {{}, {}};
}

} // namespace basalt::operations

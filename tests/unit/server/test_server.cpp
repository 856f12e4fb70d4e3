#include "unit/server/test_server.h"

namespace basalt::server {

std::string echo_of(std::string_view target, std::size_t length)
{
    return "{\"target\":\"" + std::string(target) + "\",\"length\":" + std::to_string(length) + "}";
}

void echo(const Request &request, Completion &completion)
{
    completion.complete({200, echo_of(request.target, request.body.size())});
}

} // namespace basalt::server

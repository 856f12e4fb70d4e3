#include "request_metrics.h"

#include "base/metrics.h"
#include "protocol/error_table.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace basalt {
namespace {

constexpr std::array kEnds{"ok", "client_error", "server_error"};

std::vector<Labels> request_labels()
{
    std::vector<Labels> labels;
    const auto add = [&](std::string_view operation) {
        for (const char *end : kEnds) {
            labels.push_back({{"operation", std::string(operation)}, {"outcome", end}});
        }
    };
    for (const auto &operation : operations::registry()) {
        add(operation.action);
    }
    add("unknown");
    return labels;
}

/// Several codes look the same to clients: those are one counter.
class ErrorCounters {
public:
    ErrorCounters()
        : counters_("basalt_errors_total", "Errors by the name that clients see.", labels())
    {}
    void add(ErrorCode code) noexcept { counters_.add(places_[static_cast<std::size_t>(code)]); }

private:
    std::vector<Labels> labels()
    {
        std::vector<Labels> result;
        std::vector<std::string_view> names;
        for (std::size_t code = 0; code < places_.size(); ++code) {
            const auto name = protocol::error_wire(static_cast<ErrorCode>(code)).name;
            const auto found = std::ranges::find(names, name);
            places_[code] = static_cast<std::size_t>(found - names.begin());
            if (found == names.end()) {
                names.push_back(name);
                result.push_back({{"error", std::string(name)}});
            }
        }
        return result;
    }

    std::array<std::size_t, static_cast<std::size_t>(ErrorCode::invalid_options) + 1> places_{};
    HotCounters counters_;
};

HotCounters requests("basalt_requests_total", "Requests by operation and how they ended.", request_labels());
ErrorCounters errors;

} // namespace

std::size_t counted_as(const operations::Operation *operation) noexcept
{
    const auto all = operations::registry();
    return operation == nullptr ? all.size() : static_cast<std::size_t>(operation - all.data());
}

void count_request(std::size_t counted_as, int http_status) noexcept
{
    const std::size_t end = http_status < 400 ? 0 : http_status < 500 ? 1 : 2;
    requests.add(counted_as * kEnds.size() + end);
}

void count_error(ErrorCode code) noexcept
{
    errors.add(code);
}

} // namespace basalt

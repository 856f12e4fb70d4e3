#include "base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>

#include <memory>
#include <string>

namespace basalt {

Result<void> start_logging(std::string_view level)
{
    const std::string name(level);
    const auto parsed = spdlog::level::from_str(name);
    if (parsed == spdlog::level::off && name != "off") {
        return fail(ErrorCode::invalid_options,
                    "log level '" + name + "' is not one of trace, debug, info, warning, error, critical, off");
    }
    auto logger = std::make_shared<spdlog::logger>("basalt", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    logger->set_level(parsed);
    logger->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
    logger->flush_on(spdlog::level::warn);
    spdlog::set_default_logger(std::move(logger));
    return {};
}

} // namespace basalt

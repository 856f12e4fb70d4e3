// The program's logger. Output goes to standard error; standard output belongs to the ready line.
#pragma once

#include "basalt/result.h"

#include <spdlog/spdlog.h>

#include <string_view>

namespace basalt {

/// Installs the process-wide logger. level: trace, debug, info, warning, error, critical or off. Error:
/// invalid_options.
Result<void> start_logging(std::string_view level);

} // namespace basalt

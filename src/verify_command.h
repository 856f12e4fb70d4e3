// `basalt verify`: checks a database that nobody has open and tells a person.
#pragma once

#include "basalt/options.h"

namespace basalt {

inline constexpr int kAllIsWell = 0;
inline constexpr int kFoundErrors = 1;
inline constexpr int kNotChecked = 2;

/// Prints what it finds, a summary and a verdict to stdout. The exit code.
[[nodiscard]] int run_verify_command(const Options &options);

} // namespace basalt

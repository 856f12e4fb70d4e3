// Broken invariants abort with a message in every build type.
#pragma once

namespace basalt {

/// Prints the message and aborts.
[[noreturn]] void invariant_broken(const char *expression, const char *file, int line) noexcept;

} // namespace basalt

#define BASALT_CHECK(expression)                                                                                       \
    ((expression) ? static_cast<void>(0) : ::basalt::invariant_broken(#expression, __FILE__, __LINE__))

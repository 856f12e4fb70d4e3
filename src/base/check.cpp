#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace basalt {

void invariant_broken(const char *expression, const char *file, int line) noexcept
{
    std::fprintf(stderr, "basalt: broken invariant: %s (%s:%d)\n", expression, file, line);
    std::abort();
}

} // namespace basalt

// Randomness as a dependency: identifiers and jitter come from a RandomSource, so that tests can repeat them.
#pragma once

#include <cstdint>

namespace basalt {

/// Thread-safe.
class RandomSource {
public:
    virtual ~RandomSource() = default;
    [[nodiscard]] virtual std::uint64_t next() = 0;
};

/// Seeded from the operating system; not for secrets.
class SystemRandom final : public RandomSource {
public:
    [[nodiscard]] std::uint64_t next() override;
};

} // namespace basalt

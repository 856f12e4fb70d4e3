#include "base/random.h"

#include <random>

namespace basalt {

std::uint64_t SystemRandom::next()
{
    thread_local std::mt19937_64 generator = [] {
        std::random_device device;
        std::seed_seq seed{device(), device(), device(), device(), device(), device(), device(), device()};
        return std::mt19937_64(seed);
    }();
    return generator();
}

} // namespace basalt

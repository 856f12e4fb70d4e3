// Random attribute values of few kinds, so that they meet often, and their order in keys.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace basalt::indexes {

using Json = nlohmann::json;

/// Everything that a run does follows from its seed.
class Random {
public:
    explicit Random(std::uint64_t seed)
        : engine_(seed)
    {}
    /// 0 to bound - 1.
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(engine_() % bound); }
    bool percent(std::size_t percent) { return below(100) < percent; }
    template <typename T>
    const T &one_of(const std::vector<T> &choices)
    {
        return choices[below(choices.size())];
    }

private:
    std::mt19937_64 engine_;
};

/// A value that an index key of the type ("S", "N", "B") can have: one of few, the first of them mostly.
[[nodiscard]] Json key_value(Random &random, const std::string &type);
/// A value of any type, also ones that cannot be keys: empty, or longer than a key may be.
[[nodiscard]] Json any_value(Random &random);

/// What counts for the size of a key.
[[nodiscard]] std::size_t key_bytes(const Json &value);
/// Less than 0, 0 or more, for two values of one key type, in the order of sort keys.
[[nodiscard]] int compare_keys(const Json &left, const Json &right);

} // namespace basalt::indexes

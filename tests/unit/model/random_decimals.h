// Seeded numbers that crowd the edges: few and many digits, runs of 0 and 9, the smallest and largest exponents.
#pragma once

#include "model/decimal.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace basalt::model::testing {

class RandomDecimals {
public:
    explicit RandomDecimals(std::uint64_t seed)
        : engine_(seed)
    {}

    std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

    /// One to 38 digits, neither end 0.
    std::string digits()
    {
        static constexpr std::array<std::size_t, 8> kLengths = {1, 2, 3, 18, 19, 20, 37, 38};
        const std::size_t length = below(4) == 0 ? 1 + below(Decimal::kMaxDigits) : kLengths[below(kLengths.size())];
        const std::uint64_t style = below(4);
        std::string text;
        for (std::size_t i = 0; i < length; ++i) {
            const bool end = i == 0 || i + 1 == length;
            const char run = style == 0 ? '9' : (end ? '1' : '0');
            const char any = static_cast<char>((end ? '1' : '0') + static_cast<int>(below(end ? 9 : 10)));
            text.push_back(style < 2 ? run : any);
        }
        return text;
    }

    /// The power of ten of the first digit.
    int magnitude()
    {
        static constexpr std::array<int, 10> kEdges = {-130, -129, -128, -39, -2, -1, 0, 1, 124, 125};
        return below(2) == 0 ? kEdges[below(kEdges.size())] : static_cast<int>(below(256)) - 130;
    }

    /// In range; 0 now and then.
    std::string text()
    {
        if (below(50) == 0) {
            return "0";
        }
        const std::string all = digits();
        const int exponent = magnitude() - static_cast<int>(all.size()) + 1;
        return (below(2) == 0 ? "-" : "") + all + "e" + std::to_string(exponent);
    }

    Decimal next() { return Decimal::parse(text()).value(); }

private:
    std::mt19937_64 engine_;
};

} // namespace basalt::model::testing

// DynamoDB's number: 38 significant decimal digits, magnitude 1E-130 to 9.99..E+125, and 0. Exact; never binary floating
// point. Ranges and texts: the service's own, recorded in docs/COMPATIBILITY.md.
#pragma once

#include "basalt/result.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace basalt::model {

__extension__ using uint128 = unsigned __int128;

/// A value type of 32 bytes: sign, coefficient, exponent; value = sign * coefficient * 10^exponent. Kept in lowest terms
/// (no trailing zeros in the coefficient; zero has exponent 0 and no sign), so that equal values have equal members.
class Decimal {
public:
    Decimal() = default;
    explicit Decimal(std::int64_t value);

    /// Reads optional sign, decimal digits with an optional point, optional exponent; nothing else, no spaces.
    /// Errors (validation), texts as the service words them: not a number, over 38 significant digits, overflow,
    /// underflow. Zero is range-checked by its written exponent.
    static Result<Decimal> parse(std::string_view text);

    /// Plain decimal without exponent, no leading or trailing zeros, "0" for zero, "0." before fractions.
    [[nodiscard]] std::string to_string() const;
    void append_to(std::string &out) const;

    [[nodiscard]] bool is_zero() const noexcept { return coefficient_ == 0; }
    [[nodiscard]] bool is_negative() const noexcept { return negative_; }
    [[nodiscard]] uint128 coefficient() const noexcept { return coefficient_; }
    [[nodiscard]] int exponent() const noexcept { return exponent_; }

    /// By value.
    friend bool operator==(const Decimal &, const Decimal &) = default;
    [[nodiscard]] std::strong_ordering operator<=>(const Decimal &other) const noexcept;

    /// Exact sum or difference. Error (validation): the service's overflow text when the exact result is out of range or
    /// needs more than 38 digits.
    [[nodiscard]] Result<Decimal> add(const Decimal &other) const;
    [[nodiscard]] Result<Decimal> subtract(const Decimal &other) const;

    /// Bytes that DynamoDB counts: 1 + ceil(integer digits / 2) + ceil(fraction digits / 2), + 1 if negative; zero is 1.
    [[nodiscard]] std::uint32_t size_bytes() const noexcept;

private:
    uint128 coefficient_ = 0;
    std::int16_t exponent_ = 0;
    bool negative_ = false;
};

} // namespace basalt::model

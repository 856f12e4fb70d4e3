// DynamoDB's number: 38 significant decimal digits, magnitude 1E-130 to 9.99..E+125, and 0. Exact; never binary
// floating point. Ranges and texts: the service's own, recorded in docs/COMPATIBILITY.md.
#pragma once

#include "basalt/result.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace basalt::model {

__extension__ using uint128 = unsigned __int128;

/// A value type of 32 bytes: sign, coefficient, exponent; value = sign * coefficient * 10^exponent. Kept in lowest
/// terms (no trailing zeros in the coefficient; zero has exponent 0 and no sign), so that equal values have equal
/// members.
class Decimal {
public:
    static constexpr int kMaxDigits = 38;
    /// Powers of ten of the first significant digit.
    static constexpr int kMinMagnitude = -130;
    static constexpr int kMaxMagnitude = 125;
    /// The longest canonical text: a sign, "0." and 167 digits.
    static constexpr std::size_t kMaxTextBytes = 170;

    Decimal() = default;
    explicit Decimal(std::int64_t value);

    /// sign * coefficient * 10^exponent, exactly. Errors (validation): overflow or underflow text when out of range,
    /// the overflow text when over 38 digits.
    static Result<Decimal> from_parts(bool negative, uint128 coefficient, std::int64_t exponent);

    /// Reads optional sign, decimal digits with an optional point, optional exponent; nothing else, no spaces.
    /// Errors (validation), texts as the service words them: not a number, overflow, underflow, over 38 significant
    /// digits; the first that applies. Zero is range-checked by the exponent of its last written digit (0e126 is over,
    /// 0.0e126 is not). Linear in the length of the text.
    static Result<Decimal> parse(std::string_view text);

    /// Plain decimal without exponent, no leading or trailing zeros, "0" for zero, "0." before fractions.
    [[nodiscard]] std::string to_string() const;
    void append_to(std::string &out) const;
    /// The same into a buffer with room for kMaxTextBytes; returns the length.
    std::size_t write_text(char *out) const noexcept;
    /// The digits of the coefficient, most significant first, into a buffer with room for kMaxDigits; returns their
    /// number. Zero has one digit, 0.
    std::size_t write_digits(char *out) const noexcept;

    [[nodiscard]] bool is_zero() const noexcept { return coefficient_ == 0; }
    [[nodiscard]] bool is_negative() const noexcept { return negative_; }
    [[nodiscard]] uint128 coefficient() const noexcept { return coefficient_; }
    [[nodiscard]] int exponent() const noexcept { return exponent_; }
    /// The power of ten of the first significant digit; 0 for zero.
    [[nodiscard]] int magnitude() const noexcept;

    /// By value.
    friend bool operator==(const Decimal &, const Decimal &) = default;
    [[nodiscard]] std::strong_ordering operator<=>(const Decimal &other) const noexcept;

    /// Exact sum or difference. Error (validation): the service's overflow text when the exact result is out of range
    /// or needs more than 38 digits.
    [[nodiscard]] Result<Decimal> add(const Decimal &other) const;
    [[nodiscard]] Result<Decimal> subtract(const Decimal &other) const;

    /// Bytes that DynamoDB counts: 1 + ceil(integer digits / 2) + ceil(fraction digits / 2), + 1 if negative, where
    /// zeros at either end of the number are no digits (100 and 0.001 have one digit, 100.5 four); zero is 1.
    [[nodiscard]] std::uint32_t size_bytes() const noexcept;

private:
    static Result<void> check_magnitude(std::int64_t magnitude);
    Decimal(bool negative, uint128 coefficient, int exponent) noexcept;

    uint128 coefficient_ = 0;
    std::int16_t exponent_ = 0;
    bool negative_ = false;
};

} // namespace basalt::model

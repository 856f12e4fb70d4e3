// Arithmetic, order and text of the 38-digit number. Coefficients fit 128 bits, and so does every intermediate result.
#include "model/decimal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>

namespace basalt::model {

namespace {

constexpr std::string_view kOverflow =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
constexpr std::string_view kUnderflow =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";

constexpr auto kPowersOfTen = [] {
    std::array<uint128, Decimal::kMaxDigits + 1> powers{};
    powers[0] = 1;
    for (std::size_t i = 1; i < powers.size(); ++i) {
        powers[i] = powers[i - 1] * 10;
    }
    return powers;
}();

// 10^19 is the largest power of ten below 2^64.
constexpr std::uint64_t kLimb = 10'000'000'000'000'000'000U;
constexpr int kLimbDigits = 19;

int bit_width(uint128 value)
{
    const auto high = static_cast<std::uint64_t>(value >> 64U);
    const auto low = static_cast<std::uint64_t>(value);
    return high != 0 ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll(low | 1U);
}

// value < 10^38. 1233 / 4096 is log10(2), close enough for 128 bits.
int digit_count(uint128 value)
{
    const int guess = (bit_width(value) * 1233) >> 12;
    return guess + (value >= kPowersOfTen[static_cast<std::size_t>(guess)] ? 1 : 0);
}

// Moves the coefficient's trailing zeros into the exponent; value is not 0.
template <typename Unsigned>
Unsigned strip_zeros(Unsigned value, std::int64_t &exponent)
{
    for (int step = sizeof(Unsigned) > 8 ? 32 : 16; step != 0; step /= 2) {
        const auto power = static_cast<Unsigned>(kPowersOfTen[static_cast<std::size_t>(step)]);
        if (value % power == 0) {
            value /= power;
            exponent += step;
        }
    }
    return value;
}

} // namespace

Decimal::Decimal(bool negative, uint128 coefficient, int exponent) noexcept
    : coefficient_(coefficient),
      exponent_(static_cast<std::int16_t>(exponent)),
      negative_(negative)
{}

Decimal::Decimal(std::int64_t value)
    : negative_(value < 0)
{
    const auto bits = static_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = negative_ ? ~bits + 1 : bits;
    if (magnitude != 0) {
        std::int64_t exponent = 0;
        coefficient_ = strip_zeros(magnitude, exponent);
        exponent_ = static_cast<std::int16_t>(exponent);
    }
}

Result<void> Decimal::check_magnitude(std::int64_t magnitude)
{
    if (magnitude > kMaxMagnitude) {
        return fail(ErrorCode::validation, std::string(kOverflow));
    }
    if (magnitude < kMinMagnitude) {
        return fail(ErrorCode::validation, std::string(kUnderflow));
    }
    return {};
}

Result<Decimal> Decimal::from_parts(bool negative, uint128 coefficient, std::int64_t exponent)
{
    if (coefficient == 0) {
        return Decimal();
    }
    // Far enough from the ends of the type that the steps below cannot wrap, far enough from 0 to stay out of range.
    exponent = std::clamp<std::int64_t>(exponent, -100'000, 100'000);
    if (coefficient <= std::numeric_limits<std::uint64_t>::max()) {
        coefficient = strip_zeros(static_cast<std::uint64_t>(coefficient), exponent);
    } else if (static_cast<std::uint64_t>(coefficient) % 2 == 0) {
        coefficient = strip_zeros(coefficient, exponent);
    }
    if (coefficient >= kPowersOfTen[kMaxDigits]) {
        return fail(ErrorCode::validation, std::string(kOverflow));
    }
    if (auto in_range = check_magnitude(exponent + digit_count(coefficient) - 1); !in_range) {
        return fail(std::move(in_range).error());
    }
    return Decimal(negative, coefficient, static_cast<int>(exponent));
}

std::size_t Decimal::write_digits(char *out) const noexcept
{
    char *at = out;
    auto low = static_cast<std::uint64_t>(coefficient_);
    if (coefficient_ > std::numeric_limits<std::uint64_t>::max()) {
        const auto high = static_cast<std::uint64_t>(coefficient_ / kLimb);
        low = static_cast<std::uint64_t>(coefficient_ % kLimb);
        at = std::to_chars(at, at + kLimbDigits, high).ptr;
        for (int i = kLimbDigits - 1; i >= 0; --i) {
            at[i] = static_cast<char>('0' + low % 10);
            low /= 10;
        }
        return static_cast<std::size_t>(at - out) + kLimbDigits;
    }
    return static_cast<std::size_t>(std::to_chars(at, at + kMaxDigits, low).ptr - out);
}

std::size_t Decimal::write_text(char *out) const noexcept
{
    std::array<char, kMaxDigits> digits;
    const std::size_t count = write_digits(digits.data());
    char *at = out;
    const auto put = [&at](const char *bytes, std::size_t length) {
        std::memcpy(at, bytes, length);
        at += length;
    };
    const auto put_zeros = [&at](std::size_t length) {
        std::memset(at, '0', length);
        at += length;
    };
    if (negative_) {
        *at++ = '-';
    }
    if (exponent_ >= 0) {
        put(digits.data(), count);
        put_zeros(static_cast<std::size_t>(exponent_));
        return static_cast<std::size_t>(at - out);
    }
    const auto fraction = static_cast<std::size_t>(-exponent_);
    if (count > fraction) {
        put(digits.data(), count - fraction);
        *at++ = '.';
        put(digits.data() + (count - fraction), fraction);
    } else {
        put("0.", 2);
        put_zeros(fraction - count);
        put(digits.data(), count);
    }
    return static_cast<std::size_t>(at - out);
}

std::string Decimal::to_string() const
{
    std::array<char, kMaxTextBytes> text;
    return std::string(text.data(), write_text(text.data()));
}

void Decimal::append_to(std::string &out) const
{
    std::array<char, kMaxTextBytes> text;
    out.append(text.data(), write_text(text.data()));
}

int Decimal::magnitude() const noexcept
{
    return is_zero() ? 0 : exponent_ + digit_count(coefficient_) - 1;
}

std::strong_ordering Decimal::operator<=>(const Decimal &other) const noexcept
{
    const auto sign = [](const Decimal &value) { return value.is_zero() ? 0 : value.negative_ ? -1 : 1; };
    const int own_sign = sign(*this);
    if (const auto order = own_sign <=> sign(other); order != 0 || own_sign == 0) {
        return order;
    }
    const Decimal &small = own_sign > 0 ? *this : other;
    const Decimal &large = own_sign > 0 ? other : *this;
    if (const auto order = small.magnitude() <=> large.magnitude(); order != 0) {
        return order;
    }
    // Equal magnitudes: scaled to one exponent, both stay below 10^38.
    const int shift = small.exponent_ - large.exponent_;
    uint128 left = small.coefficient_;
    uint128 right = large.coefficient_;
    if (shift > 0) {
        left *= kPowersOfTen[static_cast<std::size_t>(shift)];
    } else {
        right *= kPowersOfTen[static_cast<std::size_t>(-shift)];
    }
    return left <=> right;
}

namespace {

/// The service has one text for every result that it cannot store, too small ones too.
Result<Decimal> result_of(Result<Decimal> exact)
{
    if (exact) {
        return exact;
    }
    return fail(ErrorCode::validation, std::string(kOverflow));
}

} // namespace

Result<Decimal> Decimal::add(const Decimal &other) const
{
    if (is_zero() || other.is_zero()) {
        return is_zero() ? other : *this;
    }
    const Decimal &coarse = exponent_ >= other.exponent_ ? *this : other;
    const Decimal &fine = exponent_ >= other.exponent_ ? other : *this;
    // The last digit of the finer number is not 0, so with different exponents the result ends there. A coarser number
    // that does not fit 128 bits when scaled is at least 2^128 > 3 * 10^38, and no finer one brings it to 38 digits.
    const int shift = coarse.exponent_ - fine.exponent_;
    uint128 sum = 0;
    if (shift > kMaxDigits ||
        __builtin_mul_overflow(coarse.coefficient_, kPowersOfTen[static_cast<std::size_t>(shift)], &sum)) {
        return fail(ErrorCode::validation, std::string(kOverflow));
    }
    if (coarse.negative_ == fine.negative_) {
        if (__builtin_add_overflow(sum, fine.coefficient_, &sum)) {
            return fail(ErrorCode::validation, std::string(kOverflow));
        }
        return result_of(from_parts(coarse.negative_, sum, fine.exponent_));
    }
    const bool flips = sum < fine.coefficient_;
    const uint128 difference = flips ? fine.coefficient_ - sum : sum - fine.coefficient_;
    return result_of(from_parts(flips ? fine.negative_ : coarse.negative_, difference, fine.exponent_));
}

Result<Decimal> Decimal::subtract(const Decimal &other) const
{
    return add(Decimal(!other.negative_ && !other.is_zero(), other.coefficient_, other.exponent_));
}

std::uint32_t Decimal::size_bytes() const noexcept
{
    if (is_zero()) {
        return 1;
    }
    const int digits = digit_count(coefficient_);
    const int fraction = exponent_ < 0 ? std::min<int>(digits, -exponent_) : 0;
    const int integer = digits - fraction;
    return static_cast<std::uint32_t>(1 + (integer + 1) / 2 + (fraction + 1) / 2 + (negative_ ? 1 : 0));
}

} // namespace basalt::model

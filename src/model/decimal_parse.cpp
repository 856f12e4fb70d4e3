// Reads the text of a number: one pass over the digits, however many, and then the service's rules in its order.
#include "model/decimal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace basalt::model {

namespace {

constexpr std::string_view kNotANumber = "The parameter cannot be converted to a numeric value";
constexpr std::string_view kTooManyDigits = "Attempting to store more than 38 significant digits in a Number";

constexpr auto kPowersOfTen = [] {
    std::array<std::uint64_t, 20> powers{};
    powers[0] = 1;
    for (std::size_t i = 1; i < powers.size(); ++i) {
        powers[i] = powers[i - 1] * 10;
    }
    return powers;
}();

struct Mantissa {
    uint128 coefficient = 0;         // without leading and trailing zeros; meaningless beyond kMaxDigits
    std::int64_t significant = 0;    // digits from the first to the last that is not 0
    std::int64_t written = 0;        // all digits
    std::int64_t fraction = 0;       // those behind the point
    std::int64_t trailing_zeros = 0; // behind the last digit that is not 0

    void append_digit(unsigned digit)
    {
        ++written;
        if (digit == 0) {
            trailing_zeros += significant != 0 ? 1 : 0;
            return;
        }
        std::int64_t shift = trailing_zeros + 1;
        trailing_zeros = 0;
        significant += shift;
        if (significant > Decimal::kMaxDigits) {
            return;
        }
        for (; shift >= 20; shift -= 19) {
            coefficient *= kPowersOfTen[19];
        }
        coefficient = coefficient * kPowersOfTen[static_cast<std::size_t>(shift)] + digit;
    }
};

// Digits with at most one point among them; stops at anything else.
const char *scan_mantissa(const char *at, const char *end, Mantissa &mantissa)
{
    bool behind_point = false;
    for (; at != end; ++at) {
        const auto digit = static_cast<unsigned>(static_cast<unsigned char>(*at)) - '0';
        if (digit <= 9) {
            mantissa.append_digit(digit);
            mantissa.fraction += behind_point ? 1 : 0;
        } else if (*at == '.' && !behind_point) {
            behind_point = true;
        } else {
            break;
        }
    }
    return at;
}

// An optional sign and the digits of a 64-bit integer, up to the end.
bool scan_exponent(const char *at, const char *end, std::int64_t &exponent)
{
    if (at != end && *at == '+') {
        ++at;
        if (at != end && *at == '-') {
            return false;
        }
    }
    const auto [stop, error] = std::from_chars(at, end, exponent);
    return error == std::errc() && stop == end;
}

bool scan_number(std::string_view text, bool &negative, Mantissa &mantissa, std::int64_t &exponent)
{
    const char *at = text.data();
    const char *const end = at + text.size();
    negative = *at == '-';
    if (*at == '-' || *at == '+') {
        ++at;
    }
    at = scan_mantissa(at, end, mantissa);
    if (mantissa.written == 0) {
        return false;
    }
    if (at == end) {
        return true;
    }
    return (*at == 'e' || *at == 'E') && scan_exponent(at + 1, end, exponent);
}

} // namespace

Result<Decimal> Decimal::parse(std::string_view text)
{
    bool negative = false;
    Mantissa mantissa;
    std::int64_t exponent = 0;
    if (text.empty()) {
        return fail(ErrorCode::validation, std::string(kNotANumber));
    }
    if (!scan_number(text, negative, mantissa, exponent)) {
        return fail(ErrorCode::validation, std::string(kNotANumber).append(": ").append(text));
    }
    // No text is long enough to bring such an exponent back into range, and none makes the sums below wrap.
    constexpr std::int64_t kFar = std::int64_t{1} << 61;
    exponent = std::clamp(exponent, -kFar, kFar) - mantissa.fraction + mantissa.trailing_zeros;
    if (mantissa.significant == 0) {
        if (auto in_range = check_magnitude(exponent); !in_range) {
            return fail(std::move(in_range).error());
        }
        return Decimal();
    }
    if (auto in_range = check_magnitude(exponent + mantissa.significant - 1); !in_range) {
        return fail(std::move(in_range).error());
    }
    if (mantissa.significant > kMaxDigits) {
        return fail(ErrorCode::validation, std::string(kTooManyDigits));
    }
    return Decimal(negative, mantissa.coefficient, static_cast<int>(exponent));
}

} // namespace basalt::model

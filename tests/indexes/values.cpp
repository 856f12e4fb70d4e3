#include "indexes/values.h"

#include <array>
#include <cstdlib>
#include <string_view>

namespace basalt::indexes {
namespace {

const std::vector<std::string> &pool(const std::string &type)
{
    using namespace std::string_literals;
    static const std::vector<std::string> strings{"m", "a", "ab", "\0x"s, "Z", "\u00e4", std::string(300, 'q')};
    // Far enough apart for a double to tell them from each other.
    static const std::vector<std::string> numbers{"1", "0", "-1", "10", "9", "0.5", "-0.25", "100000000000000000000"};
    static const std::vector<std::string> bytes{"YQ==", "AA==", "AAA=", "AP8=", "/w==", "YQBi"};
    return type == "S" ? strings : type == "N" ? numbers : bytes;
}

std::string decoded(std::string_view base64)
{
    static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char digit : base64) {
        if (digit == '=') {
            break;
        }
        bits = (bits << 6U) | static_cast<std::uint32_t>(kDigits.find(digit));
        count += 6;
        if (count >= 8) {
            count -= 8;
            out.push_back(static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xFFU));
        }
    }
    return out;
}

std::string bytes_of(const Json &value)
{
    const auto &text = value.begin()->get_ref<const std::string &>();
    return value.begin().key() == "B" ? decoded(text) : text;
}

} // namespace

Json key_value(Random &random, const std::string &type)
{
    const auto &values = pool(type);
    return {{type, random.percent(50) ? values.front() : random.one_of(values)}};
}

Json any_value(Random &random)
{
    static const std::array<const char *, 3> kKeyTypes{"S", "N", "B"};
    switch (random.below(8)) {
    case 0:
        return {{"S", ""}};
    case 1:
        return {{"S", std::string(random.percent(50) ? 1025 : 2049, 'l')}};
    case 2:
        return {{"BOOL", random.percent(50)}};
    case 3:
        return {{"M", {{"inner", {{"L", {{{"N", "7"}}, {{"NULL", true}}}}}}}}};
    case 4:
        return {{"SS", {"only"}}};
    default:
        return key_value(random, kKeyTypes[random.below(kKeyTypes.size())]);
    }
}

std::size_t key_bytes(const Json &value)
{
    return value.begin().key() == "N" ? 21 : bytes_of(value).size();
}

int compare_keys(const Json &left, const Json &right)
{
    if (left.begin().key() == "N") {
        const auto number = [](const Json &value) {
            return std::strtod(value.begin()->get_ref<const std::string &>().c_str(), nullptr);
        };
        const double a = number(left);
        const double b = number(right);
        return a < b ? -1 : a > b ? 1 : 0;
    }
    return bytes_of(left).compare(bytes_of(right)); // as unsigned bytes
}

} // namespace basalt::indexes

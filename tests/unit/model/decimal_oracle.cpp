// Answers decimal_against_python.py: one case a line on standard input, one answer a line on standard output.
//
//   p a     canonical text and size in bytes
//   c a b   -1, 0 or 1
//   + a b   a + b          - a b   a - b
//
// An operation that fails answers "! " and its message, that of the first operand that does not parse before all
// others.
#include "model/decimal.h"

#include <iostream>
#include <string>
#include <string_view>

namespace {

using basalt::Result;
using basalt::model::Decimal;

std::string print(const Result<Decimal> &result)
{
    return result ? result->to_string() : "! " + result.error().message;
}

std::string answer(char operation, const Decimal &left, const Decimal &right)
{
    switch (operation) {
    case 'p':
        return left.to_string() + " " + std::to_string(left.size_bytes());
    case 'c':
        return left < right ? "-1" : left > right ? "1" : "0";
    case '+':
        return print(left.add(right));
    case '-':
        return print(left.subtract(right));
    default:
        return "unknown operation";
    }
}

std::string answer_line(std::string_view line)
{
    const std::size_t first = line.find(' ');
    if (first == std::string_view::npos) {
        return "malformed line";
    }
    const std::size_t second = line.find(' ', first + 1);
    const auto left =
        Decimal::parse(line.substr(first + 1, second == std::string_view::npos ? second : second - first - 1));
    const auto right =
        second == std::string_view::npos ? Result<Decimal>(Decimal()) : Decimal::parse(line.substr(second + 1));
    if (!left || !right) {
        return print(left ? right : left);
    }
    return answer(line.front(), *left, *right);
}

} // namespace

int main()
{
    std::ios::sync_with_stdio(false);
    std::string line;
    while (std::getline(std::cin, line)) {
        std::cout << answer_line(line) << '\n';
    }
    return std::cout.flush() ? 0 : 1;
}

// The words that DynamoDB does not accept as attribute names in an expression without a placeholder.
#pragma once

#include <cstddef>
#include <string_view>

namespace basalt::expression {

inline constexpr std::size_t kReservedWordCount = 573;

/// In any case.
[[nodiscard]] bool is_reserved_word(std::string_view name) noexcept;

} // namespace basalt::expression

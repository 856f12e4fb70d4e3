// The kinds of expressions, and the errors that name them.
#pragma once

#include "basalt/error.h"

#include <cstdint>
#include <string_view>

namespace basalt::expression {

enum class ExpressionKind : std::uint8_t { condition, filter, key_condition, update, projection };

/// A validation error: "Invalid <kind's request member>: " and the text.
[[nodiscard]] Error invalid_expression(ExpressionKind kind, std::string_view text);

} // namespace basalt::expression

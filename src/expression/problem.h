// Texts of what is wrong in an expression, without the prefix that names the expression.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace basalt::expression {

/// Nothing if all is well.
using Problem = std::optional<std::string>;

[[nodiscard]] std::string problem_text(std::initializer_list<std::string_view> parts);

// operation: an operator or function as messages name it.
[[nodiscard]] std::string incorrect_operand_type(std::string_view operation, std::string_view type);
[[nodiscard]] std::string document_path_required(std::string_view operation);

} // namespace basalt::expression

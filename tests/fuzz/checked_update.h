// What holds for every update, wherever it comes from, once it is applied to the sample items.
#pragma once

#include "expression/update.h"

#include <string_view>

namespace basalt::fuzz {

/// Applies both to every sample item: an error with a text or a well-formed item, the same from both, that differs from
/// the old one only in the attributes that the update names. Aborts when it does not hold. text: that of the
/// expression.
void check_update(const expression::Update &update, const expression::Update &again, std::string_view text);

} // namespace basalt::fuzz

// The view type for stored and transmitted bytes.
#pragma once

#include <string_view>

namespace basalt {

/// Not necessarily text. Compares as unsigned bytes.
using Bytes = std::string_view;

} // namespace basalt

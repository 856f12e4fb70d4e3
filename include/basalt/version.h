// The version of the library and of the on-disk format.
#pragma once

#include <cstdint>
#include <string_view>

namespace basalt {

inline constexpr std::string_view kVersion = "0.0.1";

/// Written into the file BASALT beside the data. Until 0.1.0 a build opens no other format than its own.
inline constexpr std::uint32_t kFormatVersion = 4;

} // namespace basalt

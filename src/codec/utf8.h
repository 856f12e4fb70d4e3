// Well-formed UTF-8.
#pragma once

#include "base/bytes.h"

namespace basalt::codec {

/// Whether bytes are UTF-8 as Unicode defines it: shortest forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(Bytes bytes) noexcept;

} // namespace basalt::codec

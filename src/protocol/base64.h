// Base64 with the standard alphabet and padding, as strict as the service.
#pragma once

#include "base/bytes.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace basalt::protocol {

/// Appends the encoded form.
void append_base64(Bytes bytes, std::string &out);

enum class Base64Fault {
    none,
    length,    // not a multiple of four characters
    character, // a character outside the alphabet, misplaced padding, or bits behind the last byte that are not zero
};

/// Appends the bytes that text stands for; out may have grown by some of them when a fault is found.
[[nodiscard]] Base64Fault append_decoded_base64(std::string_view text, std::string &out);

} // namespace basalt::protocol

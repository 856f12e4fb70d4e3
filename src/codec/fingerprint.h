// 128 bits that stand for a value whatever the order of its attributes and set members. Stored: the same in every
// process.
#pragma once

#include "base/bytes.h"
#include "model/item_view.h"

#include <array>
#include <cstdint>
#include <string>

namespace basalt::codec {

using Fingerprint = std::array<std::uint64_t, 2>;

/// Appends the value in a form that is equal for equal values: maps by name, sets by member. No form begins another.
void append_canonical(model::ValueView value, std::string &out);
void append_canonical(model::MapView attributes, std::string &out);

/// MD5 of salt and bytes, its halves read as big-endian numbers.
[[nodiscard]] Fingerprint fingerprint(Bytes salt, Bytes bytes);

} // namespace basalt::codec

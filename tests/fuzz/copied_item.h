// Copies encoded items through the views and the writer, which must give back the very same bytes.
#pragma once

#include "codec/item_encoding.h"
#include "model/item_view.h"

#include <string>

namespace basalt::fuzz {

/// The item written again, value by value. Recursion follows the nesting of the item.
[[nodiscard]] std::string copied(model::ItemView item);

/// Writes one value again, member by member.
void copy_value(model::ValueView value, codec::ItemWriter &writer);

/// An item with that one attribute.
[[nodiscard]] std::string item_of(std::string_view name, model::ValueView value);

} // namespace basalt::fuzz

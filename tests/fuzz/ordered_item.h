// Items made by an input, which steers the writer.
#pragma once

#include "fuzz/orders.h"

#include <string>

namespace basalt::fuzz {

/// Whatever the orders are, the calls are ones that ItemWriter allows, and the item is one that may be stored.
[[nodiscard]] std::string ordered_item(Orders &orders);

} // namespace basalt::fuzz

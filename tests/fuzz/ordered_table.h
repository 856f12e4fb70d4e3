// Table descriptions made by an input.
#pragma once

#include "fuzz/orders.h"
#include "model/table_description.h"

namespace basalt::fuzz {

/// One that the catalog may hold, as far as its encoding tells; its names and numbers need not make sense.
[[nodiscard]] model::TableDescription ordered_table(Orders &orders);

} // namespace basalt::fuzz

// Reads a whole index in every way there is and compares it with the entries that it has to have.
#pragma once

#include "basalt/database.h"
#include "indexes/writes.h"

#include <string>

namespace basalt::indexes {

/// What is wrong with the index, which must be active; empty if nothing is. Scan, and Query of its partitions forwards
/// and backwards, also with conditions on the sort key, in pages of random sizes.
[[nodiscard]] std::string compare_index(Database &database, Random &random, const TableShape &table,
                                        const IndexShape &index, const Items &items);

/// The same for one random partition.
[[nodiscard]] std::string compare_partition(Database &database, Random &random, const TableShape &table,
                                            const IndexShape &index, const Items &items);

/// What is wrong with the table itself.
[[nodiscard]] std::string compare_table(Database &database, Random &random, const TableShape &table,
                                        const Items &items);

} // namespace basalt::indexes

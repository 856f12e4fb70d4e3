// The threads that work on the items of one database and write down what they did and saw.
#pragma once

#include "basalt/database.h"
#include "linearizability/shared_log.h"

namespace basalt::linearizability {

/// Reads all items, lets the clients do their operations at the same time, and reads all items again. Transactions with
/// a token that an earlier call was killed in are sent again by their clients first. Whatever goes wrong becomes the
/// log's complaint.
void run_clients(Database &database, SharedLog &log);

} // namespace basalt::linearizability

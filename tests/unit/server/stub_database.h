// Stands in for the database at link time, so that the server is tested without one: each test says how calls are
// answered.
#pragma once

#include "basalt/database.h"

#include <functional>
#include <memory>

namespace basalt::server {

/// Answers one call, at once or later, on any thread.
using CallHandler = std::function<void(const Request &, Completion &)>;

[[nodiscard]] std::unique_ptr<Database> stub_database(CallHandler handler);

} // namespace basalt::server

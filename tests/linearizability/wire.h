// Operations as requests, and what the replies tell of them.
#pragma once

#include "basalt/database.h"
#include "linearizability/history.h"

#include <string>
#include <string_view>

namespace basalt::linearizability {

struct WireRequest {
    std::string target;
    std::string body;
};

/// The requests that create the tables: one of hash keys alone, and one with a local index whose rows move with every
/// update.
[[nodiscard]] std::vector<WireRequest> create_requests();

/// A planned operation always gives the same request. `token` is used if the operation has one.
[[nodiscard]] WireRequest request_of(const Operation &planned, std::string_view token);

/// The operation with its outcome and what the reply showed. Throws std::runtime_error on a reply that a sound
/// database cannot give.
[[nodiscard]] Operation observe(const Operation &planned, const Response &response);

} // namespace basalt::linearizability

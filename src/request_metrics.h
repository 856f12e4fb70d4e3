// What is counted of requests: how many of each operation with which end, and how many of each error.
#pragma once

#include "basalt/error.h"
#include "operations/operation.h"

#include <cstddef>

namespace basalt {

/// Which operation a request is counted under; null: none that exists.
[[nodiscard]] std::size_t counted_as(const operations::Operation *operation) noexcept;

void count_request(std::size_t counted_as, int http_status) noexcept;
/// An error on its way to a client.
void count_error(ErrorCode code) noexcept;

} // namespace basalt

// A second backend of the storage contract, for tests: in memory, one big lock, deliberately awkward wherever the
// contract leaves a backend free.
#pragma once

#include "storage/store.h"

#include <memory>

namespace basalt::storage {

/// Blocks; runs each body twice and discards the first run; is durable when it returns (ticket 0); every
/// third call with Wait::never is refused with would_block, in the middle of its body where it reads; bytes that a body
/// may no longer use are freed at once, so that a sanitizer sees whoever does.
[[nodiscard]] std::unique_ptr<Store> make_toy_store();

} // namespace basalt::storage

// One attempt of an operation: from the bytes of a request to the bytes of its response.
#pragma once

#include "basalt/database.h"
#include "operations/operation.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace basalt {

/// What one attempt came to.
struct Attempt {
    Response response;
    /// Covers everything that the response tells.
    storage::Ticket ticket;
    /// Nothing happened: run it again where waiting is allowed.
    bool would_block = false;
    /// Nothing happened: run it again when that is reached.
    std::optional<engine::IndexPosition> awaited = {};
    /// See request_metrics.h.
    std::size_t counted_as = 0;
};

/// Whether reads of global indexes are told to wait for the position that they have to see.
enum class IndexWait : std::uint8_t { awaited, not_awaited };

/// Runs on this thread from start to end.
[[nodiscard]] Attempt run_attempt(const operations::Context &context, const Request &request, storage::Wait wait,
                                  IndexWait indexes) noexcept;

/// Decoding takes as long as many small requests do: left to the workers.
[[nodiscard]] bool is_large(const Request &request) noexcept;

/// Counts the error.
[[nodiscard]] Response error_response(const Error &error);
[[nodiscard]] Response internal_error();
/// Needs no memory. A write that this answers may have been made, as after any InternalServerError.
[[nodiscard]] Response out_of_memory();

} // namespace basalt

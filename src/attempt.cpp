#include "attempt.h"

#include "base/log.h"
#include "protocol/document.h"
#include "protocol/error_table.h"
#include "request_metrics.h"

#include <array>
#include <memory>
#include <memory_resource>
#include <new>
#include <utility>

namespace basalt {
namespace {

/// Request trees are small next to their attribute values; what does not fit here is taken from the heap.
constexpr std::size_t kArenaBytes = std::size_t{32} << 10;

/// Parsing takes about fourteen times the body: a thread does not sit on that until its next request.
constexpr std::size_t kLargeBodyBytes = std::size_t{256} << 10;

/// An item of 1 KB fits without growing the buffer step by step, which costs a copy each time.
constexpr std::size_t kUsualResponseBytes = 2048;

/// Parser and arena of one thread. An attempt runs on one thread without interruption, so one of each is enough.
struct Scratch {
    protocol::JsonParser parser;
    std::array<std::byte, kArenaBytes> arena;
};

Scratch &scratch()
{
    thread_local const auto instance = std::make_unique<Scratch>();
    return *instance;
}

Attempt to_attempt(storage::Outcome outcome, std::string body)
{
    if (outcome.result) {
        return {{200, std::move(body)}, outcome.ticket};
    }
    const auto code = outcome.result.error().code;
    if (code == ErrorCode::would_block) {
        return {{}, {}, true};
    }
    if (code == ErrorCode::lock_timeout) {
        return {error_response({ErrorCode::throttling, "The item is being written by too many requests at once"}),
                outcome.ticket};
    }
    if (code == ErrorCode::corruption || code == ErrorCode::io_error || code == ErrorCode::outcome_unknown) {
        spdlog::error("a request failed: {}", outcome.result.error().message);
        return {internal_error(), outcome.ticket};
    }
    return {error_response(outcome.result.error()), outcome.ticket};
}

/// The checks in the order that clients see: JSON, target, an empty body, member types, model constraints, the
/// operation's own.
Attempt try_run(const operations::Context &context, const operations::Operation *operation, const Request &request,
                storage::Wait wait, IndexWait indexes)
{
    auto &own = scratch();
    const auto parsed = own.parser.parse(request.body, request.body_padding);
    if (!parsed && !request.body.empty()) {
        return {error_response(parsed.error()), {}};
    }
    const auto *const model = protocol::find_operation(request.target);
    if (model == nullptr || operation == nullptr) {
        return {error_response({ErrorCode::unknown_operation, ""}), {}};
    }
    if (!parsed) {
        return {error_response(parsed.error()), {}};
    }
    std::pmr::monotonic_buffer_resource arena(own.arena.data(), own.arena.size());
    auto input = own.parser.decode_input(*model, arena);
    if (!input) {
        return {error_response(input.error()), {}};
    }
    if (operation->first_check != nullptr) {
        if (auto checked = operation->first_check(context, *operation, *input); !checked) {
            return {error_response(checked.error()), {}};
        }
    }
    if (auto checked = protocol::check_constraints(*model, *input); !checked) {
        return {error_response(checked.error()), {}};
    }
    if (indexes == IndexWait::awaited && operation->awaited != nullptr) {
        if (auto position = operation->awaited(context, *input)) {
            return {{}, {}, false, std::move(position)};
        }
    }
    std::string body;
    body.reserve(kUsualResponseBytes);
    auto outcome = operation->run(context, wait, *input, body);
    return to_attempt(std::move(outcome), std::move(body));
}

} // namespace

Attempt run_attempt(const operations::Context &context, const Request &request, storage::Wait wait,
                    IndexWait indexes) noexcept
{
    const auto *const operation = operations::find_operation(request.target);
    Attempt attempt;
    try {
        attempt = try_run(context, operation, request, wait, indexes);
        if (is_large(request)) {
            scratch().parser.release_large_buffers();
        }
    } catch (const std::bad_alloc &) {
        attempt = {out_of_memory(), {}};
    } catch (const std::exception &exception) {
        spdlog::error("a request failed: {}", exception.what());
        attempt = {internal_error(), {}};
    }
    attempt.counted_as = counted_as(operation);
    return attempt;
}

bool is_large(const Request &request) noexcept
{
    return request.body.size() > kLargeBodyBytes;
}

Response error_response(const Error &error)
{
    count_error(error.code);
    return {protocol::error_wire(error.code).status, protocol::encode_error(error)};
}

Response internal_error()
{
    return error_response({ErrorCode::internal_server_error, "Internal server error"});
}

Response out_of_memory()
{
    return {500, {}};
}

} // namespace basalt

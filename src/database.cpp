// Implements include/basalt/database.h over the modules: one attempt of an operation, its repetition on the worker pool
// when it would block, and the wait for durability.
#include "basalt/database.h"

#include "base/worker_pool.h"
#include "database_parts.h"
#include "engine/engine.h"
#include "expression/syntax_cache.h"
#include "operations/operation.h"
#include "protocol/document.h"
#include "protocol/error_table.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <spdlog/spdlog.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory_resource>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace basalt {
namespace {

/// Request trees are small next to their attribute values; what does not fit here is taken from the heap.
constexpr std::size_t kArenaBytes = std::size_t{32} << 10;

/// Bodies over this size are left to the workers. Parsing takes about fourteen times the body: a thread does not sit on
/// that until its next request.
constexpr std::size_t kLargeBodyBytes = std::size_t{256} << 10;

/// An item of 1 KB fits without growing the buffer step by step, which costs a copy each time.
constexpr std::size_t kUsualResponseBytes = 2048;

/// Room for several thousand expressions of usual length with their trees.
constexpr std::size_t kExpressionCacheBytes = std::size_t{4} << 20;

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

Response error_response(const Error &error)
{
    return {protocol::error_wire(error.code).status, protocol::encode_error(error)};
}

Response internal_error()
{
    return error_response({ErrorCode::internal_server_error, "Internal server error"});
}

/// Needs no memory. A write that this answers may have been made, as after any InternalServerError.
Response out_of_memory()
{
    return {500, {}};
}

/// What one attempt came to.
struct Attempt {
    Response response;
    storage::Ticket ticket;
    bool would_block = false;
};

Attempt to_attempt(storage::Outcome outcome, std::string body)
{
    if (outcome.result) {
        return {{200, std::move(body)}, outcome.ticket};
    }
    if (outcome.result.error().code == ErrorCode::would_block) {
        return {{}, {}, true};
    }
    const auto code = outcome.result.error().code;
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

/// Waits for the one response of the blocking call.
class BlockingCompletion final : public Completion {
public:
    void complete(Response response) noexcept override
    {
        // Notified under the lock: the waiting thread destroys this object as soon as it sees the response.
        const std::lock_guard lock(mutex_);
        response_ = std::move(response);
        wakes_.notify_one();
    }
    Response wait()
    {
        std::unique_lock lock(mutex_);
        wakes_.wait(lock, [this] { return response_.has_value(); });
        return std::move(*response_);
    }

private:
    std::mutex mutex_;
    std::condition_variable wakes_;
    std::optional<Response> response_;
};

/// A finished response whose ticket is not durable yet.
class HeldResponse final : public storage::Waiter {
public:
    HeldResponse(Response response, Completion &completion)
        : response_(std::move(response)),
          completion_(completion)
    {}
    void ready(const Result<void> &result) noexcept override
    {
        const std::unique_ptr<HeldResponse> self(this);
        completion_.complete(result ? std::move(response_) : internal_error());
    }

private:
    Response response_;
    Completion &completion_;
};

} // namespace

class Database::Impl {
public:
    Impl(const Options &options, DatabaseParts parts)
        : parts_(std::move(parts)),
          engine_(*parts_.store, *parts_.clock, *parts_.random,
                  {options.table_transition_ms, options.item_collection_limit_bytes}),
          expressions_(kExpressionCacheBytes),
          context_{engine_, expressions_, options.region, options.account_id},
          workers_(options.worker_threads, options.worker_queue_limit)
    {}

    Result<void> load() { return engine_.load(); }

    void call(const Request &request, Completion &completion) noexcept
    {
        // Decoding a large body takes as long as many small requests.
        if (request.body.size() <= kLargeBodyBytes) {
            auto attempt = run(request, storage::Wait::never);
            if (!attempt.would_block) {
                finish(std::move(attempt), completion);
                return;
            }
        }
        bool queued = false;
        try {
            queued = workers_.submit([this, request, &completion] { run_again(request, completion); });
        } catch (const std::bad_alloc &) {
            completion.complete(out_of_memory());
            return;
        }
        if (!queued) {
            completion.complete(closed_.load()
                                    ? internal_error()
                                    : error_response({ErrorCode::throttling, "Too many requests are waiting"}));
        }
    }

    void close()
    {
        if (closed_.exchange(true)) {
            return;
        }
        workers_.stop();
        parts_.store->close();
    }

private:
    /// On a worker thread, where waiting is allowed.
    void run_again(const Request &request, Completion &completion) noexcept
    {
        if (closed_.load()) {
            completion.complete(internal_error()); // whoever closes does not wait for a queue of slow attempts
            return;
        }
        auto attempt = run(request, storage::Wait::allowed);
        if (attempt.would_block) {
            spdlog::error("an operation that may wait said that it would block");
            attempt = {internal_error(), {}};
        }
        finish(std::move(attempt), completion);
    }

    /// The checks in the order that clients see: JSON, target, an empty body, member types, model constraints, the
    /// operation's own.
    Attempt try_run(const Request &request, storage::Wait wait)
    {
        auto &own = scratch();
        const auto parsed = own.parser.parse(request.body, request.body_padding);
        if (!parsed && !request.body.empty()) {
            return {error_response(parsed.error()), {}};
        }
        const auto *const model = protocol::find_operation(request.target);
        const auto *const operation = operations::find_operation(request.target);
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
            if (auto checked = operation->first_check(context_, *operation, *input); !checked) {
                return {error_response(checked.error()), {}};
            }
        }
        if (auto checked = protocol::check_constraints(*model, *input); !checked) {
            return {error_response(checked.error()), {}};
        }
        std::string body;
        body.reserve(kUsualResponseBytes);
        auto outcome = operation->run(context_, wait, *input, body);
        return to_attempt(std::move(outcome), std::move(body));
    }

    Attempt run(const Request &request, storage::Wait wait) noexcept
    {
        try {
            auto attempt = try_run(request, wait);
            if (request.body.size() > kLargeBodyBytes) {
                scratch().parser.release_large_buffers();
            }
            return attempt;
        } catch (const std::bad_alloc &) {
            return {out_of_memory(), {}};
        } catch (const std::exception &exception) {
            spdlog::error("a request failed: {}", exception.what());
            return {internal_error(), {}};
        }
    }

    void finish(Attempt attempt, Completion &completion) noexcept
    {
        switch (parts_.store->durability(attempt.ticket)) {
        case storage::Durability::durable:
            completion.complete(std::move(attempt.response));
            return;
        case storage::Durability::failed:
            completion.complete(internal_error());
            return;
        case storage::Durability::pending:
            break;
        }
        auto *const held = new (std::nothrow) HeldResponse(std::move(attempt.response), completion);
        if (held == nullptr) {
            completion.complete(out_of_memory());
            return;
        }
        parts_.store->when_durable(attempt.ticket, *held); // deletes itself
    }

    DatabaseParts parts_;
    engine::Engine engine_;
    expression::SyntaxCache expressions_;
    operations::Context context_;
    std::atomic<bool> closed_ = false;
    WorkerPool workers_; // last: its jobs use everything above
};

Database::Database(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl))
{}

Database::~Database()
{
    close();
}

Result<std::unique_ptr<Database>> open_over(Options options, DatabaseParts parts)
{
    return DatabaseAccess::open(std::move(options), std::move(parts));
}

Result<std::unique_ptr<Database>> DatabaseAccess::open(Options options, DatabaseParts parts)
{
    if (options.worker_threads < 1 || options.worker_queue_limit < 1 || options.table_transition_ms < 0 ||
        options.transaction_lock_ms < 0) {
        return fail(ErrorCode::invalid_options, "a database needs at least one worker thread and a place in its queue, "
                                                "and neither transitions nor waits for items can last less than 0 ms");
    }
    auto impl = std::make_unique<Database::Impl>(options, std::move(parts));
    if (auto loaded = impl->load(); !loaded) {
        impl->close();
        return fail(std::move(loaded).error());
    }
    return std::unique_ptr<Database>(new Database(std::move(impl)));
}

Result<std::unique_ptr<Database>> Database::open(Options options)
{
    storage::RocksdbOptions store_options;
    store_options.data_dir = options.data_dir;
    store_options.in_memory = options.in_memory;
    store_options.log_sync =
        options.durability == DurabilityMode::sync ? storage::LogSync::sync : storage::LogSync::async;
    store_options.lock_patience = std::chrono::milliseconds(options.transaction_lock_ms);
    // Half for the store, the rest for request bodies, responses and the threads' own buffers.
    store_options.memory_budget_bytes = options.memory_budget_bytes / 2;
    auto store = storage::open_rocksdb(std::move(store_options));
    if (!store) {
        return fail(std::move(store).error());
    }
    return open_over(std::move(options), DatabaseParts{std::move(*store), std::make_unique<SystemClock>(),
                                                       std::make_unique<SystemRandom>()});
}

void Database::call(const Request &request, Completion &completion)
{
    impl_->call(request, completion);
}

Response Database::call(const Request &request)
{
    BlockingCompletion completion;
    impl_->call(request, completion);
    return completion.wait();
}

void Database::close()
{
    impl_->close();
}

} // namespace basalt

// Implements include/basalt/database.h over the modules: the repetition of an attempt on the worker pool when it would
// block, the wait for durability, opening and closing.
#include "basalt/database.h"

#include "attempt.h"
#include "base/metrics.h"
#include "base/worker_pool.h"
#include "database_parts.h"
#include "expression/syntax_cache.h"
#include "held_reads.h"
#include "live_engine.h"
#include "request_metrics.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace basalt {
namespace {

/// Room for several thousand expressions of usual length with their trees.
constexpr std::size_t kExpressionCacheBytes = std::size_t{4} << 20;

HotCounters durability_waits("basalt_durability_waits_total", "Responses held until the log was synced.", {{}});
Counter repetitions("basalt_repeated_attempts_total", "Requests that would have blocked and went to the workers.");
Gauge queue_length("basalt_worker_queue_length", "Requests that wait for a worker.");

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
    HeldResponse(Attempt attempt, Completion &completion, LiveEngine &live)
        : attempt_(std::move(attempt)),
          completion_(completion),
          live_(live)
    {}
    void ready(const Result<void> &result) noexcept override
    {
        const std::unique_ptr<HeldResponse> self(this);
        if (!result) {
            attempt_.response = internal_error();
            live_.suspect();
        }
        count_request(attempt_.counted_as, attempt_.response.status);
        completion_.complete(std::move(attempt_.response));
    }

private:
    Attempt attempt_;
    Completion &completion_;
    LiveEngine &live_;
};

} // namespace

class Database::Impl {
public:
    Impl(const Options &options, DatabaseParts parts)
        : expressions_(kExpressionCacheBytes),
          index_reads_(options.index_reads),
          index_lag_ms_(options.index_lag_ms),
          held_reads_(std::chrono::milliseconds(options.index_wait_ms), options.worker_queue_limit,
                      [this](const Request &request, Completion &completion, HeldReads::Ending ending) {
                          release(request, completion, ending);
                      }),
          live_(options, std::move(parts), expressions_, {index_lag_ms_, [this] { held_reads_.look(); }}),
          workers_(options.worker_threads, options.worker_queue_limit)
    {}

    Result<void> load() { return live_.load(); }

    void call(const Request &request, Completion &completion) noexcept
    {
        const auto indexes = index_reads_.load(std::memory_order_relaxed) == IndexReads::caught_up
                                 ? IndexWait::awaited
                                 : IndexWait::not_awaited;
        if (is_large(request) || !answer(request, storage::Wait::never, indexes, completion)) {
            queue(request, indexes, completion);
        }
    }

    void set_index_reads(IndexReads reads) { index_reads_.store(reads); }
    void set_index_lag_ms(std::int64_t lag_ms) { index_lag_ms_.store(lag_ms); }

    void close()
    {
        if (closed_.exchange(true)) {
            return;
        }
        live_.stop_reopening();
        held_reads_.stop();
        workers_.stop();
        live_.close();
    }

private:
    /// Leaves it to the workers.
    void queue(const Request &request, IndexWait indexes, Completion &completion) noexcept
    {
        bool queued = false;
        try {
            queue_length.add(1);
            queued =
                workers_.submit([this, request, indexes, &completion] { run_again(request, indexes, completion); });
        } catch (const std::bad_alloc &) {
            queue_length.add(-1);
            refuse(request, out_of_memory(), completion);
            return;
        }
        if (queued) {
            repetitions.add();
            return;
        }
        queue_length.add(-1);
        refuse(request,
               closed_.load() ? internal_error()
                              : error_response({ErrorCode::throttling, "Too many requests are waiting"}),
               completion);
    }

    /// Whatever became of the wait, the read is made now.
    void release(const Request &request, Completion &completion, HeldReads::Ending ending) noexcept
    {
        if (ending == HeldReads::Ending::stopped) {
            refuse(request, internal_error(), completion);
        } else {
            queue(request, IndexWait::not_awaited, completion);
        }
    }

    /// On a worker thread, where waiting is allowed.
    void run_again(const Request &request, IndexWait indexes, Completion &completion) noexcept
    {
        queue_length.add(-1);
        if (closed_.load()) { // whoever closes does not wait for a queue of slow attempts
            refuse(request, internal_error(), completion);
            return;
        }
        if (!answer(request, storage::Wait::allowed, indexes, completion)) {
            spdlog::error("an operation that may wait said that it would block");
            refuse(request, internal_error(), completion);
        }
    }

    static void refuse(const Request &request, Response response, Completion &completion) noexcept
    {
        count_request(counted_as(operations::find_operation(request.target)), response.status);
        completion.complete(std::move(response));
    }

    /// One attempt and, now or later, its response. False: it would block, and the completion has not been used.
    bool answer(const Request &request, storage::Wait wait, IndexWait indexes, Completion &completion) noexcept
    {
        Attempt attempt;
        {
            // One use for all of it: the ticket belongs to the store that gave it.
            const LiveEngine::Use use(live_);
            if (use) {
                attempt = run_attempt(use.context(), request, wait, indexes);
                if (attempt.would_block) {
                    return false;
                }
                if (attempt.awaited) {
                    hold(request, completion, std::move(*attempt.awaited));
                    return true;
                }
                if (hold_until_durable(use.store(), attempt, completion)) {
                    return true;
                }
            } else {
                attempt = {internal_error(), {}, false, {}, counted_as(operations::find_operation(request.target))};
            }
        }
        if (attempt.response.status >= 500) {
            live_.suspect();
        }
        count_request(attempt.counted_as, attempt.response.status);
        completion.complete(std::move(attempt.response));
        return true;
    }

    void hold(const Request &request, Completion &completion, engine::IndexPosition position) noexcept
    {
        try {
            held_reads_.hold(request, completion, std::move(position));
        } catch (const std::exception &) { // no memory, no thread
            refuse(request, out_of_memory(), completion);
        }
    }

    /// True: the response is given when the store says so. False: attempt holds what is to be answered now.
    bool hold_until_durable(storage::Store &store, Attempt &attempt, Completion &completion) noexcept
    {
        const storage::Durability durability = store.durability(attempt.ticket);
        if (durability == storage::Durability::durable) {
            return false;
        }
        if (durability == storage::Durability::failed) {
            attempt.response = internal_error();
            return false;
        }
        const storage::Ticket ticket = attempt.ticket;
        auto *const held = new (std::nothrow) HeldResponse(std::move(attempt), completion, live_);
        if (held == nullptr) {
            attempt.response = out_of_memory();
            return false;
        }
        durability_waits.add();
        store.when_durable(ticket, *held); // deletes itself
        return true;
    }

    expression::SyntaxCache expressions_;
    std::atomic<IndexReads> index_reads_;
    std::atomic<std::int64_t> index_lag_ms_;
    std::atomic<bool> closed_ = false;
    HeldReads held_reads_; // the engine's threads call it
    LiveEngine live_;
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
        options.transaction_lock_ms < 0 || options.index_lag_ms < 0 || options.index_wait_ms < 0) {
        return fail(ErrorCode::invalid_options, "a database needs at least one worker thread and a place in its queue, "
                                                "and no transition, wait or lag can last less than 0 ms");
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
    store_options.free_space_floor_bytes = options.min_free_space_bytes;
    // Half for the store, the rest for request bodies, responses and the threads' own buffers.
    store_options.memory_budget_bytes = options.memory_budget_bytes / 2;
    auto store = storage::open_rocksdb(store_options);
    if (!store) {
        return fail(std::move(store).error());
    }
    DatabaseParts parts{std::move(*store), std::make_unique<SystemClock>(), std::make_unique<SystemRandom>()};
    if (!store_options.in_memory) { // which would come back empty
        store_options.logs = storage::RecoveredLogs::doubted;
        parts.open_again = [store_options] { return storage::open_rocksdb(store_options); };
    }
    return open_over(std::move(options), std::move(parts));
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

void Database::set_index_reads(IndexReads reads)
{
    impl_->set_index_reads(reads);
}

void Database::set_index_lag_ms(std::int64_t lag_ms)
{
    impl_->set_index_lag_ms(std::max<std::int64_t>(lag_ms, 0));
}

void Database::close()
{
    impl_->close();
}

} // namespace basalt

// The engine and the store below it, as long as they work: a store that has failed is closed and opened again here,
// with a new engine over it, while everyone else goes on asking for "the engine".
#pragma once

#include "base/call_gate.h"
#include "base/clock.h"
#include "base/random.h"
#include "database_parts.h"
#include "engine/engine.h"
#include "operations/operation.h"
#include "storage/store.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace basalt {

/// Thread-safe.
class LiveEngine {
public:
    /// What one opening of the store gives.
    struct Opened {
        Opened(std::unique_ptr<storage::Store> given, const LiveEngine &owner);
        std::unique_ptr<storage::Store> store;
        engine::Engine engine;
        operations::Context context;
    };

    /// While it lives the engine stays what it is; empty while there is none: every call is InternalServerError then.
    /// Tickets and tables of one use mean nothing to the next.
    class Use {
    public:
        explicit Use(LiveEngine &live)
            : pass_(live.gate_),
              opened_(pass_ ? live.opened_.get() : nullptr)
        {}
        explicit operator bool() const { return opened_ != nullptr; }
        [[nodiscard]] const operations::Context &context() const { return opened_->context; }
        [[nodiscard]] storage::Store &store() const { return *opened_->store; }

    private:
        CallGate::Pass pass_;
        Opened *opened_;
    };

    /// What every engine is given: see EngineOptions.
    struct IndexHooks {
        const std::atomic<std::int64_t> &lag_ms;
        std::function<void()> on_progress;
    };

    LiveEngine(const Options &options, DatabaseParts parts, expression::SyntaxCache &expressions, IndexHooks hooks);
    ~LiveEngine();
    LiveEngine(const LiveEngine &) = delete;
    LiveEngine &operator=(const LiveEngine &) = delete;

    /// Loads the first engine. Call once, before anything else. Errors: the store's, corruption.
    Result<void> load();

    /// Something was answered with InternalServerError. If that is because the store has failed, it is opened again, by
    /// a thread of its own. Does not wait; costs nothing worth mentioning.
    void suspect() noexcept;

    /// After this the store is not opened again. Idempotent, waits for an opening that is under way.
    void stop_reopening();
    /// Waits for the uses, closes the store, which answers whoever waits for durability. Idempotent.
    void close();

private:
    void watch();
    void reopen();
    [[nodiscard]] Result<std::unique_ptr<Opened>> open_anew();
    [[nodiscard]] bool pause(std::chrono::milliseconds duration);

    const Options options_;
    const std::unique_ptr<Clock> clock_;
    const std::unique_ptr<RandomSource> random_;
    const DatabaseParts::OpenStore open_store_;
    expression::SyntaxCache &expressions_;
    const IndexHooks hooks_;

    CallGate gate_;
    std::unique_ptr<Opened> opened_; // changed by the watching thread alone, with the gate closed

    std::mutex mutex_;
    std::condition_variable wakes_;
    std::atomic<bool> suspected_ = false;
    bool stopping_ = false;
    std::chrono::milliseconds delay_{0};
    std::chrono::steady_clock::time_point last_opened_;
    std::thread thread_; // last: it uses everything above
};

} // namespace basalt

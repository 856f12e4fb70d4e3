#include "live_engine.h"

#include "base/log.h"
#include "base/metrics.h"

#include <algorithm>
#include <utility>

namespace basalt {
namespace {

/// Between two attempts: doubled from the first to the second.
constexpr std::chrono::milliseconds kShortestDelay{100};
constexpr std::chrono::milliseconds kLongestDelay{5000};
/// A store that worked for so long after it was opened again is opened at once when it fails the next time.
constexpr std::chrono::seconds kTrusted{30};

constexpr const char *kReopenings = "basalt_store_reopenings_total";
constexpr const char *kReopeningsHelp = "Attempts to open the store again after it failed.";
Counter reopened(kReopenings, kReopeningsHelp, {{"result", "ok"}});
Counter not_reopened(kReopenings, kReopeningsHelp, {{"result", "failed"}});
Gauge store_down("basalt_store_down", "1 while the store is closed after a failure and every request fails, else 0.");

} // namespace

LiveEngine::Opened::Opened(std::unique_ptr<storage::Store> given, const LiveEngine &owner)
    : store(std::move(given)),
      engine(*store, *owner.clock_, *owner.random_,
             {owner.options_.table_transition_ms, owner.options_.item_collection_limit_bytes,
              owner.options_.change_log_max_bytes, &owner.hooks_.lag_ms, owner.hooks_.on_progress}),
      context{engine, owner.expressions_, owner.options_.region, owner.options_.account_id}
{}

LiveEngine::LiveEngine(const Options &options, DatabaseParts parts, expression::SyntaxCache &expressions,
                       IndexHooks hooks)
    : options_(options),
      clock_(std::move(parts.clock)),
      random_(std::move(parts.random)),
      open_store_(std::move(parts.open_again)),
      expressions_(expressions),
      hooks_(std::move(hooks)),
      opened_(std::make_unique<Opened>(std::move(parts.store), *this))
{
    if (open_store_) {
        thread_ = std::thread([this] { watch(); });
    }
}

LiveEngine::~LiveEngine()
{
    stop_reopening();
    close();
}

Result<void> LiveEngine::load()
{
    return opened_->engine.load();
}

void LiveEngine::suspect() noexcept
{
    if (open_store_ && !suspected_.exchange(true)) {
        const std::lock_guard lock(mutex_);
        wakes_.notify_one();
    }
}

void LiveEngine::stop_reopening()
{
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        wakes_.notify_one();
    }
    if (thread_.joinable()) {
        thread_.join();
    }
}

void LiveEngine::close()
{
    gate_.close();
    if (opened_) {
        opened_->engine.stop();
        opened_->store->close();
    }
}

void LiveEngine::watch()
{
    while (true) {
        {
            std::unique_lock lock(mutex_);
            wakes_.wait(lock, [this] { return stopping_ || suspected_.load(); });
            if (stopping_) {
                return;
            }
        }
        // Before looking, so that a failure right after it brings us back.
        suspected_.store(false);
        if (opened_->store->failed()) {
            reopen();
        }
        if (!opened_) {
            return; // told to stop
        }
    }
}

void LiveEngine::reopen()
{
    spdlog::critical("the store has failed: it is closed and opened again; until then every request is answered with "
                     "InternalServerError");
    store_down.set(1);
    gate_.close();
    opened_->engine.stop();
    // The old store first: it answers its waiters and lets go of the data directory. Its engine may ask it until the
    // end.
    opened_->store->close();
    opened_.reset();
    if (std::chrono::steady_clock::now() - last_opened_ > kTrusted) {
        delay_ = std::chrono::milliseconds(0);
    }
    for (int number = 1; pause(delay_); ++number) {
        delay_ = std::clamp(delay_ * 2, kShortestDelay, kLongestDelay);
        auto opened = open_anew();
        if (opened) {
            opened_ = std::move(*opened);
            last_opened_ = std::chrono::steady_clock::now();
            gate_.open();
            store_down.set(0);
            reopened.add();
            spdlog::warn("the store has been opened again, at attempt {}: requests are served", number);
            return;
        }
        not_reopened.add();
        spdlog::critical("opening the store again failed, attempt {}, the next one is in {} ms: {}", number,
                         delay_.count(), opened.error().message);
    }
}

Result<std::unique_ptr<LiveEngine::Opened>> LiveEngine::open_anew()
{
    try {
        auto store = open_store_();
        if (!store) {
            return fail(std::move(store).error());
        }
        auto opened = std::make_unique<Opened>(std::move(*store), *this);
        // What the old catalog held may not have become durable.
        if (auto loaded = opened->engine.load(); !loaded) {
            return fail(std::move(loaded).error());
        }
        return opened;
    } catch (const std::exception &exception) {
        return fail(ErrorCode::internal_server_error, exception.what());
    }
}

bool LiveEngine::pause(std::chrono::milliseconds duration)
{
    std::unique_lock lock(mutex_);
    return !wakes_.wait_for(lock, duration, [this] { return stopping_; });
}

} // namespace basalt

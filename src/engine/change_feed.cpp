#include "engine/change_feed.h"

#include "base/metrics.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace basalt::engine {
namespace {

/// How finely times are kept, and how many of them.
constexpr std::chrono::milliseconds kMarkWidth{1};
constexpr std::size_t kMostMarks = 100'000;

Gauge pending("basalt_index_pending_bytes", "Bytes of change records that are not applied to global indexes yet.");

} // namespace

ChangeFeed::~ChangeFeed()
{
    pending.add(-static_cast<double>(pending_bytes_.load()));
}

bool ChangeFeed::appended(storage::LogPosition position, storage::Ticket ticket, std::uint64_t bytes)
{
    const auto now = std::chrono::steady_clock::now();
    const std::lock_guard lock(mutex_);
    count(static_cast<std::int64_t>(bytes));
    appended_ = std::max(appended_, position);
    ticket_ = std::max(ticket_, ticket);
    if (applied_ < appended_) {
        if (!marks_.empty() && (now < marks_.back().from + kMarkWidth || marks_.size() == kMostMarks)) {
            marks_.back().last = appended_;
        } else {
            marks_.push_back({now, appended_});
        }
    }
    return !std::exchange(applier_knows_, true);
}

ChangeFeed::Work ChangeFeed::begin()
{
    const std::lock_guard lock(mutex_);
    const bool behind = has_backlog_ || applied_ < appended_;
    applier_knows_ = behind;
    if (!behind) { // what was applied before it was told of
        marks_.clear();
        count(-static_cast<std::int64_t>(pending_bytes()));
    }
    return {appended_, ticket_, has_backlog_, behind};
}

void ChangeFeed::applied(storage::LogPosition position, std::uint64_t bytes)
{
    const std::lock_guard lock(mutex_);
    applied_ = std::max(applied_, position);
    while (!marks_.empty() && marks_.front().last <= applied_) {
        marks_.pop_front();
    }
    count(-static_cast<std::int64_t>(std::min(bytes, pending_bytes())));
}

void ChangeFeed::count(std::int64_t bytes)
{
    pending_bytes_.store(pending_bytes() + static_cast<std::uint64_t>(bytes), std::memory_order_relaxed);
    pending.add(static_cast<double>(bytes));
}

void ChangeFeed::backlog_applied()
{
    const std::lock_guard lock(mutex_);
    has_backlog_ = false;
}

void ChangeFeed::retire()
{
    const std::lock_guard lock(mutex_);
    retired_ = true;
}

storage::LogPosition ChangeFeed::end() const
{
    const std::lock_guard lock(mutex_);
    return appended_;
}

bool ChangeFeed::is_applied(storage::LogPosition position) const
{
    const std::lock_guard lock(mutex_);
    return retired_ || (!has_backlog_ && applied_ >= position);
}

std::optional<ChangeFeed::Time> ChangeFeed::behind_since() const
{
    const std::lock_guard lock(mutex_);
    return marks_.empty() ? std::nullopt : std::optional(marks_.front().from);
}

storage::LogPosition ChangeFeed::appended_before(Time time) const
{
    const std::lock_guard lock(mutex_);
    const auto later = std::partition_point(marks_.begin(), marks_.end(),
                                            [&](const Mark &mark) { return mark.from + kMarkWidth <= time; });
    return later == marks_.begin() ? applied_ : std::prev(later)->last;
}

} // namespace basalt::engine

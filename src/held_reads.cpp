#include "held_reads.h"

#include "base/metrics.h"

#include <iterator>
#include <utility>

namespace basalt {
namespace {

HotCounters held("basalt_index_reads_held_total", "Reads of global indexes that waited for earlier writes.", {{}});
Counter
    late("basalt_index_reads_late_total",
         "Reads of global indexes answered from what was applied, because waiting for earlier writes took too long.");

} // namespace

HeldReads::HeldReads(std::chrono::milliseconds patience, std::size_t most, Release release)
    : patience_(patience),
      most_(most),
      release_(std::move(release))
{}

void HeldReads::hold(const Request &request, Completion &completion, engine::IndexPosition position)
{
    auto ending = Ending::stopped;
    {
        const std::lock_guard lock(mutex_);
        if (!stopped_ && reads_.size() < most_) {
            if (!thread_.joinable()) {
                thread_ = std::thread([this] { run(); });
            }
            reads_.push_back({request, &completion, std::move(position), std::chrono::steady_clock::now() + patience_});
            held.add();
            look_ = true; // what was awaited may have been reached just before
            wakes_.notify_one();
            return;
        }
        ending = stopped_ ? Ending::stopped : Ending::late;
    }
    if (ending == Ending::late) {
        late.add();
    }
    release_(request, completion, ending);
}

void HeldReads::look() noexcept
{
    const std::lock_guard lock(mutex_);
    if (!reads_.empty() && !std::exchange(look_, true)) {
        wakes_.notify_one();
    }
}

void HeldReads::stop()
{
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        wakes_.notify_one();
    }
    if (thread_.joinable()) {
        thread_.join();
    }
    std::list<Read> left;
    {
        const std::lock_guard lock(mutex_);
        left.swap(reads_);
    }
    for (auto &read : left) {
        release_(read.request, *read.completion, Ending::stopped);
    }
}

std::list<HeldReads::Read> HeldReads::take_ready() noexcept
{
    std::list<Read> ready;
    const auto now = std::chrono::steady_clock::now();
    for (auto read = reads_.begin(); read != reads_.end();) {
        const auto next = std::next(read);
        if (read->position.is_reached() || now >= read->until) {
            ready.splice(ready.end(), reads_, read);
        }
        read = next;
    }
    return ready;
}

void HeldReads::run() noexcept
{
    std::unique_lock lock(mutex_);
    while (!stopped_) {
        if (!look_) {
            if (reads_.empty()) {
                wakes_.wait(lock);
            } else {
                wakes_.wait_until(lock, reads_.front().until);
            }
        }
        look_ = false;
        auto ready = take_ready();
        if (ready.empty()) {
            continue;
        }
        lock.unlock();
        for (auto &read : ready) {
            const bool reached = read.position.is_reached();
            if (!reached) {
                late.add();
            }
            release_(read.request, *read.completion, reached ? Ending::reached : Ending::late);
        }
        lock.lock();
    }
}

} // namespace basalt

// Commits and the sync thread.
#include "storage/rocksdb/commit_log.h"

#include "base/check.h"
#include "base/log.h"
#include "base/metrics.h"
#include "storage/rocksdb/background_errors.h"
#include "storage/rocksdb/status.h"

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <array>
#include <chrono>
#include <optional>
#include <vector>

namespace basalt::storage {
namespace {

Counter log_syncs("basalt_log_syncs_total", "Times that the log was synced, for all commits since the time before.");

/// How long a commit that nobody waits for may stay unsynced.
constexpr std::chrono::milliseconds kSyncWithin{50};

/// Marks slots with the ticket of a commit; takes the marks back unless the commit came about.
class Marks {
public:
    Marks(VisibilitySlots &slots, std::span<const VisibilitySlots::Slot> marked, std::uint64_t ticket)
        : slots_(slots),
          marked_(marked)
    {
        if (marked.size() > few_.size()) {
            many_.resize(marked.size());
        }
        for (std::size_t i = 0; i < marked.size(); ++i) {
            before()[i] = slots.get(marked[i]);
            slots.set(marked[i], ticket);
        }
    }
    void undo()
    {
        // Backwards, as a slot may have been marked twice.
        for (std::size_t i = marked_.size(); i-- > 0;) {
            slots_.set(marked_[i], before()[i]);
        }
    }

private:
    std::uint64_t *before() { return many_.empty() ? few_.data() : many_.data(); }

    VisibilitySlots &slots_;
    std::span<const VisibilitySlots::Slot> marked_;
    std::array<std::uint64_t, 8> few_{};
    std::vector<std::uint64_t> many_;
};

} // namespace

CommitLog::CommitLog(::rocksdb::DB &db, const BackgroundErrors &errors, Settings settings)
    : db_(db),
      errors_(errors),
      settings_(settings),
      written_(db.GetLatestSequenceNumber()),
      durable_(db.GetLatestSequenceNumber())
{
    if (!settings_.in_memory) {
        thread_ = std::thread([this] { run(); });
    }
}

CommitLog::~CommitLog()
{
    close();
}

Result<Ticket> CommitLog::commit(::rocksdb::WriteBatch &batch, std::span<const VisibilitySlots::Slot> slots,
                                 const function_ref<void(::rocksdb::WriteBatch &, std::uint64_t)> *finish)
{
    if (errors_.log_was_hit()) {
        give_up("a write or sync of the log failed");
        return fail(unavailable_error());
    }
    ::rocksdb::WriteOptions options;
    options.no_slowdown = true;
    options.disableWAL = settings_.in_memory;

    ::rocksdb::Status status;
    std::uint64_t ticket = 0;
    {
        const std::lock_guard lock(commit_mutex_);
        if (failed()) {
            return fail(unavailable_error());
        }
        if (finish != nullptr) {
            (*finish)(batch, db_.GetLatestSequenceNumber() + 1);
        }
        if (settings_.in_memory) {
            status = db_.Write(options, &batch);
        } else {
            ticket = db_.GetLatestSequenceNumber() + static_cast<std::uint64_t>(batch.Count());
            Marks marks(slots_, slots, ticket);
            status = db_.Write(options, &batch);
            if (status.ok()) {
                BASALT_CHECK(db_.GetLatestSequenceNumber() == ticket);
                written_.store(ticket);
            } else {
                marks.undo();
            }
        }
    }
    if (status.ok()) {
        if (sleep_.load() == Sleep::idle) {
            wake();
        }
        return Ticket{ticket};
    }
    if (status.IsIncomplete()) {
        return fail(would_block_error());
    }
    if (errors_.log_was_hit()) {
        give_up(status.ToString());
    }
    return fail(unavailable_error());
}

void CommitLog::give_up(const std::string &why)
{
    fail_store(why);
    wake(); // the sync thread tells those who wait: here their answers would run under a stranger's locks
}

Ticket CommitLog::latest() const
{
    return {settings_.in_memory ? 0 : db_.GetLatestSequenceNumber()};
}

std::uint64_t CommitLog::last_durable() const
{
    return settings_.in_memory ? db_.GetLatestSequenceNumber() : durable_.load(std::memory_order_acquire);
}

Durability CommitLog::durability(Ticket ticket) const
{
    if (ticket.value <= durable_.load(std::memory_order_acquire) || settings_.in_memory) {
        return Durability::durable;
    }
    return failed() ? Durability::failed : Durability::pending;
}

void CommitLog::when_durable(Ticket ticket, Waiter &waiter)
{
    if (durability(ticket) == Durability::durable) {
        waiter.ready({});
        return;
    }
    if (!waiters_.push(waiter)) {
        // The stack is shut after the last sync, so the answer is final now.
        waiter.ready(durability(ticket) == Durability::durable ? Result<void>() : fail(unavailable_error()));
        return;
    }
    if (sleep_.load() != Sleep::awake) {
        wake();
    }
}

void CommitLog::wake()
{
    if (sleep_.exchange(Sleep::awake) != Sleep::awake) {
        const std::lock_guard lock(sleep_mutex_);
        wake_up_.notify_one();
    }
}

void CommitLog::wait_for_work()
{
    std::optional<std::chrono::steady_clock::time_point> deadline;
    std::unique_lock lock(sleep_mutex_);
    while (true) {
        // Announced before looking, while pushers and writers look at it after their store: nobody is missed.
        sleep_.store(deadline ? Sleep::napping : Sleep::idle);
        if (stopping_.load() || failed() || !waiters_.empty()) {
            break;
        }
        if (!deadline && !all_durable()) {
            deadline = std::chrono::steady_clock::now() + kSyncWithin;
        } else if (!deadline) {
            wake_up_.wait(lock);
        } else if (wake_up_.wait_until(lock, *deadline) == std::cv_status::timeout) {
            break;
        }
    }
    sleep_.store(Sleep::awake);
}

void CommitLog::run()
{
    while (!stopping_.load() && !failed()) {
        wait_for_work();
        sync_once();
    }
    if (failed()) {
        tell_all(waiters_.shut(), fail(unavailable_error()));
    }
}

void CommitLog::sync_once()
{
    Waiter *waiting = nullptr;
    std::uint64_t target = 0;
    {
        // No commit is half-way here. So whoever is in the list has seen nothing behind the target, even if it holds
        // the larger ticket of a commit that then did not come about.
        const std::lock_guard lock(commit_mutex_);
        waiting = waiters_.take_all();
        target = written_.load();
    }
    if (target > durable_.load() && !failed()) {
        const ::rocksdb::Status status = db_.FlushWAL(settings_.sync == LogSync::sync);
        log_syncs.add();
        // A failed write is not told by FlushWAL; and a flush may have failed to sync an older log.
        if (status.ok() && !errors_.log_was_hit()) {
            durable_.store(target, std::memory_order_release);
        } else {
            fail_store(status.ok() ? "a write or sync of the log failed" : status.ToString());
        }
    }
    tell_all(waiting, failed() ? Result<void>(fail(unavailable_error())) : Result<void>());
}

void CommitLog::fail_store(const std::string &why)
{
    if (!failed_.exchange(true)) {
        spdlog::critical("the log may not be on the disk ({}): the store refuses all writes, and reads of what is not "
                         "durable, until it is opened again",
                         why);
    }
}

void CommitLog::close()
{
    if (!thread_.joinable()) {
        return;
    }
    {
        const std::lock_guard lock(sleep_mutex_);
        stopping_.store(true);
        wake_up_.notify_one();
    }
    thread_.join();
    sync_once();
    tell_all(waiters_.shut(), failed() ? Result<void>(fail(unavailable_error())) : Result<void>());
}

} // namespace basalt::storage

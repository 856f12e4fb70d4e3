// One io_context with its thread, its connections, the coarse clock they share, and the queue through which other
// threads resume coroutines that live here.
#pragma once

#include "server/response_head.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <chrono>
#include <coroutine>
#include <cstdint>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

namespace basalt::server {

using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

/// A suspended coroutine that another thread will resume through its loop.
struct Wakeable {
    std::coroutine_handle<> waiting;
    Wakeable *next = nullptr;
};

/// A connection as its loop sees it. All calls come on the loop's thread.
class LoopMember {
public:
    virtual ~LoopMember() = default;
    /// Time has passed: give up if a deadline is over.
    virtual void on_tick(std::int64_t now_ms) = 0;
    /// The server stops: end after the request at hand, or at once if there is none.
    virtual void on_drain() = 0;
    /// End now.
    virtual void on_abort() = 0;

private:
    friend class EventLoop;
    std::size_t slot_ = 0;
};

class EventLoop {
public:
    /// tick_ms: how often deadlines are looked at while there are connections.
    explicit EventLoop(std::int64_t tick_ms);
    ~EventLoop();
    EventLoop(const EventLoop &) = delete;
    EventLoop &operator=(const EventLoop &) = delete;

    /// Starts the thread.
    void start();
    /// Any thread. Members end after their request; later ones are told to at once.
    void drain();
    /// Any thread. Members end now, except one that waits for the database: it ends when it is woken.
    void abort();
    /// Any thread but the loop's. Returns when the last member is gone and the thread has ended.
    void join();

    /// Any thread. Resumes `waiter` on the loop's thread. The waiter may be gone when this returns.
    void wake(Wakeable &waiter);

    /// Any thread: connections assigned to this loop, those on their way to it included.
    [[nodiscard]] std::size_t load() const noexcept { return load_.load(std::memory_order_relaxed); }
    void reserve_place() noexcept { load_.fetch_add(1, std::memory_order_relaxed); }
    void release_place() noexcept { load_.fetch_sub(1, std::memory_order_relaxed); }

    // The rest is for the loop's thread alone.

    [[nodiscard]] bool on_this_thread() const noexcept;
    void add(LoopMember &member);
    void remove(LoopMember &member);
    /// Steady milliseconds, renewed at every tick.
    [[nodiscard]] std::int64_t now_ms() const noexcept { return now_ms_; }
    [[nodiscard]] bool draining() const noexcept { return draining_; }
    [[nodiscard]] HttpDate &date() noexcept { return date_; }
    [[nodiscard]] RequestIds &request_ids() noexcept { return request_ids_; }
    [[nodiscard]] boost::asio::io_context &context() noexcept { return context_; }

private:
    void run_woken();
    void arm_tick();
    void tick();
    void refresh_clock() noexcept;

    boost::asio::io_context context_{1};
    std::optional<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> work_;
    boost::asio::steady_timer tick_timer_;
    std::chrono::milliseconds tick_period_;
    bool tick_armed_ = false;
    bool draining_ = false;
    std::int64_t now_ms_ = 0;
    std::vector<LoopMember *> members_;
    HttpDate date_;
    RequestIds request_ids_;
    std::atomic<std::size_t> load_{0};
    alignas(64) std::atomic<Wakeable *> woken_{nullptr};
    std::thread thread_;
};

/// Deadline of what may take for ever.
inline constexpr std::int64_t kNoDeadline = std::numeric_limits<std::int64_t>::max();

} // namespace basalt::server

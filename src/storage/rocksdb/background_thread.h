// One thread for the store's housekeeping. It does one thing after the other, and none of them is urgent.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace basalt::storage {

/// Thread-safe.
class BackgroundThread {
public:
    BackgroundThread() = default;
    ~BackgroundThread();
    BackgroundThread(const BackgroundThread &) = delete;
    BackgroundThread &operator=(const BackgroundThread &) = delete;

    /// Runs the task some time, unless the thread is stopped before. The thread starts with the first task.
    void post(std::function<void()> task);
    /// For tasks: waits; false: stop() was called and the task has to end.
    [[nodiscard]] bool pause(std::chrono::milliseconds duration);
    [[nodiscard]] bool stopping() const { return stopping_.load(); }
    /// The same, for a long call that can be told to give up.
    [[nodiscard]] std::atomic<bool> &stop_flag() { return stopping_; }
    /// Drops the tasks that have not begun and waits for the one that has. Idempotent.
    void stop();

private:
    void run();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> tasks_;
    std::atomic<bool> stopping_{false};
    std::thread thread_;
};

} // namespace basalt::storage

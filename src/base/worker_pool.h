// A bounded pool of threads for work that may block.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace basalt {

/// Thread-safe. Jobs run in the order of submission and must not throw.
class WorkerPool {
public:
    WorkerPool(int threads, std::size_t queue_limit);
    WorkerPool(const WorkerPool &) = delete;
    WorkerPool &operator=(const WorkerPool &) = delete;
    ~WorkerPool();

    /// false: the queue is full or the pool was stopped; the job was not taken.
    [[nodiscard]] bool submit(std::function<void()> job);

    /// Runs what is queued, then ends the threads. Idempotent.
    void stop();

private:
    void run();

    const std::size_t queue_limit_;
    std::mutex mutex_;
    std::condition_variable wakes_;
    std::deque<std::function<void()>> queue_;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

} // namespace basalt

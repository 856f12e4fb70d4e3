#include "base/worker_pool.h"

#include <utility>

namespace basalt {

WorkerPool::WorkerPool(int threads, std::size_t queue_limit)
    : queue_limit_(queue_limit)
{
    for (int i = 0; i < threads; ++i) {
        threads_.emplace_back([this] { run(); });
    }
}

WorkerPool::~WorkerPool()
{
    stop();
}

bool WorkerPool::submit(std::function<void()> job)
{
    {
        const std::lock_guard lock(mutex_);
        if (stopping_ || queue_.size() >= queue_limit_) {
            return false;
        }
        queue_.push_back(std::move(job));
    }
    wakes_.notify_one();
    return true;
}

void WorkerPool::stop()
{
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wakes_.notify_all();
    for (auto &thread : threads_) {
        if (thread.joinable()) {
            thread.join();
        }
    }
}

void WorkerPool::run()
{
    std::unique_lock lock(mutex_);
    while (true) {
        wakes_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (queue_.empty()) {
            return;
        }
        auto job = std::move(queue_.front());
        queue_.pop_front();
        lock.unlock();
        job();
        job = nullptr; // its captures go before the next job is awaited
        lock.lock();
    }
}

} // namespace basalt

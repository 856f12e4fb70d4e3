// The housekeeping thread.
#include "storage/rocksdb/background_thread.h"

#include <utility>

namespace basalt::storage {

BackgroundThread::~BackgroundThread()
{
    stop();
}

void BackgroundThread::post(std::function<void()> task)
{
    const std::lock_guard lock(mutex_);
    if (stopping_) {
        return;
    }
    tasks_.push_back(std::move(task));
    if (!thread_.joinable()) {
        thread_ = std::thread([this] { run(); });
    }
    changed_.notify_one();
}

bool BackgroundThread::pause(std::chrono::milliseconds duration)
{
    std::unique_lock lock(mutex_);
    return !changed_.wait_for(lock, duration, [this] { return stopping_.load(); });
}

void BackgroundThread::stop()
{
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        tasks_.clear();
        changed_.notify_one();
    }
    if (thread_.joinable()) {
        thread_.join();
    }
}

void BackgroundThread::run()
{
    while (true) {
        std::function<void()> task;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
            if (stopping_) {
                return;
            }
            task = std::move(tasks_.front());
            tasks_.pop_front();
        }
        task();
    }
}

} // namespace basalt::storage

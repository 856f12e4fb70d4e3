// RocksDB's background errors: says them in the log, and remembers whether one struck the write-ahead log.
#pragma once

#include <rocksdb/listener.h>

#include <atomic>

namespace basalt::storage {

/// Thread-safe.
class BackgroundErrors final : public ::rocksdb::EventListener {
public:
    void OnBackgroundError(::rocksdb::BackgroundErrorReason reason, ::rocksdb::Status *error) override;
    void OnErrorRecoveryCompleted(::rocksdb::Status old_error) override;

    /// A commit may be in the log in part. After other errors (a flush on a full disk) RocksDB refuses commits before
    /// they reach the log, until it has recovered.
    [[nodiscard]] bool log_was_hit() const { return log_was_hit_.load(std::memory_order_acquire); }

private:
    std::atomic<bool> log_was_hit_{false};
};

} // namespace basalt::storage

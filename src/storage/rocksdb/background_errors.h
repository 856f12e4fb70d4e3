// What went wrong with RocksDB's files outside of any call: says it in the log, counts it, and remembers what it means
// for the store.
#pragma once

#include <rocksdb/listener.h>
#include <rocksdb/status.h>

#include <atomic>
#include <string>

namespace basalt::storage {

enum class LogFault : std::uint8_t { write, sync };

/// Thread-safe.
///
/// After an error of flushing, compacting or the manifest RocksDB refuses commits before they reach the log. From a
/// full disk it recovers by itself: it looks for space every five seconds, writes out its memtables and accepts commits
/// again. Other such errors are fatal to it.
class BackgroundErrors final : public ::rocksdb::EventListener {
public:
    void OnBackgroundError(::rocksdb::BackgroundErrorReason reason, ::rocksdb::Status *error) override;
    void OnErrorRecoveryBegin(::rocksdb::BackgroundErrorReason reason, ::rocksdb::Status error,
                              bool *auto_recovery) override;
    void OnErrorRecoveryCompleted(::rocksdb::Status old_error) override;

    /// A write or sync of a log, or of the directory that names the logs, failed.
    void log_failed(LogFault fault, const std::string &file, const std::string &why);

    /// A commit may be in the log in part, or the kernel may have dropped what it had of the log.
    [[nodiscard]] bool log_was_hit() const { return log_was_hit_.load(std::memory_order_acquire); }
    /// RocksDB does not recover by itself and cannot be told to.
    [[nodiscard]] bool fatal() const { return fatal_.load(std::memory_order_acquire); }

    /// A flush or a compaction waits for space: writes that RocksDB stalls now would wait for long.
    [[nodiscard]] bool out_of_space() const { return out_of_space_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> out_of_space_{false};
    std::atomic<bool> log_was_hit_{false};
    std::atomic<bool> fatal_{false};
};

} // namespace basalt::storage

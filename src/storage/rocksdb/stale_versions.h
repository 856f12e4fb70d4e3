// Notices that scans lose their time among old versions of rows in the memtables, and has those memtables flushed.
//
// A memtable keeps every version of a row until it is flushed; a flush keeps the newest only. A Query of 10 rows with
// 40 versions each costs 8 times what it costs with one version (33 µs for 4), backward 6 times.
#pragma once

#include "storage/rocksdb/background_thread.h"
#include "storage/rocksdb/families.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace rocksdb {
class Statistics;
} // namespace rocksdb

namespace basalt::storage {

/// Thread-safe.
class StaleVersions {
public:
    /// All outlive this; the thread is stopped before the database is closed.
    StaleVersions(::rocksdb::DB &db, const Families &families, std::shared_ptr<::rocksdb::Statistics> statistics,
                  BackgroundThread &thread);

    /// Called after each scan; cheap.
    void scanned();

private:
    void look();
    void flush();

    ::rocksdb::DB &db_;
    const Families &families_;
    const std::shared_ptr<::rocksdb::Statistics> statistics_;
    BackgroundThread &thread_;
    std::atomic<std::uint64_t> reseeks_at_last_flush_{0};
    std::atomic<std::int64_t> next_flush_ms_{0};
    std::atomic<bool> flush_pending_{false}; // posted and not begun: something slower may stand before it
};

} // namespace basalt::storage

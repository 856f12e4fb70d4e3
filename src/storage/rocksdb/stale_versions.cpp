// When to flush early.
#include "storage/rocksdb/stale_versions.h"

#include "base/log.h"
#include "storage/rocksdb/settings.h"

#include <rocksdb/db.h>
#include <rocksdb/statistics.h>

#include <chrono>

namespace basalt::storage {
namespace {

/// Reading the counter sums it over the cores, so only every so many scans of a thread do.
constexpr std::uint32_t kLookEveryScans = 256;
/// RocksDB seeks past the old versions of a row for 2 to 3 µs each time: this is about 25 ms of them.
constexpr std::uint64_t kWorthwhileReseeks = 10'000;
/// Writers that go on overwriting make new versions at once; small files at a higher rate would cost compactions more.
constexpr std::int64_t kFlushEveryMs = 2000;
/// A smaller memtable is not what costs the time.
constexpr std::uint64_t kWorthwhileBytes = 64U << 10U;

} // namespace

StaleVersions::StaleVersions(::rocksdb::DB &db, const Families &families,
                             std::shared_ptr<::rocksdb::Statistics> statistics, BackgroundThread &thread)
    : db_(db),
      families_(families),
      statistics_(std::move(statistics)),
      thread_(thread)
{}

void StaleVersions::scanned()
{
    thread_local std::uint32_t scans = 0;
    if (++scans % kLookEveryScans == 0) {
        look();
    }
}

void StaleVersions::look()
{
    const std::uint64_t reseeks = statistics_->getTickerCount(::rocksdb::NUMBER_OF_RESEEKS_IN_ITERATION);
    if (reseeks - reseeks_at_last_flush_.load(std::memory_order_relaxed) < kWorthwhileReseeks) {
        return;
    }
    using namespace std::chrono;
    const std::int64_t now_ms = duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
    std::int64_t due_ms = next_flush_ms_.load(std::memory_order_relaxed);
    if (now_ms < due_ms || flush_pending_.load() ||
        !next_flush_ms_.compare_exchange_strong(due_ms, now_ms + kFlushEveryMs)) {
        return;
    }
    reseeks_at_last_flush_.store(reseeks, std::memory_order_relaxed);
    flush_pending_.store(true);
    thread_.post([this] {
        flush_pending_.store(false);
        flush();
    });
}

void StaleVersions::flush()
{
    for (const Family family : {Family::items, Family::local_index, Family::global_index}) {
        std::uint64_t bytes = 0;
        db_.GetIntProperty(families_[family], ::rocksdb::DB::Properties::kCurSizeActiveMemTable, &bytes);
        if (bytes < kWorthwhileBytes) {
            continue;
        }
        if (const ::rocksdb::Status status = db_.Flush(flush_at_once(false), families_[family]); !status.ok()) {
            spdlog::warn("an early flush of the {} failed: {}", name_of(family), status.ToString());
        }
    }
}

} // namespace basalt::storage

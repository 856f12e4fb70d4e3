// RocksDB's settings.
#include "storage/rocksdb/settings.h"

#include "storage/rocksdb/families.h"
#include "storage/rocksdb/info_log.h"
#include "storage/row_key.h"

#include <rocksdb/cache.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>
#include <thread>

namespace basalt::storage {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

std::size_t memtable_bytes(const RocksdbOptions &options)
{
    if (options.memtable_bytes != 0) {
        return options.memtable_bytes;
    }
    return std::clamp(options.memory_budget_bytes / 8, 2 * kMiB, 64 * kMiB);
}

std::size_t all_memtables_bytes(const RocksdbOptions &options)
{
    return std::max(options.memory_budget_bytes / 3, 4 * kMiB);
}

void set_log(const RocksdbOptions &options, ::rocksdb::DBOptions &db)
{
    // The default mode, point in time, opens "OK" after one flipped byte and silently drops every commit behind it.
    // This one takes a torn tail for what a crash leaves and refuses anything else.
    db.wal_recovery_mode = ::rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
    // An older log that has since been shortened or lost is refused as well. Of the newest one RocksDB does not record
    // how much was synced: a cut there looks like a crash.
    db.track_and_verify_wals_in_manifest = true;
    // Opening must take milliseconds: the recovered memtables stay memtables.
    db.avoid_flush_during_recovery = true;
    // The store's close() decides whether a flush is worth its time.
    db.avoid_flush_during_shutdown = true;
    // The sync thread writes the log out, once for everyone who waits.
    db.manual_wal_flush = true;
    // A row in an idle family would otherwise keep all later logs alive. Also bounds what recovery has to replay.
    db.max_total_wal_size = std::max(64 * kMiB, 2 * all_memtables_bytes(options));
    // Recycled logs make an old record after the tail look like damage in the middle.
    db.recycle_log_file_num = 0;
}

void set_threads(::rocksdb::DBOptions &db)
{
    // Flushes and compactions compete with the I/O threads for the same cores.
    db.max_background_jobs = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 2U, 4U));
    db.max_subcompactions = 1;
    // Commits come one at a time, under the commit mutex: the plain memtable insert is the cheaper one, and nobody
    // waits for a write group.
    db.allow_concurrent_memtable_write = false;
    db.enable_write_thread_adaptive_yield = false;
    // It breaks snapshots.
    db.unordered_write = false;
}

void set_files(const RocksdbOptions &options, ::rocksdb::DBOptions &db)
{
    db.create_if_missing = true;
    db.create_missing_column_families = true;
    // Every table file stays open. With a bounded table cache a Get that must not read the disk answers OK and an empty
    // value when the file is not in it, and the first read after an eviction would open a file.
    db.max_open_files = -1;
    // The default starts 16 threads even for no files at all.
    db.max_file_opening_threads = 2;
    // Opening must not read the properties of every file.
    db.skip_stats_update_on_db_open = true;
    // Written out evenly rather than in one burst that holds up the log's fsync.
    db.bytes_per_sync = kMiB;
    // The default preallocates 4 MB for a manifest of a few hundred bytes.
    db.manifest_preallocation_size = 64 << 10;
    db.max_manifest_file_size = 64 * kMiB;
    if (options.in_memory) {
        db.track_and_verify_wals_in_manifest = false;
    }
}

void set_reports(::rocksdb::DBOptions &db)
{
    // Never a LOG file: RocksDB's own logger aborts the process when the disk is full.
    db.info_log = make_info_log();
    db.info_log_level = ::rocksdb::WARN_LEVEL;
    // Counters only: histograms and timers read the clock on every operation.
    db.statistics = ::rocksdb::CreateDBStatistics();
    db.statistics->set_stats_level(::rocksdb::StatsLevel::kExceptHistogramOrTimers);
    // Two timers that would wake an idle server, and memory for the history of what they collect.
    db.stats_dump_period_sec = 0;
    db.stats_persist_period_sec = 0;
}

::rocksdb::BlockBasedTableOptions table_options(const std::shared_ptr<::rocksdb::Cache> &cache)
{
    ::rocksdb::BlockBasedTableOptions table;
    table.block_cache = cache;
    table.format_version = 5;
    table.checksum = ::rocksdb::kXXH3;
    // For Get (whole key) and for one-partition scans (prefix).
    table.filter_policy.reset(::rocksdb::NewBloomFilterPolicy(10));
    table.whole_key_filtering = true;
    table.optimize_filters_for_memory = true;
    // Inside the memory budget; the newest level's stay, as every read needs them.
    table.cache_index_and_filter_blocks = true;
    table.cache_index_and_filter_blocks_with_high_priority = true;
    table.pin_l0_filter_and_index_blocks_in_cache = true;
    return table;
}

::rocksdb::ColumnFamilyOptions family_options(const RocksdbOptions &options,
                                              const std::shared_ptr<::rocksdb::TableFactory> &table)
{
    ::rocksdb::ColumnFamilyOptions family;
    family.table_factory = table;
    family.write_buffer_size = memtable_bytes(options);
    // A scan meets every version of a row that the memtable still holds, and going backward each step is a search.
    // After two versions it seeks past the rest: with 40 versions a third off forward, two thirds backward. See also
    // stale_versions.h.
    family.max_sequential_skip_in_iterations = 2;
    // Enough for a burst while one flush runs: a stalled write goes to the pool.
    family.max_write_buffer_number = 6;
    family.level_compaction_dynamic_level_bytes = true;
    family.max_bytes_for_level_base = 4 * family.write_buffer_size;
    family.target_file_size_base =
        options.memtable_bytes != 0 ? options.memtable_bytes : std::max(family.write_buffer_size, 16 * kMiB);
    // Lower levels in larger files, as all of them stay open.
    family.target_file_size_multiplier = 2;
    // Young data is rewritten soon, so compressing it wastes CPU; most data is further down.
    family.compression = ::rocksdb::kLZ4Compression;
    family.compression_per_level = {::rocksdb::kNoCompression, ::rocksdb::kNoCompression, ::rocksdb::kLZ4Compression};
    return family;
}

} // namespace

DatabaseSettings database_settings(const RocksdbOptions &options, ::rocksdb::Env *env)
{
    DatabaseSettings settings;
    ::rocksdb::DBOptions &db = settings.database;
    db.env = env;
    set_log(options, db);
    set_threads(db);
    set_files(options, db);
    set_reports(db);

    // LRU: the clock cache holds 31 MB resident per GB of capacity from the start. Memtables are charged to the cache,
    // so that both together keep to one budget.
    const std::shared_ptr<::rocksdb::Cache> cache =
        ::rocksdb::NewLRUCache(std::max(options.memory_budget_bytes, 8 * kMiB), 4);
    db.write_buffer_manager = std::make_shared<::rocksdb::WriteBufferManager>(all_memtables_bytes(options), cache);

    const std::shared_ptr<::rocksdb::TableFactory> table(::rocksdb::NewBlockBasedTableFactory(table_options(cache)));
    const ::rocksdb::ColumnFamilyOptions plain = family_options(options, table);
    ::rocksdb::ColumnFamilyOptions by_partition = plain;
    by_partition.prefix_extractor.reset(::rocksdb::NewFixedPrefixTransform(kRowPrefixBytes));
    for (std::size_t i = 0; i < kFamilyCount; ++i) {
        const auto family = static_cast<Family>(i);
        // The catalog is small and read as a whole.
        const bool partitioned = family != Family::metadata && family != Family::catalog;
        settings.families.emplace_back(name_of(family), partitioned ? by_partition : plain);
        if (family == Family::items) {
            // Most puts read their item first, and new items are not there: no search for them in the memtable.
            settings.families.back().options.memtable_prefix_bloom_size_ratio = 0.02;
            settings.families.back().options.memtable_whole_key_filtering = true;
        }
    }
    return settings;
}

} // namespace basalt::storage

// Reclaiming.
#include "storage/rocksdb/reclaimer.h"

#include "base/log.h"
#include "storage/durable_wait.h"
#include "storage/rocksdb/keyspace_numbers.h"
#include "storage/rocksdb/scan_options.h"

#include <rocksdb/convenience.h>
#include <rocksdb/write_batch.h>

#include <chrono>

namespace basalt::storage {
namespace {

/// A keyspace of no more rows is deleted row by row: a range tombstone in the memtable costs every reader of the family
/// something until it is flushed, and programs that create and drop thousands of small tables would leave thousands.
constexpr std::uint32_t kFewRows = 1000;
constexpr std::chrono::milliseconds kPause{20};

} // namespace

Reclaimer::Reclaimer(const StoreParts &parts, BackgroundThread &thread)
    : parts_(parts),
      thread_(thread)
{}

void Reclaimer::add(KeyspaceId keyspace)
{
    thread_.post([this, keyspace] {
        if (const Result<void> done = reclaim(keyspace); !done && !thread_.stopping()) {
            spdlog::warn(
                "the rows of dropped keyspace {:#x} are still there ({}); they are deleted after the next start",
                static_cast<std::uint32_t>(keyspace), done.error().message);
        }
    });
}

Result<void> Reclaimer::reclaim(KeyspaceId keyspace)
{
    // Files must not go before the commit that made them garbage is safe.
    if (Result<void> safe = wait_until_durable(parts_.log.latest()); !safe) {
        return safe;
    }
    // Durable may mean no more than handed to the kernel; deleted files are gone at once.
    if (parts_.log.latest().value != 0) {
        if (const ::rocksdb::Status synced = parts_.db.FlushWAL(true); !synced.ok()) {
            return fail(to_error(synced));
        }
    }
    const RowRange rows = keyspace_range(keyspace);
    Result<bool> done = delete_row_by_row(keyspace, rows, kFewRows);
    if (done && !*done) {
        if (Result<void> deleted = delete_range(keyspace, rows); !deleted) {
            return deleted;
        }
        // A compaction that ran beside may have left some; scans would still see them.
        done = delete_row_by_row(keyspace, rows, ~std::uint64_t{0});
    }
    return done ? Result<void>() : fail(std::move(done.error()));
}

Result<bool> Reclaimer::delete_row_by_row(KeyspaceId keyspace, const RowRange &rows, std::uint64_t most)
{
    const ::rocksdb::Slice lower(rows.lower);
    const ::rocksdb::Slice upper(rows.upper);
    ::rocksdb::ReadOptions options;
    options.iterate_lower_bound = &lower;
    options.iterate_upper_bound = &upper;
    options.total_order_seek = true;
    options.fill_cache = false;
    read_every_file(options); // rows that a tombstone covers already are deleted once more
    ::rocksdb::ColumnFamilyHandle *family = parts_.families.of(keyspace);
    ::rocksdb::WriteBatch batch;
    {
        const std::unique_ptr<::rocksdb::Iterator> row(parts_.db.NewIterator(options, family));
        std::uint64_t count = 0;
        for (row->Seek(lower); row->Valid(); row->Next()) {
            if (count++ == most) {
                return false;
            }
            batch.Delete(family, row->key());
            if (batch.Count() > kFewRows) { // never of a few
                if (Result<Ticket> committed = commit(batch); !committed) {
                    return fail(std::move(committed.error()));
                }
                batch.Clear();
            }
        }
        if (!row->status().ok()) {
            return fail(to_error(row->status()));
        }
    }
    unmark_dropped(batch, parts_.families, keyspace);
    if (Result<Ticket> committed = commit(batch); !committed) {
        return fail(std::move(committed.error()));
    }
    return true;
}

Result<void> Reclaimer::delete_range(KeyspaceId keyspace, const RowRange &rows)
{
    ::rocksdb::ColumnFamilyHandle *family = parts_.families.of(keyspace);
    const ::rocksdb::Slice lower(rows.lower);
    const ::rocksdb::Slice upper(rows.upper);
    if (const ::rocksdb::Status status = ::rocksdb::DeleteFilesInRange(&parts_.db, family, &lower, &upper, false);
        !status.ok()) {
        return fail(to_error(status));
    }
    ::rocksdb::WriteBatch batch;
    batch.DeleteRange(family, lower, upper);
    if (Result<Ticket> deleted = commit(batch); !deleted) {
        return fail(std::move(deleted.error()));
    }
    ::rocksdb::CompactRangeOptions compact;
    compact.canceled = &thread_.stop_flag();
    compact.exclusive_manual_compaction = false;
    compact.bottommost_level_compaction = ::rocksdb::BottommostLevelCompaction::kForceOptimized;
    if (const ::rocksdb::Status status = parts_.db.CompactRange(compact, family, &lower, &upper); !status.ok()) {
        return fail(to_error(status));
    }
    return {};
}

Result<Ticket> Reclaimer::commit(::rocksdb::WriteBatch &batch)
{
    while (true) {
        Result<Ticket> committed = parts_.log.commit(batch, {});
        if (committed || committed.error().code != ErrorCode::would_block || !thread_.pause(kPause)) {
            return committed;
        }
    }
}

Result<void> Reclaimer::wait_until_durable(Ticket ticket)
{
    DurableWait wait;
    parts_.log.when_durable(ticket, wait);
    return wait.wait();
}

} // namespace basalt::storage

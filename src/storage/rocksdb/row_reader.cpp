// Point reads and scans.
#include "storage/rocksdb/row_reader.h"

#include "base/check.h"
#include "base/metrics.h"
#include "storage/rocksdb/scan_options.h"

#include <algorithm>

namespace basalt::storage {
namespace {

/// Deleted or overwritten rows that a scan may pass under Wait::never before it gives way.
constexpr std::uint64_t kInlineSkips = 2000;
constexpr std::size_t kValuesAtOnce = 16;

constexpr const char *kReadErrors = "basalt_read_errors_total";
constexpr const char *kReadErrorsHelp = "Reads that failed in the files of the database.";
Counter io_errors(kReadErrors, kReadErrorsHelp, {{"kind", "io"}});
Counter corruptions(kReadErrors, kReadErrorsHelp, {{"kind", "corruption"}});

} // namespace

RowReader::RowReader(const StoreParts &parts, Wait wait, View view)
    : parts_(parts),
      wait_(wait)
{
    if (wait == Wait::never) {
        options_.read_tier = ::rocksdb::kBlockCacheTier;
    }
    if (view == View::snapshot) {
        snapshot_ = parts_.db.GetSnapshot();
        options_.snapshot = snapshot_;
        // Not less than the snapshot's own number, and 0 in memory.
        see(parts_.log.latest());
    }
}

RowReader::~RowReader()
{
    if (snapshot_ != nullptr) {
        parts_.db.ReleaseSnapshot(snapshot_);
    }
}

Unexpected RowReader::failed(Error error)
{
    if (!failure_) {
        failure_ = error;
        if (error.code == ErrorCode::io_error || error.code == ErrorCode::corruption) {
            (error.code == ErrorCode::io_error ? io_errors : corruptions).add();
        }
    }
    return fail(std::move(error));
}

void RowReader::see(KeyspaceId keyspace, std::uint64_t hash)
{
    if (snapshot_ == nullptr) {
        see(parts_.log.last_written(VisibilitySlots::slot_of(keyspace, hash)));
    }
}

::rocksdb::PinnableSlice &RowReader::next_value()
{
    if (first_values_used_ < first_values_.size()) {
        return first_values_[first_values_used_++];
    }
    if (unused_values_.empty()) {
        unused_values_ = {value_arrays_.emplace_back(std::make_unique<::rocksdb::PinnableSlice[]>(kValuesAtOnce)).get(),
                          kValuesAtOnce};
    }
    ::rocksdb::PinnableSlice &value = unused_values_.front();
    unused_values_ = unused_values_.subspan(1);
    return value;
}

bool RowReader::may_be_unread(const ::rocksdb::PinnableSlice &value) const
{
    // RocksDB says OK and gives an empty value when a Get from the cache alone meets a file that is not open.
    return wait_ == Wait::never && value.empty();
}

Result<std::optional<Bytes>> RowReader::get(KeyspaceId keyspace, const Key &key)
{
    key_.clear();
    append_row_key(keyspace, key, key_);
    ::rocksdb::PinnableSlice &value = next_value();
    const ::rocksdb::Status status = parts_.db.Get(options_, parts_.families.of(keyspace), key_, &value);
    see(keyspace, key.hash);
    if (status.ok()) {
        if (may_be_unread(value)) {
            return failed(would_block_error());
        }
        return std::optional<Bytes>(value.ToStringView());
    }
    if (status.IsNotFound()) {
        return std::optional<Bytes>();
    }
    return failed(status);
}

Result<void> RowReader::multi_get(KeyspaceId keyspace, std::span<const Key> keys, std::span<std::optional<Bytes>> out)
{
    BASALT_CHECK(keys.size() == out.size());
    // RocksDB's MultiGet reads the disk even where only the cache is allowed.
    if (wait_ != Wait::never && keys.size() > 1) {
        return multi_get_batched(keyspace, keys, out);
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        Result<std::optional<Bytes>> value = get(keyspace, keys[i]);
        if (!value) {
            return fail(std::move(value.error()));
        }
        out[i] = *value;
    }
    return {};
}

Result<void> RowReader::multi_get_batched(KeyspaceId keyspace, std::span<const Key> keys,
                                          std::span<std::optional<Bytes>> out)
{
    std::vector<std::string> row_keys(keys.size());
    std::vector<::rocksdb::Slice> slices(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        append_row_key(keyspace, keys[i], row_keys[i]);
        slices[i] = row_keys[i];
    }
    const auto &values = value_arrays_.emplace_back(std::make_unique<::rocksdb::PinnableSlice[]>(keys.size()));
    std::vector<::rocksdb::Status> statuses(keys.size());
    parts_.db.MultiGet(options_, parts_.families.of(keyspace), keys.size(), slices.data(), values.get(),
                       statuses.data());
    for (const Key &key : keys) {
        see(keyspace, key.hash);
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (statuses[i].ok()) {
            out[i] = values[i].ToStringView();
        } else if (statuses[i].IsNotFound()) {
            out[i].reset();
        } else {
            return failed(statuses[i]);
        }
    }
    return {};
}

RowReader::Ending RowReader::walk(::rocksdb::Iterator &rows, const RowRange &range, bool backward,
                                  function_ref<bool(const Row &)> row) const
{
    if (!backward) {
        rows.Seek(range.lower);
    } else if (range.upper.empty()) {
        rows.SeekToLast();
    } else {
        // The bound is exclusive, also for a target that equals it.
        rows.SeekForPrev(range.upper);
    }
    std::uint32_t passed = 0;
    std::size_t bytes = 0;
    while (rows.Valid()) {
        if (wait_ == Wait::never && (passed >= kInlineScanRows || bytes >= kInlineScanBytes)) {
            return Ending::too_long;
        }
        const Row current{rows.key().ToStringView(), rows.value().ToStringView()};
        ++passed;
        bytes += current.value.size();
        if (!row(current)) {
            return Ending::stopped;
        }
        if (backward) {
            rows.Prev();
        } else {
            rows.Next();
        }
    }
    return Ending::exhausted;
}

Result<bool> RowReader::scan(KeyspaceId keyspace, const Range &range, function_ref<bool(const Row &)> row)
{
    const RowRange bounds = row_range(keyspace, range);
    if (bounds.empty()) {
        return true;
    }
    if (wait_ == Wait::never && range.rows_hint > kInlineScanRows) {
        return failed(would_block_error());
    }
    const ::rocksdb::Slice lower(bounds.lower);
    const ::rocksdb::Slice upper(bounds.upper);
    ::rocksdb::ReadOptions options = options_;
    options.iterate_lower_bound = &lower;
    options.iterate_upper_bound = bounds.upper.empty() ? nullptr : &upper;
    // Prefix filters only where both bounds, and so every seek and its target, share the prefix: SeekForPrev past it
    // would lose rows.
    options.total_order_seek = !bounds.one_prefix;
    options.max_skippable_internal_keys = wait_ == Wait::never ? kInlineSkips : 0;
    read_every_file(options);
    const std::unique_ptr<::rocksdb::Iterator> rows(parts_.db.NewIterator(options, parts_.families.of(keyspace)));
    if (!range.partition && snapshot_ == nullptr) {
        see(parts_.log.latest());
    }
    const Ending ending = walk(*rows, bounds, range.backward, row);
    if (range.partition) {
        see(keyspace, range.first_hash);
    }
    parts_.stale_versions.scanned();
    if (ending == Ending::too_long) {
        return failed(would_block_error());
    }
    if (!rows->status().ok()) {
        return failed(rows->status());
    }
    return ending == Ending::exhausted;
}

Result<bool> RowReader::read_log(KeyspaceId log, LogPosition after, function_ref<bool(LogPosition, Bytes)> record)
{
    std::string first;
    append_log_key(log, next_position(after), first);
    const RowRange bounds = keyspace_range(log);
    const ::rocksdb::Slice lower(first);
    const ::rocksdb::Slice upper(bounds.upper);
    ::rocksdb::ReadOptions options = options_;
    options.iterate_lower_bound = &lower;
    options.iterate_upper_bound = bounds.upper.empty() ? nullptr : &upper;
    options.total_order_seek = true;
    read_every_file(options);
    // Before the iterator exists: every commit up to here is in what it shows.
    const std::uint64_t durable = parts_.log.last_durable();
    const std::unique_ptr<::rocksdb::Iterator> rows(parts_.db.NewIterator(options, parts_.families.of(log)));
    std::uint32_t passed = 0;
    std::size_t bytes = 0;
    for (rows->Seek(lower); rows->Valid(); rows->Next()) {
        const LogPosition position = log_position(rows->key().ToStringView());
        if (position.commit > durable) {
            return true;
        }
        if (wait_ == Wait::never && (++passed > kInlineScanRows || bytes > kInlineScanBytes)) {
            return failed(would_block_error());
        }
        bytes += rows->value().size();
        if (!record(position, rows->value().ToStringView())) {
            return false;
        }
    }
    if (!rows->status().ok()) {
        return failed(rows->status());
    }
    return true;
}

} // namespace basalt::storage

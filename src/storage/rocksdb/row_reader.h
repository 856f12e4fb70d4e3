// The reads of one body: point reads, scans, and the ticket that covers all they saw.
#pragma once

#include "storage/rocksdb/commit_log.h"
#include "storage/rocksdb/families.h"
#include "storage/rocksdb/stale_versions.h"
#include "storage/rocksdb/status.h"
#include "storage/row_key.h"

#include <rocksdb/db.h>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace basalt::storage {

/// What bodies work with.
struct StoreParts {
    ::rocksdb::DB &db;
    const Families &families;
    CommitLog &log;
    StaleVersions &stale_versions;
};

/// Used by one thread. Has the meaning of Reader, without its virtual calls.
class RowReader {
public:
    RowReader(const StoreParts &parts, Wait wait, View view);
    ~RowReader();
    RowReader(const RowReader &) = delete;
    RowReader &operator=(const RowReader &) = delete;

    [[nodiscard]] Result<std::optional<Bytes>> get(KeyspaceId keyspace, const Key &key);
    [[nodiscard]] Result<void> multi_get(KeyspaceId keyspace, std::span<const Key> keys,
                                         std::span<std::optional<Bytes>> out);
    [[nodiscard]] Result<bool> scan(KeyspaceId keyspace, const Range &range, function_ref<bool(const Row &)> row);

    [[nodiscard]] Result<bool> read_log(KeyspaceId log, LogPosition after,
                                        function_ref<bool(LogPosition, Bytes)> record);

    /// Covers everything seen so far.
    [[nodiscard]] Ticket ticket() const { return ticket_; }
    /// The first failure. It decides the whole call, as a body might overlook it.
    [[nodiscard]] const std::optional<Error> &failure() const { return failure_; }

private:
    enum class Ending : std::uint8_t { exhausted, stopped, too_long };

    [[nodiscard]] Unexpected failed(Error error);
    [[nodiscard]] Unexpected failed(const ::rocksdb::Status &status) { return failed(to_error(status)); }
    [[nodiscard]] Result<void> multi_get_batched(KeyspaceId keyspace, std::span<const Key> keys,
                                                 std::span<std::optional<Bytes>> out);
    [[nodiscard]] ::rocksdb::PinnableSlice &next_value();
    [[nodiscard]] bool may_be_unread(const ::rocksdb::PinnableSlice &value) const;
    void see(KeyspaceId keyspace, std::uint64_t hash);
    void see(Ticket ticket) { ticket_ = std::max(ticket_, ticket); }
    [[nodiscard]] Ending walk(::rocksdb::Iterator &rows, const RowRange &range, bool backward,
                              function_ref<bool(const Row &)> row) const;

    const StoreParts parts_;
    const Wait wait_;
    const ::rocksdb::Snapshot *snapshot_ = nullptr;
    ::rocksdb::ReadOptions options_;
    Ticket ticket_;
    std::optional<Error> failure_;
    std::string key_;
    // Values stay pinned until the body has returned.
    std::array<::rocksdb::PinnableSlice, 2> first_values_;
    std::size_t first_values_used_ = 0;
    std::vector<std::unique_ptr<::rocksdb::PinnableSlice[]>> value_arrays_;
    std::span<::rocksdb::PinnableSlice> unused_values_; // of the last array made for single reads
};

} // namespace basalt::storage

// A RocksDB directory opened to look at it: the storage contract without its writing half.
#pragma once

#include "storage/rocksdb/families.h"
#include "storage/rocksdb/read_only_files.h"
#include "storage/store.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace rocksdb {
class DB;
class Env;
} // namespace rocksdb

namespace basalt::storage {

/// Thread-safe. Changes nothing on disk; the logs are replayed into memory, by the rules that serving has. Mutations
/// are refused. Reads may be made inside the body of a read. What a scan of unknown
/// length passes does not stay in the block cache.
class ReadingStore final : public Store {
public:
    /// Errors: corruption, io_error, each with RocksDB's reason.
    [[nodiscard]] static Result<std::unique_ptr<ReadingStore>>
    open(const std::filesystem::path &directory, const ShownLogs &logs, std::size_t memory_budget_bytes);
    ~ReadingStore() override;
    ReadingStore(const ReadingStore &) = delete;
    ReadingStore &operator=(const ReadingStore &) = delete;

    Outcome read(Wait wait, View view, Consistency consistency, function_ref<Result<void>(Reader &)> body) override;
    Outcome mutate(Wait wait, std::span<const LockKey> locks, function_ref<Result<void>(Mutation &)> body) override;
    [[nodiscard]] Durability durability(Ticket /*ticket*/) const override { return Durability::durable; }
    void when_durable(Ticket ticket, Waiter &waiter) override;
    void reclaim(KeyspaceId /*keyspace*/) override {}
    void close() override {}

    [[nodiscard]] ::rocksdb::DB &db() const { return *db_; }
    /// A family that the first start did not come to is missing: its handle is null, and it reads as empty.
    [[nodiscard]] const Families &families() const { return families_; }

private:
    ReadingStore() = default;

    std::unique_ptr<::rocksdb::Env> env_;
    std::unique_ptr<::rocksdb::DB> db_;
    Families families_;
};

} // namespace basalt::storage

// One run of a mutation's body: its reads, and the batch it fills.
#pragma once

#include "storage/rocksdb/keyspace_numbers.h"
#include "storage/rocksdb/row_reader.h"

#include <rocksdb/write_batch.h>

namespace basalt::storage {

class MutationBody final : public Mutation {
public:
    MutationBody(const StoreParts &parts, KeyspaceNumbers &numbers, Wait wait);

    Result<std::optional<Bytes>> get(KeyspaceId keyspace, const Key &key) override;
    Result<void> multi_get(KeyspaceId keyspace, std::span<const Key> keys,
                           std::span<std::optional<Bytes>> out) override;
    Result<bool> scan(KeyspaceId keyspace, const Range &range, function_ref<bool(const Row &)> row) override;
    Result<bool> read_log(KeyspaceId log, LogPosition after, function_ref<bool(LogPosition, Bytes)> record) override;
    void put(KeyspaceId keyspace, const Key &key, Bytes value) override;
    void remove(KeyspaceId keyspace, const Key &key) override;
    void append(KeyspaceId log, Bytes record) override;
    void trim_log(KeyspaceId log, LogPosition after, LogPosition last) override;
    Result<KeyspaceId> create_keyspace(KeyspaceKind kind) override;
    void drop_keyspace(KeyspaceId keyspace) override;

    [[nodiscard]] const RowReader &reader() const { return reader_; }
    [[nodiscard]] bool wrote() const { return batch_.Count() != 0 || !records_.empty() || creates_keyspace_; }
    /// Whether it may be let pass only while there is space: it does more than remove rows and keep counters.
    [[nodiscard]] bool takes_space() const { return puts_data_ || puts_ > removes_ || creates_keyspace_; }
    /// Once. Errors: would_block, internal_server_error; nothing is written then.
    [[nodiscard]] Result<Ticket> commit();
    /// After a commit, as Outcome::appended.
    [[nodiscard]] LogPosition appended() const { return appended_; }

private:
    void append_records(::rocksdb::WriteBatch &batch, std::uint64_t sequence);
    [[nodiscard]] const std::string &written_key(KeyspaceId keyspace, const Key &key);

    const StoreParts parts_;
    KeyspaceNumbers &numbers_;
    RowReader reader_;
    ::rocksdb::WriteBatch batch_;
    std::vector<VisibilitySlots::Slot> slots_;
    struct Record {
        KeyspaceId log;
        std::string bytes;
    };
    std::vector<Record> records_;
    LogPosition appended_;
    std::string key_;
    std::size_t puts_ = 0;
    std::size_t removes_ = 0;
    bool puts_data_ = false; // a value that is no counter
    bool creates_keyspace_ = false;
};

} // namespace basalt::storage

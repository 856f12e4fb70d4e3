// Filling and committing a mutation's batch.
#include "storage/rocksdb/mutation_body.h"

namespace basalt::storage {
namespace {

/// Room for an item of the usual size, its key and the record headers.
constexpr std::size_t kBatchReserveBytes = 2048;

} // namespace

MutationBody::MutationBody(const StoreParts &parts, KeyspaceNumbers &numbers, Wait wait)
    : parts_(parts),
      numbers_(numbers),
      reader_(parts, wait, View::latest),
      batch_(kBatchReserveBytes)
{}

Result<std::optional<Bytes>> MutationBody::get(KeyspaceId keyspace, const Key &key)
{
    return reader_.get(keyspace, key);
}

Result<void> MutationBody::multi_get(KeyspaceId keyspace, std::span<const Key> keys,
                                     std::span<std::optional<Bytes>> out)
{
    return reader_.multi_get(keyspace, keys, out);
}

Result<bool> MutationBody::scan(KeyspaceId keyspace, const Range &range, function_ref<bool(const Row &)> row)
{
    return reader_.scan(keyspace, range, row);
}

Result<bool> MutationBody::read_log(KeyspaceId log, LogPosition after, function_ref<bool(LogPosition, Bytes)> record)
{
    return reader_.read_log(log, after, record);
}

const std::string &MutationBody::written_key(KeyspaceId keyspace, const Key &key)
{
    slots_.push_back(VisibilitySlots::slot_of(keyspace, key.hash));
    key_.clear();
    append_row_key(keyspace, key, key_);
    return key_;
}

void MutationBody::put(KeyspaceId keyspace, const Key &key, Bytes value)
{
    ++puts_;
    puts_data_ = puts_data_ || value.size() > kCounterBytes;
    batch_.Put(parts_.families.of(keyspace), written_key(keyspace, key), value);
}

void MutationBody::remove(KeyspaceId keyspace, const Key &key)
{
    ++removes_;
    batch_.Delete(parts_.families.of(keyspace), written_key(keyspace, key));
}

void MutationBody::append(KeyspaceId log, Bytes record)
{
    ++puts_; // of a row that goes the record is a small part: not counted as data
    records_.push_back({log, std::string(record)});
}

void MutationBody::trim_log(KeyspaceId log, LogPosition after, LogPosition last)
{
    // One by one: scans do not see range tombstones (scan_options.h). Should the read fail, so does the mutation.
    (void)reader_.read_log(log, after, [&](LogPosition position, Bytes) {
        if (position > last) {
            return false;
        }
        key_.clear();
        append_log_key(log, position, key_);
        batch_.Delete(parts_.families.of(log), key_);
        return true;
    });
}

Result<KeyspaceId> MutationBody::create_keyspace(KeyspaceKind kind)
{
    creates_keyspace_ = true;
    return numbers_.allocate(kind);
}

void MutationBody::drop_keyspace(KeyspaceId keyspace)
{
    mark_dropped(batch_, parts_.families, keyspace);
}

Result<Ticket> MutationBody::commit()
{
    if (!creates_keyspace_ && records_.empty()) {
        return parts_.log.commit(batch_, slots_);
    }
    const auto complete = [this](::rocksdb::WriteBatch &batch, std::uint64_t sequence) {
        if (creates_keyspace_) {
            numbers_.save(batch, parts_.families);
        }
        append_records(batch, sequence);
    };
    const function_ref<void(::rocksdb::WriteBatch &, std::uint64_t)> finish(complete);
    return parts_.log.commit(batch_, slots_, &finish);
}

void MutationBody::append_records(::rocksdb::WriteBatch &batch, std::uint64_t sequence)
{
    appended_ = {sequence, 0};
    for (const Record &record : records_) {
        key_.clear();
        append_log_key(record.log, appended_, key_);
        batch.Put(parts_.families.of(record.log), key_, record.bytes);
        ++appended_.ordinal;
    }
    if (records_.empty()) {
        appended_ = {};
    } else {
        --appended_.ordinal;
    }
}

} // namespace basalt::storage

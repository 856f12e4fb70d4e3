// The metadata family's rows.
#include "storage/rocksdb/keyspace_numbers.h"

#include "storage/rocksdb/scan_options.h"
#include "storage/rocksdb/status.h"

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <memory>
#include <optional>

namespace basalt::storage {
namespace {

constexpr std::string_view kNextNumber = "keyspaces";
constexpr std::string_view kDropped = "dropped/";
constexpr std::string_view kBehindDropped = "dropped0"; // '0' follows '/'
constexpr std::uint32_t kNumberLimit = 1U << 28U;

std::string encode(std::uint32_t value)
{
    std::string out;
    for (int shift = 24; shift >= 0; shift -= 8) {
        out.push_back(static_cast<char>(value >> static_cast<unsigned>(shift)));
    }
    return out;
}

std::optional<std::uint32_t> decode(Bytes bytes)
{
    if (bytes.size() != 4) {
        return std::nullopt;
    }
    std::uint32_t value = 0;
    for (const char byte : bytes) {
        value = (value << 8U) | static_cast<unsigned char>(byte);
    }
    return value;
}

std::string mark_of(KeyspaceId keyspace)
{
    return std::string(kDropped) + encode(static_cast<std::uint32_t>(keyspace));
}

Unexpected damaged()
{
    return fail(ErrorCode::corruption, "a row of the metadata family does not decode");
}

} // namespace

Result<void> KeyspaceNumbers::load(::rocksdb::DB &db, const Families &families)
{
    std::string stored;
    const ::rocksdb::Status status = db.Get(::rocksdb::ReadOptions(), families[Family::metadata], kNextNumber, &stored);
    if (status.IsNotFound()) {
        return {};
    }
    if (!status.ok()) {
        return fail(to_error(status));
    }
    const std::optional<std::uint32_t> next = decode(stored);
    if (!next) {
        return damaged();
    }
    next_.store(*next);
    return {};
}

Result<KeyspaceId> KeyspaceNumbers::allocate(KeyspaceKind kind)
{
    const std::uint32_t number = next_.fetch_add(1);
    if (number >= kNumberLimit) {
        next_.store(kNumberLimit);
        return fail(ErrorCode::limit_exceeded, "No more tables or indexes can be created in this database");
    }
    return make_keyspace_id(kind, number);
}

void KeyspaceNumbers::save(::rocksdb::WriteBatch &batch, const Families &families) const
{
    batch.Put(families[Family::metadata], kNextNumber, encode(next_.load()));
}

void mark_dropped(::rocksdb::WriteBatch &batch, const Families &families, KeyspaceId keyspace)
{
    batch.Put(families[Family::metadata], mark_of(keyspace), "");
}

void unmark_dropped(::rocksdb::WriteBatch &batch, const Families &families, KeyspaceId keyspace)
{
    batch.Delete(families[Family::metadata], mark_of(keyspace));
}

Result<std::vector<KeyspaceId>> dropped_keyspaces(::rocksdb::DB &db, const Families &families)
{
    const ::rocksdb::Slice end(kBehindDropped);
    ::rocksdb::ReadOptions options;
    options.iterate_upper_bound = &end;
    read_every_file(options);
    const std::unique_ptr<::rocksdb::Iterator> rows(db.NewIterator(options, families[Family::metadata]));
    std::vector<KeyspaceId> out;
    for (rows->Seek(kDropped); rows->Valid(); rows->Next()) {
        const std::optional<std::uint32_t> id = decode(rows->key().ToStringView().substr(kDropped.size()));
        if (!id) {
            return damaged();
        }
        out.push_back(static_cast<KeyspaceId>(*id));
    }
    if (!rows->status().ok()) {
        return fail(to_error(rows->status()));
    }
    return out;
}

bool is_metadata_row(Bytes key, Bytes value)
{
    if (key == kNextNumber) {
        return decode(value).has_value();
    }
    if (!key.starts_with(kDropped) || !value.empty()) {
        return false;
    }
    const std::optional<std::uint32_t> id = decode(key.substr(kDropped.size()));
    return id && kind_of(static_cast<KeyspaceId>(*id)) <= KeyspaceKind::change_log;
}

} // namespace basalt::storage

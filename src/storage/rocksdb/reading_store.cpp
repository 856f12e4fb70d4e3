// Opening without writing, and the reads.
#include "storage/rocksdb/reading_store.h"

#include "storage/rocksdb/scan_options.h"
#include "storage/rocksdb/settings.h"
#include "storage/rocksdb/status.h"
#include "storage/row_key.h"

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <deque>

namespace basalt::storage {
namespace {

/// Serving keeps every table open; this need not.
constexpr int kOpenTables = 500;

::rocksdb::ReadOptions scan_options(const Range &range)
{
    ::rocksdb::ReadOptions options;
    // The next short scan may want the same block.
    options.fill_cache = range.rows_hint != 0;
    options.total_order_seek = true;
    return options;
}

class OneRead final : public Reader {
public:
    OneRead(::rocksdb::DB &db, const Families &families)
        : db_(db),
          families_(families)
    {}

    Result<std::optional<Bytes>> get(KeyspaceId keyspace, const Key &key) override
    {
        if (families_.of(keyspace) == nullptr) {
            return std::optional<Bytes>();
        }
        row_key_.clear();
        append_row_key(keyspace, key, row_key_);
        ::rocksdb::PinnableSlice &value = values_.emplace_back();
        const ::rocksdb::Status status = db_.Get(::rocksdb::ReadOptions(), families_.of(keyspace), row_key_, &value);
        if (status.IsNotFound()) {
            return std::optional<Bytes>();
        }
        if (!status.ok()) {
            return failed(to_error(status));
        }
        return std::optional<Bytes>(value.ToStringView());
    }

    Result<void> multi_get(KeyspaceId keyspace, std::span<const Key> keys, std::span<std::optional<Bytes>> out) override
    {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            Result<std::optional<Bytes>> value = get(keyspace, keys[i]);
            if (!value) {
                return fail(std::move(value.error()));
            }
            out[i] = *value;
        }
        return {};
    }

    Result<bool> scan(KeyspaceId keyspace, const Range &range, function_ref<bool(const Row &)> row) override
    {
        const RowRange bounds = row_range(keyspace, range);
        if (bounds.empty() || families_.of(keyspace) == nullptr) {
            return true;
        }
        const ::rocksdb::Slice lower(bounds.lower);
        const ::rocksdb::Slice upper(bounds.upper);
        ::rocksdb::ReadOptions options = scan_options(range);
        options.iterate_lower_bound = &lower;
        options.iterate_upper_bound = bounds.upper.empty() ? nullptr : &upper;
        read_every_file(options);
        const std::unique_ptr<::rocksdb::Iterator> rows(db_.NewIterator(options, families_.of(keyspace)));
        if (range.backward) {
            rows->SeekToLast();
        } else {
            rows->SeekToFirst();
        }
        while (rows->Valid()) {
            if (!row({rows->key().ToStringView(), rows->value().ToStringView()})) {
                return false;
            }
            if (range.backward) {
                rows->Prev();
            } else {
                rows->Next();
            }
        }
        if (!rows->status().ok()) {
            return failed(to_error(rows->status()));
        }
        return true;
    }

    /// Everything in the files is durable.
    Result<bool> read_log(KeyspaceId log, LogPosition after, function_ref<bool(LogPosition, Bytes)> record) override
    {
        if (families_.of(log) == nullptr) {
            return true;
        }
        std::string first;
        append_log_key(log, next_position(after), first);
        const RowRange bounds = keyspace_range(log);
        const ::rocksdb::Slice lower(first);
        const ::rocksdb::Slice upper(bounds.upper);
        ::rocksdb::ReadOptions options;
        options.iterate_lower_bound = &lower;
        options.iterate_upper_bound = bounds.upper.empty() ? nullptr : &upper;
        options.total_order_seek = true;
        read_every_file(options);
        const std::unique_ptr<::rocksdb::Iterator> rows(db_.NewIterator(options, families_.of(log)));
        for (rows->Seek(lower); rows->Valid(); rows->Next()) {
            if (rows->key().size() != first.size()) {
                return failed({ErrorCode::corruption, "a change log has a record without a proper position"});
            }
            if (!record(log_position(rows->key().ToStringView()), rows->value().ToStringView())) {
                return false;
            }
        }
        if (!rows->status().ok()) {
            return failed(to_error(rows->status()));
        }
        return true;
    }

    [[nodiscard]] const std::optional<Error> &failure() const { return failure_; }

private:
    Unexpected failed(Error error)
    {
        if (!failure_) {
            failure_ = error;
        }
        return fail(std::move(error));
    }

    ::rocksdb::DB &db_;
    const Families &families_;
    std::string row_key_;
    std::deque<::rocksdb::PinnableSlice> values_; // pinned until the body has returned
    std::optional<Error> failure_;
};

/// Those of our families that the database has, in the order of Family.
Result<std::vector<::rocksdb::ColumnFamilyDescriptor>> existing(const DatabaseSettings &settings,
                                                                const std::string &path)
{
    std::vector<std::string> names;
    if (const ::rocksdb::Status status = ::rocksdb::DB::ListColumnFamilies(settings.database, path, &names);
        !status.ok()) {
        return fail(to_error(status));
    }
    std::vector<::rocksdb::ColumnFamilyDescriptor> families = settings.families;
    std::erase_if(families, [&](const auto &family) {
        return std::find(names.begin(), names.end(), family.name) == names.end();
    });
    if (names.size() > families.size()) {
        return fail(ErrorCode::corruption, "there are column families that Basalt does not make");
    }
    return families;
}

} // namespace

Result<std::unique_ptr<ReadingStore>> ReadingStore::open(const std::filesystem::path &directory, const ShownLogs &logs,
                                                         std::size_t memory_budget_bytes)
{
    std::unique_ptr<ReadingStore> store(new ReadingStore);
    store->env_ = ::rocksdb::NewCompositeEnv(read_only_files(::rocksdb::FileSystem::Default(), logs));
    RocksdbOptions options;
    options.memory_budget_bytes = memory_budget_bytes;
    DatabaseSettings settings = database_settings(options, store->env_.get());
    settings.database.create_if_missing = false;
    settings.database.create_missing_column_families = false;
    settings.database.max_open_files = kOpenTables;
    settings.database.statistics = nullptr;
    const std::string path = directory.string();
    auto families = existing(settings, path);
    if (!families) {
        return fail(std::move(families).error());
    }
    std::vector<::rocksdb::ColumnFamilyHandle *> handles;
    ::rocksdb::DB *db = nullptr;
    const ::rocksdb::Status status = ::rocksdb::DB::OpenForReadOnly(settings.database, path, *families, &handles, &db);
    if (!status.ok()) {
        return fail(to_error(status));
    }
    store->db_.reset(db);
    std::vector<::rocksdb::ColumnFamilyHandle *> by_family(kFamilyCount, nullptr);
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const auto named = [&](const auto &family) { return family.name == (*families)[i].name; };
        by_family[static_cast<std::size_t>(std::find_if(settings.families.begin(), settings.families.end(), named) -
                                           settings.families.begin())] = handles[i];
    }
    store->families_ = Families(by_family);
    return store;
}

ReadingStore::~ReadingStore()
{
    if (db_ == nullptr) {
        return;
    }
    for (::rocksdb::ColumnFamilyHandle *family : families_.all()) {
        if (family != nullptr) {
            db_->DestroyColumnFamilyHandle(family);
        }
    }
}

Outcome ReadingStore::read(Wait /*wait*/, View /*view*/, Consistency /*consistency*/,
                           function_ref<Result<void>(Reader &)> body)
{
    OneRead reader(*db_, families_);
    Result<void> result = body(reader);
    if (reader.failure()) {
        return {fail(*reader.failure()), {}};
    }
    return {std::move(result), {}};
}

Outcome ReadingStore::mutate(Wait /*wait*/, std::span<const LockKey> /*locks*/,
                             function_ref<Result<void>(Mutation &)> /*body*/)
{
    return {fail(unavailable_error()), {}};
}

void ReadingStore::when_durable(Ticket /*ticket*/, Waiter &waiter)
{
    waiter.ready({});
}

} // namespace basalt::storage

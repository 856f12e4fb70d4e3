// The store itself: opening, the two calls, closing.
#include "storage/rocksdb/rocksdb_store.h"

#include "base/call_gate.h"
#include "base/check.h"
#include "base/log.h"
#include "base/metrics.h"
#include "storage/rocksdb/background_errors.h"
#include "storage/rocksdb/data_directory.h"
#include "storage/rocksdb/files.h"
#include "storage/rocksdb/free_space.h"
#include "storage/rocksdb/lock_stripes.h"
#include "storage/rocksdb/log_recovery.h"
#include "storage/rocksdb/mutation_body.h"
#include "storage/rocksdb/reclaimer.h"
#include "storage/rocksdb/settings.h"

#include <rocksdb/convenience.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <bit>

namespace basalt::storage {
namespace {

Counter refused_writes("basalt_refused_writes_total", "Writes refused for lack of free space.");

constexpr const char *kInMemoryPath = "/basalt";
/// With more than this in the memtables, or with more logs than this left from earlier runs, flushing at close is
/// quicker than replaying the logs at the next start.
constexpr std::uint64_t kFlushAtCloseBytes = 8U << 20U;
constexpr std::size_t kFlushAtCloseLogs = 8;
/// For a manifest, the first blocks of a log and what else opening writes.
constexpr std::uint64_t kOpeningBytes = 1U << 20U;

class ReadBody final : public Reader {
public:
    ReadBody(const StoreParts &parts, Wait wait, View view)
        : reader_(parts, wait, view)
    {}
    Result<std::optional<Bytes>> get(KeyspaceId keyspace, const Key &key) override
    {
        return reader_.get(keyspace, key);
    }
    Result<void> multi_get(KeyspaceId keyspace, std::span<const Key> keys, std::span<std::optional<Bytes>> out) override
    {
        return reader_.multi_get(keyspace, keys, out);
    }
    Result<bool> scan(KeyspaceId keyspace, const Range &range, function_ref<bool(const Row &)> row) override
    {
        return reader_.scan(keyspace, range, row);
    }
    Result<bool> read_log(KeyspaceId log, LogPosition after, function_ref<bool(LogPosition, Bytes)> record) override
    {
        return reader_.read_log(log, after, record);
    }
    [[nodiscard]] const RowReader &reader() const { return reader_; }

private:
    RowReader reader_;
};

/// An open RocksDB and what it needs to live.
struct OpenDatabase {
    std::optional<DataDirectory> directory;
    std::unique_ptr<::rocksdb::Env> env;
    std::shared_ptr<BackgroundErrors> errors = std::make_shared<BackgroundErrors>();
    Families families;
    std::unique_ptr<::rocksdb::DB> db;
    std::string path;
    std::size_t old_logs = 0;
};

class RocksdbStore final : public Store {
public:
    RocksdbStore(const RocksdbOptions &options, OpenDatabase opened);
    ~RocksdbStore() override { close(); }

    /// Errors: corruption, io_error.
    Result<void> start();

    Outcome read(Wait wait, View view, Consistency consistency, function_ref<Result<void>(Reader &)> body) override;
    Outcome mutate(Wait wait, std::span<const LockKey> locks, function_ref<Result<void>(Mutation &)> body) override;
    [[nodiscard]] Durability durability(Ticket ticket) const override { return log_.durability(ticket); }
    void when_durable(Ticket ticket, Waiter &waiter) override { log_.when_durable(ticket, waiter); }
    [[nodiscard]] bool failed() override;
    void reclaim(KeyspaceId keyspace) override { reclaimer_.add(keyspace); }
    void close() override;

private:
    [[nodiscard]] Outcome finish_read(const RowReader &reader, Result<void> result) const;
    [[nodiscard]] Outcome attempt(Wait wait, std::span<const LockKey> locks,
                                  function_ref<Result<void>(Mutation &)> body);
    void flush_if_worthwhile();

    const RocksdbOptions options_;
    OpenDatabase opened_;
    CallGate gate_;
    LockStripes stripes_;
    FreeSpace free_space_;
    KeyspaceNumbers numbers_;
    CommitLog log_;
    BackgroundThread background_;
    StaleVersions stale_versions_;
    const StoreParts parts_;
    Reclaimer reclaimer_;
    std::mutex close_mutex_;
};

RocksdbStore::RocksdbStore(const RocksdbOptions &options, OpenDatabase opened)
    : options_(options),
      opened_(std::move(opened)),
      stripes_(options.lock_stripes),
      free_space_(opened_.env->GetFileSystem(), opened_.path, options.in_memory ? 0 : options.free_space_floor_bytes),
      log_(*opened_.db, *opened_.errors, {options.in_memory, options.log_sync}),
      stale_versions_(*opened_.db, opened_.families, opened_.db->GetDBOptions().statistics, background_),
      parts_{*opened_.db, opened_.families, log_, stale_versions_},
      reclaimer_(parts_, background_)
{}

Result<void> RocksdbStore::start()
{
    if (Result<void> loaded = numbers_.load(*opened_.db, opened_.families); !loaded) {
        return loaded;
    }
    Result<std::vector<KeyspaceId>> dropped = dropped_keyspaces(*opened_.db, opened_.families);
    if (!dropped) {
        return fail(std::move(dropped.error()));
    }
    for (const KeyspaceId keyspace : *dropped) {
        reclaimer_.add(keyspace);
    }
    return {};
}

Outcome RocksdbStore::finish_read(const RowReader &reader, Result<void> result) const
{
    const Ticket ticket = reader.ticket();
    if (reader.failure()) {
        return {fail(*reader.failure()), ticket};
    }
    if (log_.failed() && log_.durability(ticket) == Durability::failed) {
        return {fail(unavailable_error()), ticket};
    }
    return {std::move(result), ticket};
}

Outcome RocksdbStore::read(Wait wait, View view, Consistency /*consistency*/, function_ref<Result<void>(Reader &)> body)
{
    const CallGate::Pass pass(gate_);
    if (!pass) {
        return {fail(unavailable_error()), {}};
    }
    ReadBody reader(parts_, wait, view);
    Result<void> result = body(reader);
    return finish_read(reader.reader(), std::move(result));
}

Outcome RocksdbStore::mutate(Wait wait, std::span<const LockKey> locks, function_ref<Result<void>(Mutation &)> body)
{
    const CallGate::Pass pass(gate_);
    if (!pass) {
        return {fail(unavailable_error()), {}};
    }
    const auto deadline = std::chrono::steady_clock::now() + options_.patience;
    std::chrono::microseconds pause{500};
    while (true) {
        Outcome outcome = attempt(wait, locks, body);
        const bool stalled = !outcome.result && outcome.result.error().code == ErrorCode::would_block;
        if (wait == Wait::never || !stalled) {
            return outcome;
        }
        if (opened_.errors->out_of_space()) {
            return {fail(unavailable_error()), {}};
        }
        if (std::chrono::steady_clock::now() >= deadline) {
            return {fail(ErrorCode::throttling, "The database cannot keep up with the writes at the moment"), {}};
        }
        // Without its stripes: others may read and fail while RocksDB catches up.
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds(50'000));
    }
}

Outcome RocksdbStore::attempt(Wait wait, std::span<const LockKey> locks, function_ref<Result<void>(Mutation &)> body)
{
    if (log_.failed()) {
        return {fail(unavailable_error()), {}};
    }
    HeldStripes held(stripes_);
    if (Result<void> locked = held.lock(locks, wait, options_.lock_patience); !locked) {
        return {std::move(locked), {}, held.busy()};
    }
    MutationBody mutation(parts_, numbers_, wait);
    Result<void> result = body(mutation);
    if (!result || mutation.reader().failure() || !mutation.wrote()) {
        held.unlock();
        return finish_read(mutation.reader(), std::move(result));
    }
    if (mutation.takes_space() && !free_space_.enough()) {
        refused_writes.add();
        return {fail(unavailable_error()), mutation.reader().ticket()};
    }
    Result<Ticket> committed = mutation.commit();
    held.unlock();
    if (!committed) {
        return {fail(std::move(committed.error())), mutation.reader().ticket()};
    }
    return {{}, std::max(*committed, mutation.reader().ticket()), 0, mutation.appended()};
}

bool RocksdbStore::failed()
{
    const CallGate::Pass pass(gate_);
    if (!pass || (!log_.failed() && !opened_.errors->fatal())) {
        return false;
    }
    // On a full disk it could not be opened, and this one still answers reads.
    std::uint64_t memtables = 0;
    opened_.db->GetAggregatedIntProperty(::rocksdb::DB::Properties::kCurSizeAllMemTables, &memtables);
    return free_space_.room_for(memtables + kOpeningBytes);
}

void RocksdbStore::flush_if_worthwhile()
{
    if (options_.in_memory || log_.failed()) {
        return;
    }
    std::uint64_t bytes = 0;
    opened_.db->GetAggregatedIntProperty(::rocksdb::DB::Properties::kCurSizeAllMemTables, &bytes);
    if (bytes < kFlushAtCloseBytes && opened_.old_logs < kFlushAtCloseLogs) {
        return;
    }
    const auto &all = opened_.families.all();
    const ::rocksdb::Status status =
        opened_.db->Flush(flush_at_once(true), std::vector<::rocksdb::ColumnFamilyHandle *>(all.begin(), all.end()));
    if (!status.ok()) {
        spdlog::warn("flushing '{}' at close failed ({}); the next start replays the log", opened_.path,
                     status.ToString());
    }
}

void RocksdbStore::close()
{
    const std::lock_guard lock(close_mutex_);
    if (opened_.db == nullptr) {
        return;
    }
    gate_.close();
    background_.stop();
    log_.close();
    flush_if_worthwhile();
    ::rocksdb::CancelAllBackgroundWork(opened_.db.get(), true);
    for (::rocksdb::ColumnFamilyHandle *family : opened_.families.all()) {
        opened_.db->DestroyColumnFamilyHandle(family);
    }
    if (const ::rocksdb::Status status = opened_.db->Close(); !status.ok()) {
        spdlog::warn("closing '{}': {}", opened_.path, status.ToString());
    }
    opened_.db.reset();
    opened_.directory.reset();
}

Error open_error(const std::string &path, const ::rocksdb::Status &status)
{
    Error error = to_error(status);
    if (status.IsCorruption()) {
        error.message = "The data in '" + path + "' is damaged and has been left as it is: " + status.ToString() + ".";
    } else {
        error.message = "Cannot open the data in '" + path + "': " + status.ToString() + ".";
        error.code = ErrorCode::io_error;
    }
    return error;
}

Result<OpenDatabase> open_database(const RocksdbOptions &options)
{
    OpenDatabase opened;
    SyncedLogs old_logs;
    std::unique_ptr<::rocksdb::Env> memory;
    if (options.in_memory) {
        memory.reset(::rocksdb::NewMemEnv(::rocksdb::Env::Default()));
        opened.env = ::rocksdb::NewCompositeEnv(store_files(memory->GetFileSystem(), opened.errors));
        opened.path = kInMemoryPath;
        static_cast<void>(memory->CreateDirIfMissing(opened.path)); // RocksDB complains when it is absent
    } else {
        Result<DataDirectory> directory = DataDirectory::claim(options.data_dir);
        if (!directory) {
            return fail(std::move(directory.error()));
        }
        opened.directory.emplace(std::move(*directory));
        opened.path = options.data_dir.string();
        const auto files = options.file_system ? options.file_system : ::rocksdb::FileSystem::Default();
        if (Result<void> settled = settle_logs(*files, options.data_dir, options.memory_budget_bytes); !settled) {
            return fail(std::move(settled.error()));
        }
        Result<SyncedLogs> synced = opened.directory->sync_logs(*files);
        if (!synced && options.logs == RecoveredLogs::trusted) {
            return fail(std::move(synced.error()));
        }
        if (synced) {
            old_logs = std::move(*synced);
        }
        opened.old_logs = old_logs.size();
        opened.env = ::rocksdb::NewCompositeEnv(store_files(files, opened.errors));
    }
    DatabaseSettings settings = database_settings(options, opened.env.get());
    settings.database.listeners.push_back(opened.errors);
    std::vector<::rocksdb::ColumnFamilyHandle *> handles;
    ::rocksdb::DB *db = nullptr;
    const ::rocksdb::Status status =
        ::rocksdb::DB::Open(settings.database, opened.path, settings.families, &handles, &db);
    if (!status.ok()) {
        return fail(open_error(opened.path, status));
    }
    opened.db.reset(db);
    opened.families = Families(handles);
    if (Result<void> noted = opened.directory ? opened.directory->note_synced_logs(old_logs) : Result<void>(); !noted) {
        return fail(std::move(noted.error()));
    }
    return opened;
}

/// Writes everything recovered from the logs to tables, so that the logs are not needed any more.
Result<void> replace_logs(OpenDatabase &opened)
{
    const auto &all = opened.families.all();
    const ::rocksdb::Status status =
        opened.db->Flush(flush_at_once(true), std::vector<::rocksdb::ColumnFamilyHandle *>(all.begin(), all.end()));
    if (!status.ok()) {
        return fail(open_error(opened.path, status));
    }
    opened.old_logs = 0;
    return {};
}

} // namespace

Result<std::unique_ptr<Store>> open_rocksdb(RocksdbOptions options)
{
    if (!std::has_single_bit(options.lock_stripes)) {
        return fail(ErrorCode::invalid_options, "The number of lock stripes is not a power of two.");
    }
    Result<OpenDatabase> opened = open_database(options);
    if (!opened) {
        return fail(std::move(opened.error()));
    }
    const bool replace = options.logs == RecoveredLogs::doubted && !options.in_memory;
    Result<void> replaced = replace ? replace_logs(*opened) : Result<void>();
    auto store = std::make_unique<RocksdbStore>(options, std::move(*opened));
    if (!replaced) {
        return fail(std::move(replaced.error()));
    }
    if (Result<void> started = store->start(); !started) {
        return fail(std::move(started.error()));
    }
    return std::unique_ptr<Store>(std::move(store));
}

} // namespace basalt::storage

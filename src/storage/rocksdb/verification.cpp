// The check of the files, from CURRENT to the rows' keyspaces.
#include "storage/rocksdb/verification.h"

#include "storage/rocksdb/directory_files.h"
#include "storage/rocksdb/keyspace_numbers.h"
#include "storage/rocksdb/log_recovery.h"
#include "storage/rocksdb/log_scan.h"
#include "storage/rocksdb/reading_store.h"
#include "storage/rocksdb/settings.h"
#include "storage/row_key.h"

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/sst_file_reader.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>

namespace basalt::storage {
namespace {

constexpr std::string_view kDirectory = "the directory";
constexpr std::string_view kManifestKind = "the MANIFEST";
constexpr std::string_view kTable = "a table file";
constexpr std::string_view kLog = "a log";
constexpr std::string_view kOpening = "opening";
constexpr std::string_view kKeyspace = "a row outside of all keyspaces";

/// RocksDB's messages may have several lines.
std::string one_line(std::string text)
{
    for (char &byte : text) {
        byte = static_cast<unsigned char>(byte) < ' ' ? ' ' : byte;
    }
    return text;
}

/// What the tables alone say, with the logs left out.
struct TablesState {
    std::uint64_t last_sequence = 0;
    /// Logs of smaller numbers are not needed any more.
    std::uint64_t oldest_log = 0;
    std::set<std::uint64_t> tables;
};

class FileCheck {
public:
    FileCheck(VerifiedFiles &verified, const std::filesystem::path &path, std::size_t memory_budget_bytes,
              FindingSink found)
        : verified_(verified),
          path_(path),
          memory_budget_bytes_(memory_budget_bytes),
          found_(found)
    {}

    Result<void> run();

private:
    void error(std::string_view kind, std::string text) { found_({Severity::error, kind, one_line(std::move(text))}); }
    void note(std::string_view kind, std::string text) { found_({Severity::note, kind, one_line(std::move(text))}); }

    bool check_current();
    void check_manifest(std::uint64_t number);
    void read_tables();
    void read_logs();
    void look_at_tables();
    void judge_tables();
    void open_all();
    void judge_logs();
    void judge_log_end(std::uint64_t number, const LogScan &log);
    void judge_hole(std::uint64_t before_number, std::uint64_t number);
    void judge_log_order();
    void take_stock();
    void no_family(Family family);
    void list_keyspaces(Family family, KeyspaceKind kind);
    void check_metadata();

    VerifiedFiles &verified_;
    const std::filesystem::path &path_;
    const std::size_t memory_budget_bytes_;
    FindingSink found_;
    DirectoryFiles files_;
    std::map<std::uint64_t, LogScan> logs_;
    std::map<std::uint64_t, std::string> damaged_tables_; // with what RocksDB says
    std::optional<TablesState> tables_;
    SyncedLogs synced_;
    LogCuts cuts_;
    ReadingStore *store_ = nullptr; // verified_'s
};

Result<void> FileCheck::run()
{
    Result<DirectoryFiles> listed = list_files(path_);
    if (!listed) {
        return fail(std::move(listed).error());
    }
    files_ = std::move(*listed);
    verified_.files = files_.count;
    verified_.bytes = files_.bytes;
    for (const std::string &name : files_.strangers) {
        note(kDirectory, "'" + name + "' is no file of Basalt");
    }
    for (const std::string &name : files_.temporary) {
        note(kDirectory, "'" + name + "' was left when the server was interrupted; nothing reads it");
    }
    read_tables();
    read_logs();
    if (check_current()) {
        look_at_tables();
        open_all();
    }
    judge_tables();
    judge_logs();
    if (store_ != nullptr) {
        take_stock();
    }
    return {};
}

/// False: there is nothing to open.
bool FileCheck::check_current()
{
    if (!files_.has_current) {
        if (!files_.tables.empty() || !files_.logs.empty()) {
            error(kManifestKind, "the file CURRENT is missing, which says which MANIFEST counts");
        } else {
            note(kDirectory, "there is no data: the first start was interrupted");
        }
        return false;
    }
    std::ifstream file(path_ / "CURRENT", std::ios::binary);
    std::string text(64, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    for (const auto &[number, bytes] : files_.manifests) {
        if (text == manifest_name(number) + "\n") {
            check_manifest(number);
            return true;
        }
    }
    error(kManifestKind, "the file CURRENT does not name a MANIFEST that is there");
    return false;
}

void FileCheck::check_manifest(std::uint64_t number)
{
    for (const auto &[other, bytes] : files_.manifests) {
        if (other != number) {
            note(kManifestKind, "'" + manifest_name(other) + "' is not the one that counts; a crash leaves such files");
        }
    }
    const std::string name = "'" + manifest_name(number) + "'";
    const Result<LogScan> scan = scan_log(path_ / manifest_name(number));
    if (!scan) {
        error(kManifestKind, scan.error().message);
    } else if (scan->end == LogEnd::torn) {
        note(kManifestKind, name + " ends in the middle of an entry, behind byte " + std::to_string(scan->sound_bytes) +
                                ": a crash may leave it so");
    } else if (scan->end != LogEnd::clean) {
        error(kManifestKind, name + " is damaged behind byte " + std::to_string(scan->sound_bytes));
    }
}

/// Every block of every table against its checksum.
void FileCheck::read_tables()
{
    const std::unique_ptr<::rocksdb::Env> env =
        ::rocksdb::NewCompositeEnv(read_only_files(::rocksdb::FileSystem::Default(), ShownLogs::all()));
    RocksdbOptions options;
    options.memory_budget_bytes = memory_budget_bytes_;
    const DatabaseSettings settings = database_settings(options, env.get());
    const ::rocksdb::Options of_items(settings.database,
                                      settings.families[static_cast<std::size_t>(Family::items)].options);
    ::rocksdb::ReadOptions reading;
    reading.fill_cache = false;
    reading.readahead_size = std::size_t{1} << 20;
    for (const auto &[number, bytes] : files_.tables) {
        ::rocksdb::SstFileReader table(of_items);
        ::rocksdb::Status status = table.Open((path_ / table_name(number)).string());
        if (status.ok()) {
            status = table.VerifyChecksum(reading);
        }
        if (!status.ok()) {
            damaged_tables_[number] = status.ToString();
        }
    }
}

void FileCheck::read_logs()
{
    Result<SyncedLogs> synced = read_synced_logs(path_);
    if (synced) {
        synced_ = std::move(*synced);
    }
    const Result<void> whole = synced ? check_synced_logs(path_, synced_) : Result<void>(fail(synced.error()));
    if (!whole) {
        error(kLog, whole.error().message);
    }
    auto scanned = scan_logs(path_);
    if (scanned) {
        logs_ = std::move(*scanned);
    } else {
        error(kLog, scanned.error().message);
    }
}

void FileCheck::look_at_tables()
{
    Result<std::unique_ptr<ReadingStore>> opened = ReadingStore::open(path_, ShownLogs::none(), memory_budget_bytes_);
    if (!opened) {
        error(kOpening, "the database cannot be opened: " + opened.error().message);
        return;
    }
    ::rocksdb::DB &db = (*opened)->db();
    TablesState state;
    state.last_sequence = db.GetLatestSequenceNumber();
    db.GetIntProperty(::rocksdb::DB::Properties::kMinLogNumberToKeep, &state.oldest_log);
    std::vector<::rocksdb::LiveFileMetaData> live;
    db.GetLiveFilesMetaData(&live);
    for (const ::rocksdb::LiveFileMetaData &file : live) {
        state.tables.insert(file.file_number);
    }
    tables_ = std::move(state);
}

void FileCheck::judge_tables()
{
    for (const auto &[number, bytes] : files_.tables) {
        const auto damaged = damaged_tables_.find(number);
        const bool is_listed = !tables_ || tables_->tables.contains(number);
        if (damaged != damaged_tables_.end() && is_listed) {
            error(kTable, "'" + table_name(number) + "' is damaged: " + damaged->second);
        }
        if (!is_listed) {
            note(kTable, "'" + table_name(number) +
                             "' does not belong to the database: a crash while it was written or about to be deleted "
                             "leaves such files until the next start");
        }
    }
}

void FileCheck::open_all()
{
    if (tables_) {
        cuts_ = plan_log_cuts(logs_, synced_, tables_->oldest_log).cuts;
    }
    // As the next start will leave them.
    Result<std::unique_ptr<ReadingStore>> opened =
        ReadingStore::open(path_, ShownLogs::within(cuts_), memory_budget_bytes_);
    if (opened) {
        store_ = opened->get();
        verified_.store = std::move(*opened);
    } else if (tables_) {
        error(kOpening, "the logs cannot be replayed: " + opened.error().message);
    }
}

void FileCheck::judge_logs()
{
    for (const auto &[number, log] : logs_) {
        if (tables_ && number < tables_->oldest_log) {
            note(kLog,
                 "'" + log_name(number) + "' is not needed any more; a crash leaves such files until the next start");
        } else {
            judge_log_end(number, log);
        }
    }
    if (tables_) {
        judge_log_order();
    }
}

void FileCheck::judge_log_end(std::uint64_t number, const LogScan &log)
{
    const std::string name = "'" + log_name(number) + "'";
    const std::string where = ", behind byte " + std::to_string(log.sound_bytes) + " of " + std::to_string(log.size);
    switch (log.end) {
    case LogEnd::clean:
        if (log.payloads == 0 && number == logs_.rbegin()->first) {
            note(kLog,
                 name + ", the newest log, is empty: nothing was written since the last start, or it was emptied");
        }
        return;
    case LogEnd::torn:
        note(kLog, name + " ends in the middle of a commit" + where + ": a crash may leave it so");
        return;
    case LogEnd::garbled:
        if (store_ != nullptr && cuts_.contains(number)) {
            note(kLog, name + " ends in bytes that are no commits" + where +
                           ": a power cut may leave it so, and the next start cuts them off");
        } else {
            error(kLog, name + " ends in bytes that are no commits" + where);
        }
        return;
    case LogEnd::damaged:
        error(kLog, name + " is damaged" + where);
        return;
    }
}

/// Changes are missing between two logs.
void FileCheck::judge_hole(std::uint64_t before_number, std::uint64_t number)
{
    const LogScan &before = logs_.at(before_number);
    const std::string missing = "changes " + std::to_string(before.next) + " to " +
                                std::to_string(logs_.at(number).first - 1) + " are missing between '" +
                                log_name(before_number) + "' and '" + log_name(number) + "'";
    if (store_ != nullptr && cuts_.contains(number)) {
        note(kLog, missing + ": a power cut may take such as nobody was told of, and the next start cuts off what is "
                             "behind them");
    } else if (before.end == LogEnd::clean || before.end == LogEnd::torn) {
        error(kLog, missing);
    }
}

/// Whether the logs begin where the tables end, and each where the one before it ends.
void FileCheck::judge_log_order()
{
    const LogScan *before = nullptr;
    std::uint64_t before_number = 0;
    bool any = false;
    for (const auto &[number, log] : logs_) {
        if (number < tables_->oldest_log) {
            continue;
        }
        any = true;
        if (log.payloads == 0) {
            continue;
        }
        if (before == nullptr && log.first > tables_->last_sequence + 1) {
            error(kLog, "the tables end with change " + std::to_string(tables_->last_sequence) +
                            " and the logs begin with " + std::to_string(log.first) + " in '" + log_name(number) +
                            "': a log or the end of the MANIFEST is lost, and what was between with it");
        }
        if (before != nullptr && log.first > before->next) {
            judge_hole(before_number, number);
        }
        before = &log;
        before_number = number;
    }
    if (!any) {
        note(kLog, "there is no log that counts: the last start was interrupted before it made one, or it was lost");
    }
}

void FileCheck::take_stock()
{
    check_metadata();
    list_keyspaces(Family::catalog, KeyspaceKind::catalog);
    list_keyspaces(Family::items, KeyspaceKind::items);
    list_keyspaces(Family::local_index, KeyspaceKind::local_index);
    list_keyspaces(Family::global_index, KeyspaceKind::global_index);
    list_keyspaces(Family::expiry, KeyspaceKind::expiry);
    list_keyspaces(Family::change_log, KeyspaceKind::change_log);
}

void FileCheck::no_family(Family family)
{
    const bool is_new = files_.tables.empty() && std::all_of(logs_.begin(), logs_.end(),
                                                             [](const auto &log) { return log.second.payloads == 0; });
    const std::string name = name_of(family);
    if (is_new) {
        note(kDirectory, "there is no family " + name + " yet: the first start was interrupted");
    } else {
        error(kManifestKind, "there is no family " + name + ": the MANIFEST is not whole");
    }
}

/// Goes from keyspace to keyspace, not from row to row.
void FileCheck::list_keyspaces(Family family, KeyspaceKind kind)
{
    ::rocksdb::ColumnFamilyHandle *const handle = store_->families()[family];
    if (handle == nullptr) {
        no_family(family);
        return;
    }
    ::rocksdb::ReadOptions options;
    options.total_order_seek = true;
    const std::unique_ptr<::rocksdb::Iterator> rows(store_->db().NewIterator(options, handle));
    rows->SeekToFirst();
    while (rows->Valid()) {
        const Bytes key = rows->key().ToStringView();
        if (key.size() < kRowPrefixBytes) {
            error(kKeyspace, std::string("the family ") + name_of(family) + " has a row with a key of " +
                                 std::to_string(key.size()) + " bytes");
            rows->Next();
            continue;
        }
        std::uint32_t id = 0;
        for (const char byte : key.substr(0, 4)) {
            id = id << 8U | static_cast<unsigned char>(byte);
        }
        const auto keyspace = static_cast<KeyspaceId>(id);
        if (kind_of(keyspace) == kind) {
            verified_.with_rows.push_back(keyspace);
        } else {
            error(kKeyspace, std::string("the family ") + name_of(family) + " has rows of keyspace " +
                                 std::to_string(id) + ", which belongs elsewhere");
        }
        const RowRange range = keyspace_range(keyspace);
        if (range.upper.empty()) {
            break;
        }
        rows->Seek(range.upper);
    }
    if (!rows->status().ok()) {
        error(kTable, std::string("the family ") + name_of(family) + " cannot be read: " + rows->status().ToString());
    }
}

void FileCheck::check_metadata()
{
    ::rocksdb::DB &db = store_->db();
    const std::unique_ptr<::rocksdb::Iterator> rows(
        db.NewIterator(::rocksdb::ReadOptions(), store_->families()[Family::metadata]));
    bool sound = true;
    for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
        if (!is_metadata_row(rows->key().ToStringView(), rows->value().ToStringView())) {
            error(kKeyspace, "a row of the metadata family is none of those that there are");
            sound = false;
        }
    }
    if (!rows->status().ok()) {
        error(kTable, "the metadata family cannot be read: " + rows->status().ToString());
        sound = false;
    }
    if (!sound) {
        return;
    }
    KeyspaceNumbers numbers;
    const Result<void> loaded = numbers.load(db, store_->families());
    Result<std::vector<KeyspaceId>> dropped = dropped_keyspaces(db, store_->families());
    if (!loaded || !dropped) {
        error(kTable, "the metadata family cannot be read");
        return;
    }
    verified_.next_number = numbers.next();
    verified_.dropped = std::move(*dropped);
}

} // namespace

Result<VerifiedFiles> verify_files(const std::filesystem::path &path, std::size_t memory_budget_bytes,
                                   FindingSink found)
{
    Result<DataDirectory> directory = DataDirectory::claim_to_read(path);
    if (!directory) {
        return fail(std::move(directory).error());
    }
    VerifiedFiles verified{std::move(*directory)};
    if (Result<void> checked = FileCheck(verified, path, memory_budget_bytes, found).run(); !checked) {
        return fail(std::move(checked).error());
    }
    return verified;
}

} // namespace basalt::storage

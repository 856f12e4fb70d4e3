// The check of a directory's files: quiet about sound ones and about what crashes leave, loud about damage, and without
// a trace in the directory.
#include "contract/backends.h"
#include "contract/calls.h"
#include "storage/rocksdb/directory_files.h"
#include "storage/rocksdb/log_scan.h"
#include "storage/rocksdb/rocksdb_store.h"
#include "storage/rocksdb/verification.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <thread>

namespace basalt::storage {
namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, std::string>;

std::string contents(const fs::path &file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class RocksdbVerification : public testing::Test {
protected:
    void SetUp() override
    {
        options_.data_dir = directory_.path();
        options_.memtable_bytes = 64 << 10;
    }

    /// Rows in several tables and logs. The store stays open.
    std::unique_ptr<Store> make_rows()
    {
        Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        EXPECT_TRUE(store);
        keyspace_ = create_keyspace(**store);
        for (std::uint64_t i = 0; i < kRows; ++i) {
            // One at a time, so that flushes come between them.
            EXPECT_TRUE(wait_until_durable(**store, put(**store, keyspace_, {i, "p"}, value(i))));
        }
        return std::move(*store);
    }
    void make_closed_rows() { make_rows()->close(); }
    static std::string value(std::uint64_t i) { return std::to_string(i) + std::string(1500, 'v'); }

    [[nodiscard]] fs::path path() const { return directory_.path(); }
    [[nodiscard]] Files all_files() const
    {
        Files out;
        for (const fs::directory_entry &entry : fs::directory_iterator(path())) {
            out[entry.path().filename().string()] = contents(entry.path());
        }
        return out;
    }
    /// The files of an open store, between two flushes.
    [[nodiscard]] Files files_at_rest() const
    {
        Files before = all_files();
        while (true) {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            Files after = all_files();
            if (before == after) {
                return after;
            }
            before = std::move(after);
        }
    }
    void restore(const Files &files) const
    {
        for (const fs::directory_entry &entry : fs::directory_iterator(path())) {
            if (!files.contains(entry.path().filename().string())) {
                fs::remove(entry.path());
            }
        }
        for (const auto &[name, bytes] : files) {
            write(name, bytes);
        }
    }
    void write(const std::string &name, const std::string &bytes) const
    {
        std::ofstream(path() / name, std::ios::binary | std::ios::trunc) << bytes;
    }
    [[nodiscard]] std::vector<std::string> names(const std::string &ending) const
    {
        std::vector<std::string> out;
        for (const fs::directory_entry &entry : fs::directory_iterator(path())) {
            if (entry.path().filename().string().ends_with(ending) && entry.file_size() > 0) {
                out.push_back(entry.path().filename().string());
            }
        }
        std::sort(out.begin(), out.end());
        return out;
    }
    [[nodiscard]] std::string manifest() const
    {
        std::string name = contents(path() / "CURRENT");
        name.pop_back();
        return name;
    }

    /// Checks, and sees to it that nothing is changed by it. What was found is in errors_ and notes_.
    void verify()
    {
        errors_.clear();
        notes_.clear();
        rows_.reset();
        const Files before = all_files();
        {
            const auto found = [&](Finding finding) {
                EXPECT_EQ(finding.text.find_first_of("\n\r\t"), std::string::npos) << finding.text;
                (finding.severity == Severity::error ? errors_ : notes_).push_back(finding.text);
            };
            Result<VerifiedFiles> verified = verify_files(path(), std::size_t{32} << 20, found);
            ASSERT_TRUE(verified) << verified.error().message;
            if (verified->store != nullptr) {
                read_rows(*verified->store);
                with_rows_ = verified->with_rows;
                dropped_ = verified->dropped;
                next_number_ = verified->next_number;
            }
        }
        EXPECT_TRUE(before == all_files());
    }
    /// Counts the rows that are there and right.
    void read_rows(Store &store)
    {
        rows_ = 0;
        const Outcome outcome = store.read(Wait::allowed, View::latest, Consistency::strong, [&](Reader &reader) {
            for (std::uint64_t i = 0; i < kRows; ++i) {
                const auto found = reader.get(keyspace_, {i, "p"});
                *rows_ += found && *found && **found == value(i) ? 1 : 0;
            }
            return Result<void>();
        });
        rows_readable_ = outcome.result.has_value();
    }
    void expect_sound()
    {
        verify();
        EXPECT_EQ(errors_, std::vector<std::string>{});
        EXPECT_EQ(rows_, kRows);
    }
    [[nodiscard]] std::string told() const
    {
        return "errors " + testing::PrintToString(errors_) + ", notes " + testing::PrintToString(notes_);
    }
    [[nodiscard]] static bool mentions(const std::vector<std::string> &texts, const std::string &part)
    {
        return std::any_of(texts.begin(), texts.end(),
                           [&](const std::string &text) { return text.find(part) != std::string::npos; });
    }
    void expect_error(const std::string &part)
    {
        verify();
        EXPECT_TRUE(mentions(errors_, part)) << told();
    }
    void expect_note(const std::string &part)
    {
        verify();
        EXPECT_EQ(errors_, std::vector<std::string>{});
        EXPECT_TRUE(mentions(notes_, part)) << told();
    }

    static constexpr std::uint64_t kRows = 400;
    TemporaryDirectory directory_;
    RocksdbOptions options_;
    KeyspaceId keyspace_{};
    std::vector<std::string> errors_, notes_;
    std::optional<std::uint64_t> rows_; // nothing: could not be opened
    bool rows_readable_ = false;
    std::vector<KeyspaceId> with_rows_, dropped_;
    std::uint32_t next_number_ = 0;
};

TEST_F(RocksdbVerification, ASoundDirectoryIsSound)
{
    make_closed_rows();
    ASSERT_GT(names(".sst").size(), 1U);
    expect_sound();
    EXPECT_EQ(with_rows_, std::vector<KeyspaceId>{keyspace_});
    EXPECT_EQ(next_number_, 2U);
    EXPECT_EQ(notes_, std::vector<std::string>{});
}

TEST_F(RocksdbVerification, TheFilesOfAServerThatWasKilledAreSound)
{
    const std::unique_ptr<Store> store = make_rows();
    const Files as_killed = files_at_rest();
    store->close();
    restore(as_killed);
    expect_sound();
}

TEST_F(RocksdbVerification, ShowsChangeLogsAndKnowsDroppedKeyspacesOfEveryKind)
{
    const std::unique_ptr<Store> store = make_rows();
    const KeyspaceId log = create_keyspace(*store, KeyspaceKind::change_log);
    LogPosition first;
    for (const Bytes record : {"one", "two", "three"}) {
        const Outcome appended = store->mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
            mutation.append(log, record);
            return {};
        });
        first = first == LogPosition{} ? appended.appended : first;
    }
    std::vector<KeyspaceId> dropped;
    for (const KeyspaceKind kind : {KeyspaceKind::items, KeyspaceKind::local_index, KeyspaceKind::global_index,
                                    KeyspaceKind::expiry, KeyspaceKind::change_log}) {
        dropped.push_back(create_keyspace(*store, kind));
    }
    ASSERT_TRUE(store
                    ->mutate(Wait::allowed, {},
                             [&](Mutation &mutation) -> Result<void> {
                                 for (const KeyspaceId keyspace : dropped) {
                                     mutation.drop_keyspace(keyspace);
                                 }
                                 return {};
                             })
                    .result);
    store->close();
    expect_sound();
    EXPECT_EQ(with_rows_, (std::vector<KeyspaceId>{keyspace_, log}));
    EXPECT_EQ(dropped_, dropped);

    std::vector<std::string> records;
    const auto ignore = [](const Finding &) {};
    const Result<VerifiedFiles> verified = verify_files(path(), std::size_t{32} << 20, ignore);
    ASSERT_TRUE(verified && verified->store != nullptr);
    const auto read = [&](Reader &reader) -> Result<void> {
        const auto take = [&](LogPosition, Bytes record) {
            records.emplace_back(record);
            return true;
        };
        const Result<bool> ended = reader.read_log(log, first, take);
        return ended && *ended ? Result<void>() : fail(ErrorCode::corruption, "the log does not end");
    };
    EXPECT_TRUE(verified->store->read(Wait::allowed, View::latest, Consistency::strong, read).result);
    EXPECT_EQ(records, (std::vector<std::string>{"two", "three"}));
}

TEST_F(RocksdbVerification, WhatIsOpenOrNotOursIsNotChecked)
{
    const auto refusal = [&] {
        const auto verified =
            verify_files(path(), std::size_t{32} << 20, [](Finding finding) { ADD_FAILURE() << finding.text; });
        EXPECT_FALSE(verified);
        EXPECT_NE(verified.error().message.find(path().string()), std::string::npos) << verified.error().message;
        return verified ? ErrorCode::validation : verified.error().code;
    };
    EXPECT_EQ(refusal(), ErrorCode::io_error);
    EXPECT_FALSE(fs::exists(path()));
    fs::create_directory(path());
    EXPECT_EQ(refusal(), ErrorCode::unsupported_format);
    EXPECT_TRUE(fs::is_empty(path()));
    {
        const std::unique_ptr<Store> store = make_rows();
        EXPECT_EQ(refusal(), ErrorCode::locked);
    }
    write("BASALT", "basalt format 999\n");
    EXPECT_EQ(refusal(), ErrorCode::unsupported_format);
}

TEST_F(RocksdbVerification, KeepsServersOut)
{
    make_closed_rows();
    const Result<VerifiedFiles> verified = verify_files(path(), std::size_t{32} << 20, [](Finding) {});
    ASSERT_TRUE(verified);
    const Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::locked);
}

TEST_F(RocksdbVerification, FindsAFlippedBitAnywhereInATable)
{
    make_closed_rows();
    const std::string name = names(".sst").front();
    const std::string sound = contents(path() / name);
    int positions = 0;
    // The footer, at the end, has a few bytes that mean nothing.
    constexpr std::size_t kFooterBytes = 53;
    for (std::size_t at = 0; at + kFooterBytes < sound.size(); at += sound.size() / 60) {
        std::string damaged = sound;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        write(name, damaged);
        verify();
        EXPECT_TRUE(mentions(errors_, name)) << "byte " << at << " of " << sound.size() << ": " << told();
        ++positions;
    }
    EXPECT_GT(positions, 50);
    write(name, sound);
    expect_sound();
}

TEST_F(RocksdbVerification, FindsALostOrShortenedTable)
{
    make_closed_rows();
    const std::string name = names(".sst").front();
    const std::string sound = contents(path() / name);
    write(name, sound.substr(0, sound.size() / 2));
    expect_error(name);
    fs::remove(path() / name);
    expect_error(name.substr(0, name.find('.')));
}

TEST_F(RocksdbVerification, ATableThatBelongsToNobodyIsANote)
{
    make_closed_rows();
    fs::copy_file(path() / names(".sst").front(), path() / "000999.sst");
    expect_note("'000999.sst' does not belong to the database");
    EXPECT_EQ(rows_, kRows);
    write("precious.txt", "mine");
    expect_note("'precious.txt'");
    write("000998.dbtmp", "");
    expect_note("'000998.dbtmp'");
}

TEST_F(RocksdbVerification, FindsDamageInALogAndTellsOfATornEnd)
{
    make_closed_rows();
    const std::string name = names(".log").back();
    const std::string sound = contents(path() / name);
    ASSERT_GT(sound.size(), 5000U);
    std::string damaged = sound;
    damaged[damaged.size() / 3] = static_cast<char>(damaged[damaged.size() / 3] ^ 1);
    write(name, damaged);
    expect_error("'" + name + "' is damaged");
    EXPECT_EQ(rows_, std::nullopt);

    write(name, sound.substr(0, sound.size() - 5));
    expect_note("'" + name + "' ends in the middle of a commit");
    EXPECT_EQ(rows_, kRows - 1);
    write(name, sound + std::string(5000, '\0'));
    expect_note("'" + name + "' ends in the middle of a commit");
    EXPECT_EQ(rows_, kRows);
    write(name, "");
    expect_note("is empty");
    EXPECT_LT(rows_, kRows);
}

TEST_F(RocksdbVerification, FindsAnOlderLogThatWasLostOrShortened)
{
    {
        const std::unique_ptr<Store> store = std::move(open_rocksdb(options_).value());
        // Stays in its memtable and keeps the first log alive.
        put(*store, kCatalogKeyspace, {0, "table"}, "x");
    }
    make_closed_rows();
    const std::vector<std::string> logs = names(".log");
    ASSERT_GT(logs.size(), 2U);
    expect_sound();
    const std::string sound = contents(path() / logs[1]);
    write(logs[1], sound.substr(0, sound.size() / 2));
    expect_error("the logs cannot be replayed");
    fs::remove(path() / logs[1]);
    expect_error("Missing WAL");
}

TEST_F(RocksdbVerification, FindsTheBeginningOfTheLogsLost)
{
    options_.memtable_bytes = 0;
    make_closed_rows();
    ASSERT_EQ(names(".log").size(), 1U);
    const std::string first = names(".log").front();
    {
        const std::unique_ptr<Store> store = std::move(open_rocksdb(options_).value());
        put(*store, keyspace_, {0, "p"}, value(0));
    }
    expect_sound();
    // RocksDB did not note its length, as nothing followed it while it was written.
    write(first, "");
    expect_error("the logs begin with");
}

TEST_F(RocksdbVerification, AManifestCutAnywhereIsFoundOrLosesNothing)
{
    make_closed_rows();
    // What this start finds in the logs goes to tables, so that no old row keeps an old log alive.
    options_.logs = RecoveredLogs::doubted;
    const std::unique_ptr<Store> store = std::move(open_rocksdb(options_).value());
    for (std::uint64_t i = 0; i < kRows; ++i) {
        ASSERT_TRUE(wait_until_durable(*store, put(*store, keyspace_, {i, "p"}, value(i))));
    }
    const Files as_killed = files_at_rest();
    const std::string name = manifest();
    store->close();
    const std::string &sound = as_killed.at(name);
    int found = 0;
    for (std::size_t bytes = 0; bytes < sound.size(); bytes += 1 + sound.size() / 80) {
        restore(as_killed);
        write(name, sound.substr(0, bytes));
        verify();
        const bool all_there = rows_ == kRows && rows_readable_;
        EXPECT_TRUE(all_there || !errors_.empty())
            << "cut at " << bytes << " of " << sound.size() << ", " << rows_.value_or(0) << " rows; " << told();
        found += errors_.empty() ? 0 : 1;
    }
    EXPECT_GT(found, 10);
    restore(as_killed);
    verify();
    EXPECT_TRUE(rows_ == kRows && rows_readable_) << told();
}

TEST_F(RocksdbVerification, FindsADamagedManifest)
{
    make_closed_rows();
    const std::string name = manifest();
    std::string damaged = contents(path() / name);
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
    write(name, damaged);
    expect_error("'" + name + "' is damaged");
    fs::remove(path() / name);
    expect_error("CURRENT does not name");
}

TEST_F(RocksdbVerification, FindsALostCurrent)
{
    make_closed_rows();
    write("CURRENT", "MANIFEST");
    expect_error("CURRENT");
    fs::remove(path() / "CURRENT");
    expect_error("CURRENT is missing");
}

TEST_F(RocksdbVerification, AnInterruptedFirstStartIsSound)
{
    make_closed_rows();
    const std::string format = contents(path() / "BASALT");
    restore({{"BASALT", format}, {"BASALT.lock", ""}});
    expect_note("there is no data");
    EXPECT_EQ(rows_, std::nullopt);
}

TEST(LogScan, ReadsWhatRocksdbWroteAndSaysWhereItEnds)
{
    TemporaryDirectory directory;
    RocksdbOptions options;
    options.data_dir = directory.path();
    {
        const std::unique_ptr<Store> store = std::move(open_rocksdb(options).value());
        const KeyspaceId keyspace = create_keyspace(*store);
        for (std::uint64_t i = 0; i < 100; ++i) {
            // Some go over several blocks.
            put(*store, keyspace, {i, "p"}, std::string(i * 700, 'v'));
        }
    }
    const DirectoryFiles files = list_files(options.data_dir).value();
    ASSERT_EQ(files.logs.size(), 1U);
    const fs::path file = options.data_dir / log_name(files.logs.begin()->first);
    const std::string sound = contents(file);
    LogScan scan = scan_log(file).value();
    EXPECT_EQ(scan.end, LogEnd::clean);
    EXPECT_EQ(scan.payloads, 101U);
    EXPECT_EQ(scan.sound_bytes, sound.size());
    EXPECT_EQ(scan.next, scan.first + 101); // the first commit writes the number of the next keyspace
    for (const std::size_t cut : {std::size_t{1}, std::size_t{6}, std::size_t{7}, sound.size() / 2, sound.size() - 1}) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << sound.substr(0, cut);
        scan = scan_log(file).value();
        EXPECT_EQ(scan.end, LogEnd::torn) << cut;
        EXPECT_LT(scan.sound_bytes, cut + 1) << cut;
    }
    std::string garbled = sound;
    garbled.back() = static_cast<char>(garbled.back() ^ 1);
    std::ofstream(file, std::ios::binary | std::ios::trunc) << garbled;
    scan = scan_log(file).value();
    EXPECT_EQ(scan.end, LogEnd::garbled);
    EXPECT_EQ(scan.payloads, 100U);
}

} // namespace
} // namespace basalt::storage

// Scans over a level of several files, of which some cannot be read: a scan that succeeds has met every row.
#include "contract/backends.h"
#include "contract/calls.h"
#include "contract/fault_files.h"
#include "storage/rocksdb/families.h"
#include "storage/rocksdb/rocksdb_store.h"
#include "storage/rocksdb/settings.h"

#include <rocksdb/env.h>

#include <algorithm>
#include <fstream>

namespace basalt::storage {
namespace {

namespace fs = std::filesystem;

class RocksdbLevelScan : public testing::Test {
protected:
    static constexpr std::uint64_t kRows = 400;

    void SetUp() override
    {
        options_.data_dir = directory_.path();
        options_.memtable_bytes = 64 << 10;
        options_.file_system = files_;
        open();
        keyspace_ = create_keyspace(*store_);
        for (std::uint64_t row = 0; row < kRows; ++row) {
            put(*store_, keyspace_, {row, "p"}, std::string(1000, 'v'));
        }
        store_.reset();
        compact();
        ASSERT_GT(tables().size(), 3U);
    }
    void open()
    {
        store_.reset();
        Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        ASSERT_TRUE(store) << store.error().message;
        store_ = std::move(*store);
    }
    /// All items into files of one level.
    void compact()
    {
        DatabaseSettings settings = database_settings(options_, ::rocksdb::Env::Default());
        ::rocksdb::ColumnFamilyOptions &items = settings.families[static_cast<std::size_t>(Family::items)].options;
        items.target_file_size_multiplier = 1;
        items.compression_per_level.clear();
        items.compression = ::rocksdb::kNoCompression;
        std::vector<::rocksdb::ColumnFamilyHandle *> handles;
        ::rocksdb::DB *opened = nullptr;
        ASSERT_TRUE(
            ::rocksdb::DB::Open(settings.database, options_.data_dir.string(), settings.families, &handles, &opened)
                .ok());
        const std::unique_ptr<::rocksdb::DB> db(opened);
        ::rocksdb::CompactRangeOptions all;
        all.bottommost_level_compaction = ::rocksdb::BottommostLevelCompaction::kForce;
        EXPECT_TRUE(db->CompactRange(all, Families(handles)[Family::items], nullptr, nullptr).ok());
        for (::rocksdb::ColumnFamilyHandle *handle : handles) {
            db->DestroyColumnFamilyHandle(handle);
        }
        EXPECT_TRUE(db->Close().ok());
    }
    /// Those with items, in the order of their rows.
    [[nodiscard]] std::vector<fs::path> tables() const
    {
        std::vector<fs::path> found;
        for (const fs::directory_entry &entry : fs::directory_iterator(directory_.path())) {
            if (entry.path().extension() == ".sst" && entry.file_size() > 10'000) {
                found.push_back(entry.path());
            }
        }
        std::sort(found.begin(), found.end());
        return found;
    }
    /// Scans the rows from that one on. An error: its code; success: none, and every row has to have been there.
    std::optional<ErrorCode> scan_from(std::uint64_t first, Wait wait, bool backward = false)
    {
        Range range;
        (backward ? range.last_hash : range.first_hash) = first;
        range.backward = backward;
        std::uint64_t rows = 0;
        const Outcome outcome =
            store_->read(wait, View::latest, Consistency::strong, [&](Reader &reader) -> Result<void> {
                rows = 0;
                const Result<bool> done = reader.scan(keyspace_, range, [&](const Row &) {
                    ++rows;
                    return true;
                });
                return done ? Result<void>() : Result<void>(fail(done.error()));
            });
        if (!outcome.result) {
            return outcome.result.error().code;
        }
        EXPECT_EQ(rows, backward ? first + 1 : kRows - first) << "from row " << first;
        return std::nullopt;
    }

    TemporaryDirectory directory_;
    std::shared_ptr<FaultFiles> files_ = std::make_shared<FaultFiles>();
    RocksdbOptions options_;
    std::unique_ptr<Store> store_;
    KeyspaceId keyspace_{};
};

TEST_F(RocksdbLevelScan, AFileThatIsNotCachedGivesWouldBlock)
{
    for (const bool backward : {false, true}) {
        open();
        int blocked = 0;
        for (std::uint64_t i = 0; i < kRows; ++i) {
            const std::uint64_t row = backward ? kRows - 1 - i : i;
            ASSERT_TRUE(get(*store_, keyspace_, {row, "p"})); // from here on, what follows is not cached
            const auto refused = scan_from(row, Wait::never, backward);
            ASSERT_TRUE(!refused || refused == ErrorCode::would_block);
            blocked += refused ? 1 : 0;
        }
        EXPECT_GT(blocked, 0);
        EXPECT_EQ(scan_from(backward ? kRows - 1 : 0, Wait::allowed, backward), std::nullopt);
    }
}

TEST_F(RocksdbLevelScan, AFileThatCannotBeReadGivesAnError)
{
    for (const bool backward : {false, true}) {
        open();
        int failed = 0;
        for (std::uint64_t i = 0; i < kRows; ++i) {
            const std::uint64_t row = backward ? kRows - 1 - i : i;
            ASSERT_TRUE(get(*store_, keyspace_, {row, "p"}));
            files_->fail(Fault::table_read);
            const auto error = scan_from(row, Wait::allowed, backward);
            files_->repair();
            ASSERT_TRUE(!error || error == ErrorCode::io_error);
            failed += error ? 1 : 0;
        }
        EXPECT_GT(failed, 0);
        EXPECT_EQ(scan_from(backward ? kRows - 1 : 0, Wait::allowed, backward), std::nullopt);
    }
}

TEST_F(RocksdbLevelScan, AFlippedByteInAnyFileGivesAnError)
{
    for (const fs::path &table : tables()) {
        constexpr std::streamoff kInFirstBlock = 100;
        std::fstream file(table, std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(kInFirstBlock);
        const char sound = static_cast<char>(file.get());
        for (const char byte : {static_cast<char>(sound ^ 1), sound}) {
            store_.reset();
            file.seekp(kInFirstBlock);
            file.put(byte).flush();
            open();
            const auto expected = byte == sound ? std::optional<ErrorCode>() : ErrorCode::corruption;
            EXPECT_EQ(scan_from(0, Wait::allowed), expected) << table;
            EXPECT_EQ(scan_from(kRows - 1, Wait::allowed, true), expected) << table;
        }
    }
}

} // namespace
} // namespace basalt::storage

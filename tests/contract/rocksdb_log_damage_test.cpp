// The border between what a power cut leaves in logs, which recovers to a prefix, and damage, which is refused with the
// files left as they are: at the places where RocksDB itself is more or less patient than that.
#include "contract/backends.h"
#include "contract/calls.h"
#include "storage/rocksdb/log_scan.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <random>

namespace basalt::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 20'261'201;
constexpr std::size_t kBlockBytes = 32'768;
constexpr std::size_t kPageBytes = 4096;

std::string contents(const fs::path &file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_contents(const fs::path &file, const std::string &bytes)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

class RocksdbLogDamage : public testing::Test {
protected:
    RocksdbLogDamage() { options_.data_dir = directory_.path(); }

    /// Rows in one log, unless the memtables are small. Durable, and closed.
    void make_rows(std::uint64_t count, std::size_t bytes)
    {
        Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        ASSERT_TRUE(store) << store.error().message;
        keyspace_ = create_keyspace(**store);
        // Stays in its memtable, and so keeps the first log alive.
        put(**store, kCatalogKeyspace, {0, "table"}, "x");
        for (std::uint64_t i = 0; i < count; ++i) {
            const Ticket ticket = put(**store, keyspace_, {i, "p"}, std::string(bytes, 'v'));
            if (options_.memtable_bytes != 0) {
                ASSERT_TRUE(wait_until_durable(**store, ticket));
            }
        }
        store->reset();
        files_ = all_files();
    }
    [[nodiscard]] std::map<std::string, std::string> all_files() const
    {
        std::map<std::string, std::string> out;
        for (const fs::directory_entry &entry : fs::directory_iterator(directory_.path())) {
            out[entry.path().filename().string()] = contents(entry.path());
        }
        return out;
    }
    /// As make_rows left them.
    void bring_back() const
    {
        fs::remove_all(directory_.path());
        fs::create_directory(directory_.path());
        for (const auto &[name, bytes] : files_) {
            write_contents(directory_.path() / name, bytes);
        }
    }
    /// The logs that hold something, oldest first.
    [[nodiscard]] std::vector<fs::path> logs() const
    {
        std::vector<fs::path> out;
        for (const fs::directory_entry &entry : fs::directory_iterator(directory_.path())) {
            if (entry.path().extension() == ".log" && entry.file_size() > 0) {
                out.push_back(entry.path());
            }
        }
        std::sort(out.begin(), out.end());
        return out;
    }
    /// What a log of those bytes holds.
    [[nodiscard]] LogScan scan_of(const std::string &bytes) const
    {
        const fs::path file = directory_.path().parent_path() / "looked_at";
        write_contents(file, bytes);
        const Result<LogScan> scan = scan_log(file);
        EXPECT_TRUE(scan);
        return scan ? *scan : LogScan();
    }
    /// Opens the directory with a log of those bytes, which has to give exactly the rows of its first `sound` bytes.
    void expect_prefix(const fs::path &log, const std::string &bytes, const std::string &sound)
    {
        bring_back();
        write_contents(log, bytes);
        const Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        ASSERT_TRUE(store) << store.error().message;
        // Before the rows: the keyspace's number and the row of the catalog.
        const std::uint64_t before = 2;
        const std::uint64_t rows = scan_of(sound).payloads - before;
        EXPECT_EQ(scan(**store, keyspace_, {}).size(), rows);
        EXPECT_TRUE(rows == 0 || get(**store, keyspace_, {rows - 1, "p"}));
    }
    void expect_refused()
    {
        const auto before = all_files();
        const Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        ASSERT_FALSE(store) << "opened, with " << scan(**store, keyspace_, {}).size() << " rows";
        EXPECT_EQ(store.error().code, ErrorCode::corruption) << store.error().message;
        EXPECT_NE(store.error().message.find("has been left as it is"), std::string::npos) << store.error().message;
        EXPECT_TRUE(all_files() == before) << "files were changed: " << store.error().message;
    }

    TemporaryDirectory directory_;
    RocksdbOptions options_;
    KeyspaceId keyspace_{};
    std::map<std::string, std::string> files_;
    std::mt19937_64 random_{kSeed};
};

TEST_F(RocksdbLogDamage, LargeCommitsAreCutAtAnyPage)
{
    make_rows(6, 100'000);
    const fs::path log = logs().back();
    const std::string whole = contents(log);
    for (std::size_t at = kPageBytes; at < whole.size(); at += kPageBytes) {
        if (at % kBlockBytes != 0 && random_() % 8 != 0) {
            continue;
        }
        SCOPED_TRACE("behind byte " + std::to_string(at));
        const std::string kept = whole.substr(0, at);
        expect_prefix(log, kept, kept);
        expect_prefix(log, kept + std::string(whole.size() - at, '\0'), kept);
        std::string rubbish(whole.size() - at, '\0');
        std::generate(rubbish.begin(), rubbish.end(), [&] { return static_cast<char>(random_()); });
        expect_prefix(log, kept + rubbish, kept);
    }
}

TEST_F(RocksdbLogDamage, ALengthThatIsRubbishAtTheEndOfAWholeBlockIsCutOff)
{
    make_rows(800, 100);
    const fs::path log = logs().back();
    const std::string whole = contents(log);
    ASSERT_GT(whole.size(), 2 * kBlockBytes);
    const std::string kept = whole.substr(0, scan_of(whole.substr(0, 2 * kBlockBytes - 500)).sound_bytes);
    expect_prefix(log, kept + std::string(2 * kBlockBytes - kept.size(), '\xFF'), kept);
}

TEST_F(RocksdbLogDamage, AnyFlippedBitOfAHeaderIsRefused)
{
    make_rows(100, 100); // in one block
    const fs::path log = logs().back();
    const std::string whole = contents(log);
    ASSERT_LT(whole.size(), kBlockBytes);
    const std::size_t header = scan_of(whole.substr(0, whole.size() / 2)).sound_bytes;
    for (std::size_t bit = 0; bit < std::size_t{7} * 8; ++bit) {
        SCOPED_TRACE("bit " + std::to_string(bit));
        std::string damaged = whole;
        damaged[header + bit / 8] = static_cast<char>(damaged[header + bit / 8] ^ (1 << bit % 8));
        bring_back();
        write_contents(log, damaged);
        expect_refused();
    }
    std::string zeros = whole;
    zeros.replace(header, 7, 7, '\0');
    bring_back();
    write_contents(log, zeros);
    expect_refused();
}

TEST_F(RocksdbLogDamage, AStoredValueThatLooksLikeALogIsNoDamage)
{
    make_rows(20, 100);
    const fs::path log = logs().back();
    const std::string before = contents(log);
    {
        const Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        ASSERT_TRUE(store);
        put(**store, keyspace_, {100, "p"}, before);
    }
    const fs::path last = logs().back();
    ASSERT_NE(last, log);
    const std::string whole = contents(last);
    ASSERT_GT(whole.size(), before.size());
    files_ = all_files();
    for (const bool garbled : {false, true}) {
        bring_back();
        std::string torn = whole.substr(0, whole.size() - 10);
        if (garbled) {
            torn[20] = static_cast<char>(torn[20] ^ 1);
        }
        write_contents(last, torn);
        const Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        ASSERT_TRUE(store) << store.error().message;
        EXPECT_EQ(scan(**store, keyspace_, {}).size(), 20U);
    }
}

TEST_F(RocksdbLogDamage, DamageOverTheBorderOfTwoBlocksIsRefused)
{
    make_rows(600, 100);
    const fs::path log = logs().back();
    std::string damaged = contents(log);
    ASSERT_GT(damaged.size(), 2 * kBlockBytes);
    for (const bool zeros : {true, false}) {
        std::generate_n(damaged.begin() + 2 * kBlockBytes - 600, 1200,
                        [&] { return zeros ? '\0' : static_cast<char>(random_()); });
        bring_back();
        write_contents(log, damaged);
        expect_refused();
    }
}

TEST_F(RocksdbLogDamage, TheEndOfALogThatTheManifestKnowsIsNoRubbish)
{
    options_.memtable_bytes = 64 << 10;
    make_rows(300, 2000);
    ASSERT_GT(logs().size(), 2U);
    const std::vector<fs::path> found = logs();
    const std::string whole = contents(found.front());
    std::string flipped = whole;
    flipped.back() = static_cast<char>(flipped.back() ^ 1);
    std::string type_flipped = whole;
    const std::size_t header = scan_of(whole.substr(0, whole.size() - 1)).sound_bytes;
    type_flipped[header + 6] = static_cast<char>(type_flipped[header + 6] ^ 4);
    for (const std::string &damaged : {flipped, type_flipped}) {
        bring_back();
        write_contents(found.front(), damaged);
        expect_refused();
        // And if it is the newest that is left.
        bring_back();
        write_contents(found.front(), damaged);
        std::for_each(found.begin() + 1, found.end(), [](const fs::path &log) { fs::resize_file(log, 0); });
        expect_refused();
    }
}

} // namespace
} // namespace basalt::storage

// Opening after kill -9, a torn log and a damaged one.
#include "contract/backends.h"
#include "contract/calls.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

namespace basalt::storage {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path &file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_contents(const fs::path &file, const std::string &bytes)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

/// Every file of a directory with its bytes.
std::map<std::string, std::string> all_contents(const fs::path &directory)
{
    std::map<std::string, std::string> out;
    for (const fs::directory_entry &entry : fs::directory_iterator(directory)) {
        out[entry.path().filename().string()] = contents(entry.path());
    }
    return out;
}

/// The logs of a data directory that hold something, oldest first.
std::vector<fs::path> logs(const fs::path &directory)
{
    std::vector<fs::path> out;
    for (const fs::directory_entry &entry : fs::directory_iterator(directory)) {
        if (entry.path().extension() == ".log" && entry.file_size() > 0) {
            out.push_back(entry.path());
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

class RocksdbRecovery : public testing::Test {
protected:
    void SetUp() override { options_.data_dir = directory_.path(); }

    std::unique_ptr<Store> open()
    {
        Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        EXPECT_TRUE(store) << store.error().message;
        return store ? std::move(*store) : nullptr;
    }
    /// A store with kRows rows in its log, closed.
    void make_rows()
    {
        const std::unique_ptr<Store> store = open();
        ASSERT_NE(store, nullptr);
        keyspace_ = create_keyspace(*store);
        for (std::uint64_t i = 0; i < kRows; ++i) {
            put(*store, keyspace_, {i, "p"}, std::to_string(i) + std::string(200, 'v'));
        }
    }
    /// How many rows there are; they are the first ones.
    std::uint64_t rows_that_are_a_prefix(Store &store)
    {
        std::uint64_t rows = 0;
        while (rows < kRows && get(store, keyspace_, {rows, "p"})) {
            ++rows;
        }
        EXPECT_EQ(scan(store, keyspace_, {}).size(), rows) << "a hole";
        return rows;
    }
    void expect_refused(ErrorCode code)
    {
        const auto before = all_contents(directory_.path());
        Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        ASSERT_FALSE(store) << "opened, with " << rows_that_are_a_prefix(**store) << " rows";
        EXPECT_EQ(store.error().code, code) << store.error().message;
        EXPECT_NE(store.error().message.find(directory_.path().string()), std::string::npos) << store.error().message;
        const auto after = all_contents(directory_.path());
        for (const auto &[name, bytes] : before) {
            EXPECT_TRUE(after.contains(name)) << name;
            EXPECT_EQ(after.at(name) == bytes, true) << name << " was changed";
        }
    }
    void kill_writer(const char *mode);

    static constexpr std::uint64_t kRows = 300;
    TemporaryDirectory directory_;
    RocksdbOptions options_;
    KeyspaceId keyspace_{};
};

TEST_F(RocksdbRecovery, ACutTailRecoversToAPrefix)
{
    make_rows();
    const fs::path log = logs(directory_.path()).back();
    fs::resize_file(log, fs::file_size(log) * 2 / 3);
    const std::unique_ptr<Store> store = open();
    ASSERT_NE(store, nullptr);
    const std::uint64_t rows = rows_that_are_a_prefix(*store);
    EXPECT_GT(rows, kRows / 2);
    EXPECT_LT(rows, kRows);
}

TEST_F(RocksdbRecovery, AHalfWrittenLastRecordLosesThatOneOnly)
{
    make_rows();
    const fs::path log = logs(directory_.path()).back();
    fs::resize_file(log, fs::file_size(log) - 5);
    const std::unique_ptr<Store> store = open();
    ASSERT_NE(store, nullptr);
    EXPECT_EQ(rows_that_are_a_prefix(*store), kRows - 1);
}

TEST_F(RocksdbRecovery, AFlippedByteInTheMiddleIsRefusedAndTheDataLeftAlone)
{
    make_rows();
    const fs::path log = logs(directory_.path()).back();
    const std::string sound = contents(log);
    std::string damaged = sound;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
    write_contents(log, damaged);
    expect_refused(ErrorCode::corruption);
    write_contents(log, sound);
    const std::unique_ptr<Store> store = open();
    ASSERT_NE(store, nullptr);
    EXPECT_EQ(rows_that_are_a_prefix(*store), kRows);
}

TEST_F(RocksdbRecovery, AShortenedOlderLogIsRefused)
{
    options_.memtable_bytes = 64 << 10;
    {
        const std::unique_ptr<Store> store = open();
        ASSERT_NE(store, nullptr);
        keyspace_ = create_keyspace(*store);
        // Stays in its memtable, and so keeps the first log alive while the items fill and flush theirs.
        put(*store, kCatalogKeyspace, {0, "table"}, "x");
        for (std::uint64_t i = 0; i < kRows; ++i) {
            ASSERT_TRUE(wait_until_durable(*store, put(*store, keyspace_, {i, "p"}, std::string(2000, 'v'))));
        }
    }
    const std::vector<fs::path> found = logs(directory_.path());
    ASSERT_GT(found.size(), 1U);
    const std::string sound = contents(found.front());
    fs::resize_file(found.front(), sound.size() / 2);
    expect_refused(ErrorCode::corruption);
    fs::remove(found.front());
    expect_refused(ErrorCode::corruption);
    write_contents(found.front(), sound);
    EXPECT_NE(open(), nullptr);
}

TEST_F(RocksdbRecovery, ALostCurrentFileIsRefused)
{
    make_rows();
    fs::rename(directory_.path() / "CURRENT", directory_.path() / "KEPT");
    expect_refused(ErrorCode::corruption);
    fs::rename(directory_.path() / "KEPT", directory_.path() / "CURRENT");
    const std::unique_ptr<Store> store = open();
    ASSERT_NE(store, nullptr);
    EXPECT_EQ(rows_that_are_a_prefix(*store), kRows);
}

TEST_F(RocksdbRecovery, RowsAreThereAfterManyReopenings)
{
    make_rows();
    for (int i = 0; i < 12; ++i) {
        const std::unique_ptr<Store> store = open();
        ASSERT_NE(store, nullptr);
        EXPECT_EQ(rows_that_are_a_prefix(*store), kRows);
    }
    EXPECT_LT(logs(directory_.path()).size(), 12U);
}

void RocksdbRecovery::kill_writer(const char *mode)
{
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const std::string path = directory_.path().string();
    const pid_t writer = ::fork();
    ASSERT_GE(writer, 0);
    if (writer == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::close(ends[0]);
        ::execl(BASALT_CRASH_WRITER, BASALT_CRASH_WRITER, path.c_str(), mode, nullptr);
        ::_exit(127);
    }
    ::close(ends[1]);
    std::FILE *acknowledged = ::fdopen(ends[0], "r");
    unsigned keyspace = 0;
    unsigned long long row = 0;
    unsigned long long last = 0;
    int lines = 0;
    while (std::fscanf(acknowledged, "%u %llu", &keyspace, &row) == 2) {
        last = row;
        if (++lines == 1500) {
            ::kill(writer, SIGKILL);
        }
    }
    std::fclose(acknowledged);
    int status = 0;
    ASSERT_EQ(::waitpid(writer, &status, 0), writer);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself: " << status;
    ASSERT_GE(lines, 1500);

    const std::unique_ptr<Store> store = open();
    ASSERT_NE(store, nullptr);
    keyspace_ = static_cast<KeyspaceId>(keyspace);
    for (unsigned long long i = 0; i <= last; ++i) {
        ASSERT_EQ(get(*store, keyspace_, {i, "p"}), std::to_string(i) + std::string(500, '.')) << i << " of " << last;
    }
    // At most the one that was on its way.
    EXPECT_LE(scan(*store, keyspace_, {}).size(), last + 2);
}

TEST_F(RocksdbRecovery, KillLosesNothingAcknowledged)
{
    kill_writer("sync");
}

TEST_F(RocksdbRecovery, KillLosesNothingAcknowledgedWithoutFsync)
{
    kill_writer("async");
}

} // namespace
} // namespace basalt::storage

// What a power cut may leave at the ends of logs: rubbish, and holes between two of them. Both recover to a prefix of
// the commits. Damage that no power cut makes is refused.
#include "contract/backends.h"
#include "contract/calls.h"
#include "storage/rocksdb/log_recovery.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <algorithm>
#include <fstream>
#include <random>

namespace basalt::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 20'261'130;

std::string contents(const fs::path &file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_contents(const fs::path &file, const std::string &bytes)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

class RocksdbTail : public testing::Test {
protected:
    RocksdbTail() { options_.data_dir = directory_.path(); }

    std::unique_ptr<Store> open()
    {
        Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        EXPECT_TRUE(store) << store.error().message;
        return store ? std::move(*store) : nullptr;
    }
    void add_rows(Store &store, std::uint64_t count)
    {
        for (std::uint64_t i = 0; i < count; ++i) {
            put(store, keyspace_, {rows_++, "p"}, std::string(100, 'v'));
        }
    }
    /// How many rows there are; they are the first ones.
    std::uint64_t prefix(Store &store)
    {
        const std::uint64_t found = scan(store, keyspace_, {}).size();
        EXPECT_TRUE(found == 0 || get(store, keyspace_, {found - 1, "p"})) << "a hole";
        return found;
    }
    /// The logs that hold something, oldest first.
    std::vector<fs::path> logs() const
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
    void keep() { fs::copy(directory_.path(), kept(), fs::copy_options::recursive); }
    void bring_back()
    {
        fs::remove_all(directory_.path());
        fs::copy(kept(), directory_.path(), fs::copy_options::recursive);
    }
    [[nodiscard]] fs::path kept() const { return directory_.path().parent_path() / "kept"; }

    TemporaryDirectory directory_;
    RocksdbOptions options_;
    KeyspaceId keyspace_{};
    std::uint64_t rows_ = 0;
    std::mt19937_64 random_{kSeed};
};

TEST_F(RocksdbTail, AGarbledEndOfTheNewestLogRecoversToAPrefix)
{
    {
        const std::unique_ptr<Store> store = open();
        keyspace_ = create_keyspace(*store);
        add_rows(*store, 300);
    }
    keep();
    for (int round = 0; round < 40; ++round) {
        bring_back();
        const fs::path log = logs().back();
        std::string bytes = contents(log);
        const std::size_t garbled = 1 + random_() % (bytes.size() / 3);
        const int kind = static_cast<int>(random_() % 3);
        if (kind == 0) {
            bytes.back() = static_cast<char>(bytes.back() ^ 1);
        } else {
            std::generate(bytes.end() - static_cast<std::ptrdiff_t>(garbled), bytes.end(),
                          [&] { return kind == 1 ? '\0' : static_cast<char>(random_()); });
        }
        write_contents(log, bytes);
        const std::unique_ptr<Store> store = open();
        ASSERT_NE(store, nullptr) << "round " << round;
        const std::uint64_t found = prefix(*store);
        EXPECT_LT(found, rows_);
        EXPECT_GT(found, 150U);
    }
}

TEST_F(RocksdbTail, WhatCameAfterIsThereAtTheNextStart)
{
    {
        const std::unique_ptr<Store> store = open();
        keyspace_ = create_keyspace(*store);
        add_rows(*store, 100);
    }
    std::string bytes = contents(logs().back());
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    write_contents(logs().back(), bytes);
    {
        const std::unique_ptr<Store> store = open();
        EXPECT_EQ(prefix(*store), 99U);
        rows_ = 99;
        add_rows(*store, 50);
    }
    const std::unique_ptr<Store> store = open();
    EXPECT_EQ(prefix(*store), 149U);
}

TEST_F(RocksdbTail, AnOlderLogThatWasThereAtTheLastStartIsNotTakenForAPowerCut)
{
    for (int session = 0; session < 2; ++session) {
        const std::unique_ptr<Store> store = open();
        keyspace_ = session == 0 ? create_keyspace(*store) : keyspace_;
        add_rows(*store, 100);
    }
    ASSERT_EQ(logs().size(), 2U);
    const std::string sound = contents(logs().front());
    for (const std::size_t lost : {std::size_t{1}, sound.size() / 2}) {
        fs::resize_file(logs().front(), sound.size() - lost);
        const Result<std::unique_ptr<Store>> store = open_rocksdb(options_);
        ASSERT_FALSE(store);
        EXPECT_EQ(store.error().code, ErrorCode::corruption);
        ASSERT_EQ(logs().size(), 2U);
        write_contents(logs().front(), sound);
    }
    std::string damaged = sound;
    damaged.back() = static_cast<char>(damaged.back() ^ 1);
    write_contents(logs().front(), damaged);
    EXPECT_FALSE(open_rocksdb(options_));
    write_contents(logs().front(), sound);
    const std::unique_ptr<Store> store = open();
    EXPECT_EQ(prefix(*store), 200U);
}

LogScan log_of(std::uint64_t first, std::uint64_t next, LogEnd end = LogEnd::clean)
{
    LogScan scan;
    scan.size = 100;
    scan.sound_bytes = end == LogEnd::clean ? 100 : 60;
    scan.payloads = next - first;
    scan.first = first;
    scan.next = next;
    scan.end = end;
    return scan;
}

using Logs = std::map<std::uint64_t, LogScan>;

TEST(LogPlan, SoundAndTornLogsStayAsTheyAre)
{
    EXPECT_EQ(plan_log_cuts({}, {}, 0).cuts, LogCuts());
    const Logs logs{{3, log_of(1, 5)}, {5, log_of(5, 9, LogEnd::torn)}, {7, log_of(9, 10)}, {9, LogScan{}}};
    EXPECT_EQ(plan_log_cuts(logs, {}, 0).cuts, LogCuts());
    EXPECT_FALSE(plan_log_cuts(logs, {}, 0).is_damaged);
}

TEST(LogPlan, EverythingBehindAHoleIsCut)
{
    const Logs logs{{3, log_of(1, 5, LogEnd::torn)}, {5, log_of(6, 9)}, {7, log_of(9, 10)}, {9, LogScan{}}};
    EXPECT_EQ(plan_log_cuts(logs, {}, 0).cuts, (LogCuts{{5, 0}, {7, 0}}));
    // Not with logs that do not count any more, and not what is known to be safe.
    EXPECT_EQ(plan_log_cuts(logs, {}, 5).cuts, LogCuts());
    EXPECT_EQ(plan_log_cuts(logs, {{5, 100}}, 0).cuts, LogCuts());
    EXPECT_TRUE(plan_log_cuts(logs, {{5, 100}}, 0).is_damaged);
}

TEST(LogPlan, AGarbledEndIsCutWhereNothingFollowsIt)
{
    const Logs newest{{3, log_of(1, 5)}, {5, log_of(5, 9, LogEnd::garbled)}, {7, LogScan{}}};
    EXPECT_EQ(plan_log_cuts(newest, {}, 0).cuts, (LogCuts{{5, 60}}));
    EXPECT_TRUE(plan_log_cuts(newest, {{5, 80}}, 0).is_damaged);
    const Logs with_hole{{3, log_of(1, 5, LogEnd::garbled)}, {5, log_of(7, 9)}};
    EXPECT_EQ(plan_log_cuts(with_hole, {}, 0).cuts, (LogCuts{{3, 60}, {5, 0}}));
    const Logs goes_on{{3, log_of(1, 5, LogEnd::garbled)}, {5, log_of(5, 9)}};
    EXPECT_TRUE(plan_log_cuts(goes_on, {}, 0).is_damaged);
    const Logs damaged{{3, log_of(1, 5)}, {5, log_of(5, 9, LogEnd::damaged)}};
    EXPECT_TRUE(plan_log_cuts(damaged, {}, 0).is_damaged);
    EXPECT_EQ(plan_log_cuts(damaged, {}, 0).cuts, LogCuts());
}

} // namespace
} // namespace basalt::storage

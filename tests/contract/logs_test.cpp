// Change logs: records in the order of commits, each with its commit or not at all.
#include "contract/backends.h"
#include "contract/calls.h"

#include <atomic>
#include <thread>

namespace basalt::storage {
namespace {

struct Record {
    LogPosition position;
    std::string bytes;
    friend bool operator==(const Record &, const Record &) = default;
};
using Records = std::vector<Record>;

class Logs : public StoreContract {
protected:
    void SetUp() override
    {
        StoreContract::SetUp();
        log_ = create_keyspace(*store_, KeyspaceKind::change_log);
        other_ = create_keyspace(*store_, KeyspaceKind::change_log);
    }

    Outcome append(KeyspaceId log, std::initializer_list<Bytes> records)
    {
        return store_->mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
            for (const Bytes record : records) {
                mutation.append(log, record);
            }
            return {};
        });
    }
    LogPosition append_durably(KeyspaceId log, std::initializer_list<Bytes> records)
    {
        const Outcome outcome = append(log, records);
        EXPECT_TRUE(outcome.result);
        EXPECT_TRUE(wait_until_durable(*store_, outcome.ticket));
        return outcome.appended;
    }
    Records read(KeyspaceId log, LogPosition after = {}, std::size_t most = 1'000'000)
    {
        Records records;
        const Outcome outcome =
            store_->read(Wait::allowed, View::latest, Consistency::strong, [&](Reader &reader) -> Result<void> {
                records.clear();
                const auto note = [&](LogPosition position, Bytes bytes) {
                    records.push_back({position, std::string(bytes)});
                    return records.size() < most;
                };
                Result<bool> exhausted = reader.read_log(log, after, note);
                if (!exhausted) {
                    return fail(std::move(exhausted.error()));
                }
                EXPECT_EQ(*exhausted, records.size() < most);
                return {};
            });
        EXPECT_TRUE(outcome.result);
        return records;
    }
    void trim(KeyspaceId log, LogPosition after, LogPosition last)
    {
        EXPECT_TRUE(store_
                        ->mutate(Wait::allowed, {},
                                 [&](Mutation &mutation) -> Result<void> {
                                     mutation.trim_log(log, after, last);
                                     return {};
                                 })
                        .result);
    }

    KeyspaceId log_{}, other_{};
};
INSTANTIATE_TEST_SUITE_P(Backends, Logs, testing::ValuesIn(all_backends()), backend_name);

TEST_P(Logs, RecordsComeInTheOrderOfTheirCommitsEachLogForItself)
{
    EXPECT_EQ(read(log_), Records());
    const LogPosition first = append_durably(log_, {"a", "b"});
    EXPECT_GT(first, LogPosition());
    const LogPosition elsewhere = append_durably(other_, {"x"});
    const LogPosition second = append_durably(log_, {std::string_view("\0c", 2)});
    const Records records = read(log_);
    ASSERT_EQ(records.size(), 3U);
    EXPECT_EQ(records[0].bytes, "a");
    EXPECT_LT(records[0].position, first);
    EXPECT_EQ(records[1], (Record{first, "b"}));
    EXPECT_EQ(records[2], (Record{second, std::string("\0c", 2)}));
    EXPECT_LT(first, second);
    EXPECT_EQ(read(other_), Records({{elsewhere, "x"}}));
    EXPECT_EQ(read(log_, records[0].position), Records({records[1], records[2]}));
    EXPECT_EQ(read(log_, first), Records({records[2]}));
    EXPECT_EQ(read(log_, second), Records());
    EXPECT_EQ(read(log_, {}, 1), Records({records[0]}));
}

TEST_P(Logs, ACommitHasItsRecordsAndRowsOrNeither)
{
    const KeyspaceId rows = create_keyspace(*store_);
    const auto write = [&](bool succeed) {
        return store_->mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
            mutation.append(log_, "record");
            mutation.put(rows, {1, "row"}, "value");
            return succeed ? Result<void>() : fail(ErrorCode::validation, "no");
        });
    };
    const Outcome failed = write(false);
    EXPECT_FALSE(failed.result);
    EXPECT_EQ(failed.appended, LogPosition());
    EXPECT_EQ(read(log_), Records());
    const Outcome done = write(true);
    ASSERT_TRUE(wait_until_durable(*store_, done.ticket));
    EXPECT_EQ(read(log_), Records({{done.appended, "record"}}));
    EXPECT_EQ(get(*store_, rows, {1, "row"}), "value");
    EXPECT_EQ(store_
                  ->mutate(Wait::allowed, {},
                           [&](Mutation &mutation) -> Result<void> {
                               mutation.put(rows, {1, "row"}, "other");
                               return {};
                           })
                  .appended,
              LogPosition());
}

TEST_P(Logs, TrimmedRecordsAreGoneAndTheRestStays)
{
    append_durably(log_, {"a"});
    const LogPosition trimmed = append_durably(log_, {"b"});
    const LogPosition kept = append_durably(log_, {"c"});
    append_durably(other_, {"x"});
    trim(log_, {}, trimmed);
    EXPECT_EQ(read(log_), Records({{kept, "c"}}));
    trim(log_, trimmed, kept);
    EXPECT_EQ(read(log_), Records());
    EXPECT_EQ(read(other_).size(), 1U);
    const LogPosition later = append_durably(log_, {"d"});
    EXPECT_GT(later, kept);
    EXPECT_EQ(read(log_), Records({{later, "d"}}));
}

TEST_P(Logs, PositionsGrowOverReopening)
{
    if (!GetParam().persistent) {
        GTEST_SKIP() << "keeps nothing";
    }
    LogPosition last;
    for (std::size_t round = 1; round <= 3; ++round) {
        const LogPosition position = append_durably(log_, {"record"});
        EXPECT_GT(position, last);
        last = position;
        reopen();
        EXPECT_EQ(read(log_).size(), round);
    }
}

TEST_P(Logs, NothingAppearsBeforeWhatWasShown)
{
    constexpr int kWriters = 4;
    constexpr int kRecords = 200;
    std::atomic<int> writing{kWriters};
    std::vector<std::thread> writers;
    for (int writer = 0; writer < kWriters; ++writer) {
        writers.emplace_back([&, writer] {
            for (int i = 0; i < kRecords; ++i) {
                EXPECT_TRUE(append(log_, {std::to_string(writer), "second"}).result);
            }
            --writing;
        });
    }
    Records followed;
    const auto follow = [&] {
        for (const Record &record : read(log_, followed.empty() ? LogPosition() : followed.back().position)) {
            followed.push_back(record);
        }
    };
    while (writing.load() != 0) {
        follow();
    }
    for (std::thread &writer : writers) {
        writer.join();
    }
    append_durably(log_, {"last"});
    follow();
    EXPECT_EQ(followed.size(), std::size_t{2 * kWriters * kRecords + 1});
    EXPECT_EQ(followed, read(log_));
}

TEST_P(Logs, ADroppedLogIsReclaimed)
{
    append_durably(log_, {"a", "b"});
    append_durably(other_, {"x"});
    ASSERT_TRUE(store_
                    ->mutate(Wait::allowed, {},
                             [&](Mutation &mutation) -> Result<void> {
                                 mutation.drop_keyspace(log_);
                                 return {};
                             })
                    .result);
    store_->reclaim(log_);
    while (!read(log_).empty()) {
        std::this_thread::yield();
    }
    EXPECT_EQ(read(other_).size(), 1U);
}

} // namespace
} // namespace basalt::storage

// Point reads and writes: what a body sees, what a commit changes, how keys are told apart.
#include "contract/backends.h"
#include "contract/calls.h"

#include <array>

namespace basalt::storage {
namespace {

using Rows = StoreContract;
INSTANTIATE_TEST_SUITE_P(Backends, Rows, testing::ValuesIn(all_backends()), backend_name);

TEST_P(Rows, ARowIsAbsentThenThereThenReplacedThenRemoved)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    const Key key{7, "p", "s"};
    EXPECT_EQ(get(*store_, keyspace, key), std::nullopt);
    put(*store_, keyspace, key, "one");
    EXPECT_EQ(get(*store_, keyspace, key), "one");
    put(*store_, keyspace, key, "two");
    EXPECT_EQ(get(*store_, keyspace, key), "two");
    remove(*store_, keyspace, key);
    EXPECT_EQ(get(*store_, keyspace, key), std::nullopt);
    remove(*store_, keyspace, key);
    EXPECT_EQ(get(*store_, keyspace, key), std::nullopt);
}

TEST_P(Rows, ValuesMayBeEmptyAndHoldAnyByte)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    std::string every_byte;
    for (int byte = 0; byte < 256; ++byte) {
        every_byte.push_back(static_cast<char>(byte));
    }
    put(*store_, keyspace, {1, "p"}, "");
    put(*store_, keyspace, {2, "p"}, every_byte);
    EXPECT_EQ(get(*store_, keyspace, {1, "p"}), "");
    EXPECT_EQ(get(*store_, keyspace, {2, "p"}), every_byte);
}

TEST_P(Rows, TheCatalogIsThereFromTheStart)
{
    put(*store_, kCatalogKeyspace, {0, "table"}, "description");
    EXPECT_EQ(get(*store_, kCatalogKeyspace, {0, "table"}), "description");
}

TEST_P(Rows, EveryPartOfAKeyTellsRowsApart)
{
    using namespace std::string_literals;
    const KeyspaceId keyspace = create_keyspace(*store_);
    const KeyspaceId other = create_keyspace(*store_);
    // Neighbours under any careless joining of the parts.
    const std::vector<OwnedKey> keys = {
        {1, "a", "b", ""},    {1, "ab", "", ""},    {1, "", "ab", ""},     {1, "a", "", "b"},      {1, "a\0"s, "b", ""},
        {1, "a", "\0b"s, ""}, {1, "a", "b", "c"},   {1, "a", "bc", ""},    {1, "a\0\1"s, "b", ""}, {1, "a", "\1b", ""},
        {2, "a", "b", ""},    {1, "a", "b\0"s, ""}, {1, "a\xFF", "b", ""}, {1, "a", "", ""},       {1, "", "", ""},
    };
    for (std::size_t i = 0; i < keys.size(); ++i) {
        put(*store_, keyspace, keys[i].view(), std::to_string(i));
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        EXPECT_EQ(get(*store_, keyspace, keys[i].view()), std::to_string(i)) << i;
        EXPECT_EQ(get(*store_, other, keys[i].view()), std::nullopt) << i;
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        remove(*store_, keyspace, keys[i].view());
        for (std::size_t j = 0; j < keys.size(); ++j) {
            EXPECT_EQ(get(*store_, keyspace, keys[j].view()).has_value(), j > i) << i << ' ' << j;
        }
    }
}

TEST_P(Rows, TheLongestKeysAndALargeValue)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    const OwnedKey key{9, std::string(2048, '\0'), std::string(1024, '\0'), std::string(3100, '\xFF')};
    const std::string value(400 << 10, 'v');
    put(*store_, keyspace, key.view(), value);
    EXPECT_EQ(get(*store_, keyspace, key.view()), value);
}

TEST_P(Rows, AMutationReadsTheStateBeforeIt)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    put(*store_, keyspace, {1, "kept"}, "before");
    std::optional<std::string> kept;
    std::optional<std::string> made;
    std::vector<std::string> scanned;
    const Outcome outcome = store_->mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
        scanned.clear();
        mutation.put(keyspace, {1, "kept"}, "after");
        mutation.put(keyspace, {2, "made"}, "after");
        kept = mutation.get(keyspace, {1, "kept"}).value();
        made = mutation.get(keyspace, {2, "made"}).value();
        EXPECT_TRUE(mutation.scan(keyspace, {}, [&](const Row &row) {
            scanned.emplace_back(row.value);
            return true;
        }));
        return {};
    });
    ASSERT_TRUE(outcome.result);
    EXPECT_EQ(kept, "before");
    EXPECT_EQ(made, std::nullopt);
    EXPECT_EQ(scanned, std::vector<std::string>{"before"});
    EXPECT_EQ(get(*store_, keyspace, {1, "kept"}), "after");
    EXPECT_EQ(get(*store_, keyspace, {2, "made"}), "after");
}

TEST_P(Rows, TheLastOfSeveralWritesToARowCounts)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    const Outcome outcome = store_->mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
        mutation.put(keyspace, {1, "a"}, "one");
        mutation.put(keyspace, {1, "a"}, "two");
        mutation.put(keyspace, {1, "b"}, "one");
        mutation.remove(keyspace, {1, "b"});
        mutation.remove(keyspace, {1, "c"});
        mutation.put(keyspace, {1, "c"}, "two");
        return {};
    });
    ASSERT_TRUE(outcome.result);
    EXPECT_EQ(scan(*store_, keyspace, {}), (std::vector<std::string>{"two", "two"}));
}

TEST_P(Rows, AFailedBodyChangesNothingAndItsErrorIsPassedOn)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    put(*store_, keyspace, {1, "a"}, "old");
    const Outcome outcome = store_->mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
        mutation.put(keyspace, {1, "a"}, "new");
        mutation.put(keyspace, {1, "b"}, "new");
        return fail(ErrorCode::conditional_check_failed, "no");
    });
    ASSERT_FALSE(outcome.result);
    EXPECT_EQ(outcome.result.error(), (Error{ErrorCode::conditional_check_failed, "no"}));
    EXPECT_EQ(scan(*store_, keyspace, {}), std::vector<std::string>{"old"});

    const Outcome read = store_->read(Wait::allowed, View::latest, Consistency::eventual,
                                      [](Reader &) -> Result<void> { return fail(ErrorCode::validation, "also no"); });
    ASSERT_FALSE(read.result);
    EXPECT_EQ(read.result.error(), (Error{ErrorCode::validation, "also no"}));
}

TEST_P(Rows, BytesOfABodyLiveUntilItReturns)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    constexpr int kRows = 200;
    const auto value_of = [](int i) { return std::string(100, static_cast<char>('a' + i % 26)) + std::to_string(i); };
    for (int i = 0; i < kRows; ++i) {
        put(*store_, keyspace, {static_cast<std::uint64_t>(i), "p"}, value_of(i));
    }
    const Outcome outcome =
        store_->read(Wait::allowed, View::latest, Consistency::strong, [&](Reader &reader) -> Result<void> {
            std::vector<Bytes> seen;
            for (int i = 0; i < kRows; ++i) {
                seen.push_back(reader.get(keyspace, {static_cast<std::uint64_t>(i), "p"}).value().value());
            }
            std::array<Key, 3> keys = {Key{1, "p"}, Key{999, "p"}, Key{2, "p"}};
            std::array<std::optional<Bytes>, 3> several{};
            EXPECT_TRUE(reader.multi_get(keyspace, keys, several));
            EXPECT_TRUE(reader.scan(keyspace, {}, [](const Row &) { return true; }));
            for (int i = 0; i < kRows; ++i) {
                EXPECT_EQ(seen[static_cast<std::size_t>(i)], value_of(i));
            }
            EXPECT_EQ(several[0], value_of(1));
            EXPECT_EQ(several[1], std::nullopt);
            EXPECT_EQ(several[2], value_of(2));
            return {};
        });
    EXPECT_TRUE(outcome.result);
}

TEST_P(Rows, MultiGetOverwritesWhatStoodInItsResults)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    put(*store_, keyspace, {1, "a"}, "x");
    const Outcome outcome =
        store_->read(Wait::allowed, View::snapshot, Consistency::strong, [&](Reader &reader) -> Result<void> {
            const std::array<Key, 2> keys = {Key{1, "a"}, Key{1, "b"}};
            std::array<std::optional<Bytes>, 2> out = {"stale", "stale"};
            EXPECT_TRUE(reader.multi_get(keyspace, keys, out));
            EXPECT_EQ(out[0], "x");
            EXPECT_EQ(out[1], std::nullopt);
            EXPECT_TRUE(reader.multi_get(keyspace, {}, {}));
            return {};
        });
    EXPECT_TRUE(outcome.result);
}

TEST_P(Rows, WithoutWaitingACallSucceedsOrChangesNothing)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    int succeeded = 0;
    for (int i = 0; i < 30; ++i) {
        const Key key{1, "counter"};
        const LockKey lock{keyspace, key};
        const Outcome outcome = store_->mutate(Wait::never, {&lock, 1}, [&](Mutation &mutation) -> Result<void> {
            Result<std::optional<Bytes>> value = mutation.get(keyspace, key);
            // Deliberately deaf to a failed read: the call must fail all the same.
            const int old = value && *value ? std::stoi(std::string(**value)) : 0;
            mutation.put(keyspace, key, std::to_string(old + 1));
            return {};
        });
        if (outcome.result) {
            ++succeeded;
        } else {
            EXPECT_EQ(outcome.result.error().code, ErrorCode::would_block);
        }
        EXPECT_EQ(get(*store_, keyspace, key).value_or("0"), std::to_string(succeeded));
    }
    EXPECT_GE(succeeded, 10);
}

TEST_P(Rows, AClosedStoreRefusesEverything)
{
    const KeyspaceId keyspace = create_keyspace(*store_);
    store_->close();
    store_->close();
    const Outcome write = store_->mutate(Wait::allowed, {}, [&](Mutation &mutation) -> Result<void> {
        mutation.put(keyspace, {1, "a"}, "x");
        return {};
    });
    ASSERT_FALSE(write.result);
    EXPECT_EQ(write.result.error().code, ErrorCode::internal_server_error);
    const Outcome read =
        store_->read(Wait::never, View::latest, Consistency::strong, [](Reader &) -> Result<void> { return {}; });
    ASSERT_FALSE(read.result);
    EXPECT_EQ(read.result.error().code, ErrorCode::internal_server_error);
    store_->reclaim(keyspace);
}

} // namespace
} // namespace basalt::storage

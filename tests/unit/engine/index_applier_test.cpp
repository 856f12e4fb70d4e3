// Global indexes as the applier keeps them: after it has caught up, every index holds what the items say.
#include "engine/index_entry.h"
#include "unit/engine/engine_fixture.h"

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <thread>

namespace basalt::engine {
namespace {

using model::AttributeType;
using model::ProjectionType;
using storage::Wait;

constexpr std::uint64_t kSeed = 20'261'201;
constexpr std::chrono::seconds kPatience{60};

/// One attribute a key; two and two; sparse with a projection.
model::TableDescription table_with_three_indexes()
{
    auto table = pair_table("table");
    const auto add = [&](const char *name, std::vector<model::KeyElement> hash, std::vector<model::KeyElement> range,
                         ProjectionType projection) {
        model::IndexDescription index;
        index.name = name;
        index.keys = {std::move(hash), std::move(range)};
        index.projection = projection;
        table.global_indexes.push_back(std::move(index));
    };
    add("by_a", {{"a", AttributeType::number}}, {}, ProjectionType::all);
    add("by_bcde", {{"b", AttributeType::string}, {"c", AttributeType::binary}},
        {{"d", AttributeType::string}, {"sk", AttributeType::string}}, ProjectionType::keys_only);
    add("by_d", {{"d", AttributeType::string}}, {{"a", AttributeType::number}}, ProjectionType::include);
    table.global_indexes[2].non_key_attributes = {"v"};
    return table;
}

class IndexApplierTest : public BackendTest {
protected:
    using Names = std::pair<std::string, std::string>;

    IndexApplierTest() { reopen(); }

    void reopen()
    {
        table_.reset();
        EngineOptions options;
        options.index_lag_ms = &lag_ms_;
        engine_ = std::make_unique<Engine>(store_, clock_, random_, options);
        ASSERT_TRUE(engine_->load());
        if (!engine_->catalog().find("table")) {
            auto description = table_with_three_indexes();
            ASSERT_TRUE(engine_->catalog().create(Wait::allowed, description).result);
        }
        table_ = engine_->catalog().find_active("table").value();
    }

    std::uint64_t below(std::uint64_t bound) { return random_numbers_() % bound; }

    std::unique_ptr<Item> random_item(const Names &names)
    {
        auto item = std::make_unique<Item>();
        item->s("pk", names.first).s("sk", names.second);
        const auto text = [&] { return std::string(1 + below(2), static_cast<char>('a' + below(2))); };
        if (below(4) != 0) {
            item->n("a", std::to_string(static_cast<int>(below(5)) - 2));
        }
        if (below(4) != 0) {
            item->s("b", text());
        }
        if (below(4) != 0) {
            item->b("c", std::string(below(2), '\0') + text());
        }
        if (below(4) != 0) {
            item->s("d", text());
        }
        for (const auto *name : {"v", "w"}) {
            if (below(2) != 0) {
                item->s(name, text());
            }
        }
        return item;
    }

    /// One commit of a few puts and removes; items_ follows it.
    void commit()
    {
        std::map<Names, std::unique_ptr<Item>> changes;
        for (auto count = 1 + below(4); count > 0; --count) {
            const Names names{std::string(1, static_cast<char>('p' + below(3))), std::to_string(below(4))};
            changes[names] = below(4) == 0 ? nullptr : random_item(names);
        }
        std::vector<PrimaryKey> keys;
        std::vector<DecidedWrite> writes;
        for (auto &[names, item] : changes) {
            Item key;
            keys.push_back(key_from_stored(table_->description.keys,
                                           key.s("pk", names.first).s("sk", names.second).view().attributes()));
            writes.push_back(item ? DecidedWrite::put(*item) : DecidedWrite::remove());
            if (item) {
                items_[names] = bytes_of(*item);
            } else {
                items_.erase(names);
            }
        }
        std::vector<ItemWriteTarget> targets;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            targets.push_back({*table_, keys[i], writes[i]});
        }
        ASSERT_TRUE(engine_->write_items(Wait::allowed, targets).result);
    }

    void catch_up()
    {
        const auto position = engine_->position_to_reach(*table_);
        const auto end = std::chrono::steady_clock::now() + kPatience;
        while (position && !position->is_reached()) {
            ASSERT_LT(std::chrono::steady_clock::now(), end);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }

    /// Every entry that should be there is, and nothing else.
    void check()
    {
        for (const auto &index : table_->description.global_indexes) {
            const auto keyspace = storage::KeyspaceId{index.keyspace};
            std::size_t expected = 0;
            for (const auto &[names, bytes] : items_) {
                const model::ItemView item(bytes);
                if (has_entry(index, item.attributes())) {
                    ++expected;
                    EXPECT_EQ(row(keyspace, global_index_key(table_->description, index, item.attributes()).view()),
                              entry_of(table_->description, index, item))
                        << index.name;
                }
            }
            EXPECT_EQ(rows(keyspace), expected) << index.name;
        }
    }

    std::optional<std::string> row(storage::KeyspaceId keyspace, const storage::Key &key)
    {
        std::optional<std::string> found;
        EXPECT_TRUE(store_
                        .read(Wait::allowed, storage::View::latest, storage::Consistency::strong,
                              [&](storage::Reader &reader) -> Result<void> {
                                  auto value = reader.get(keyspace, key);
                                  found = value && *value ? std::optional(std::string(**value)) : std::nullopt;
                                  return {};
                              })
                        .result);
        return found;
    }

    std::size_t rows(storage::KeyspaceId keyspace)
    {
        std::size_t count = 0;
        EXPECT_TRUE(store_
                        .read(Wait::allowed, storage::View::latest, storage::Consistency::strong,
                              [&](storage::Reader &reader) -> Result<void> {
                                  count = 0;
                                  auto scanned = reader.scan(keyspace, {}, [&](const storage::Row &) {
                                      ++count;
                                      return true;
                                  });
                                  return scanned ? Result<void>() : fail(scanned.error());
                              })
                        .result);
        return count;
    }

    std::mt19937_64 random_numbers_{kSeed};
    std::map<Names, std::string> items_;
    std::atomic<std::int64_t> lag_ms_ = 0;
    std::unique_ptr<Engine> engine_;
    TablePtr table_;
};
BASALT_ON_BOTH_BACKENDS(IndexApplierTest);

TEST_P(IndexApplierTest, IndexesFollowRandomWritesOverRestarts)
{
    for (int round = 0; round < 60; ++round) {
        for (auto commits = below(60); commits > 0; --commits) {
            commit();
        }
        if (below(3) == 0) {
            reopen(); // what was not applied yet is applied by the successor
            commit();
        }
        catch_up();
        check();
        if (HasFailure()) {
            FAIL() << "seed " << kSeed << ", round " << round;
        }
    }
}

TEST_P(IndexApplierTest, AnItemWhoseKeyMovesHasOneEntry)
{
    // Each change is applied when the item has moved on by several.
    lag_ms_ = 5;
    const auto keyspace = storage::KeyspaceId{table_->description.global_indexes[2].keyspace};
    Item key;
    const auto place = key_from_stored(table_->description.keys, key.s("pk", "p").s("sk", "s").view().attributes());
    for (int i = 0; i < 300; ++i) {
        Item item;
        item.s("pk", "p").s("sk", "s").s("d", "d").n("a", std::to_string(i));
        auto put = DecidedWrite::put(item);
        ASSERT_TRUE(engine_->write_items(Wait::allowed, std::array{ItemWriteTarget{*table_, place, put}}).result);
        EXPECT_LE(rows(keyspace), 1U);
        std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    catch_up();
    EXPECT_EQ(rows(keyspace), 1U);
}

TEST_P(IndexApplierTest, ALogIsTrimmedOnceItIsApplied)
{
    for (int i = 0; i < 5000; ++i) {
        commit();
    }
    catch_up();
    std::size_t left = 0;
    EXPECT_TRUE(store_
                    .read(Wait::allowed, storage::View::latest, storage::Consistency::strong,
                          [&](storage::Reader &reader) -> Result<void> {
                              left = 0;
                              auto read = reader.read_log(storage::KeyspaceId{table_->description.log_keyspace}, {},
                                                          [&](storage::LogPosition, Bytes) {
                                                              ++left;
                                                              return true;
                                                          });
                              return read ? Result<void>() : fail(read.error());
                          })
                    .result);
    EXPECT_EQ(left, 0U);
    check();
}

TEST_P(IndexApplierTest, AChangeThatNoIndexSeesIsNotRecorded)
{
    Item first, second;
    first.s("pk", "p").s("sk", "s").s("b", "x").s("w", "1");
    second.s("pk", "p").s("sk", "s").s("b", "y").s("w", "2");
    Item key;
    const auto at = key_from_stored(table_->description.keys, key.s("pk", "p").s("sk", "s").view().attributes());
    for (Item *item : {&first, &second}) {
        auto write = DecidedWrite::put(*item);
        const std::array targets{ItemWriteTarget{*table_, at, write}};
        const auto outcome = engine_->write_items(Wait::allowed, targets);
        ASSERT_TRUE(outcome.result);
        EXPECT_EQ(outcome.appended, storage::LogPosition());
    }
}

} // namespace
} // namespace basalt::engine

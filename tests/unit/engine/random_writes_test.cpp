// Random writes to a table with three local indexes: after each commit every index and every collection's size are what
// the items say.
#include "engine/index_entry.h"
#include "unit/engine/engine_fixture.h"

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <tuple>

namespace basalt::engine {
namespace {

using model::AttributeType;
using model::ProjectionType;
using storage::Wait;

constexpr int kSteps = 1000;
constexpr std::uint64_t kSeed = 20'260'611;

model::TableDescription table_with_three_indexes()
{
    auto table = pair_table("table");
    const auto add = [&](std::string name, AttributeType type, ProjectionType projection) {
        model::IndexDescription index;
        index.name = "by_" + name;
        index.keys.hash = table.keys.hash;
        index.keys.range = {{std::move(name), type}};
        index.projection = projection;
        table.local_indexes.push_back(std::move(index));
    };
    add("a", AttributeType::number, ProjectionType::all);
    add("b", AttributeType::string, ProjectionType::keys_only);
    add("c", AttributeType::binary, ProjectionType::include);
    table.local_indexes[2].non_key_attributes = {"v", "w"};
    return table;
}

class RandomWritesTest : public EngineTest {
protected:
    using Names = std::pair<std::string, std::string>;

    RandomWritesTest() { create(table_with_three_indexes()); }

    std::uint64_t below(std::uint64_t bound) { return random_numbers_() % bound; }

    std::unique_ptr<Item> random_item(const Names &names)
    {
        auto item = std::make_unique<Item>();
        item->s("pk", names.first).s("sk", names.second);
        const auto text = [&] { return std::string(1 + below(3), static_cast<char>('a' + below(3))); };
        if (below(3) != 0) {
            item->n("a", std::to_string(static_cast<int>(below(7)) - 3));
        }
        if (below(3) != 0) {
            item->s("b", text());
        }
        if (below(3) != 0) {
            item->b("c", std::string(below(2), '\0') + text());
        }
        for (const auto *name : {"v", "w", "x"}) {
            if (below(2) != 0) {
                item->s(name, text());
            }
        }
        return item;
    }

    /// One commit of one to six writes; items_ follows it.
    void commit()
    {
        std::map<Names, std::unique_ptr<Item>> changes;
        std::vector<PrimaryKey> keys;
        std::vector<DecidedWrite> writes;
        for (auto count = 1 + below(6); count > 0; --count) {
            changes[{std::string(1, static_cast<char>('p' + below(3))), std::to_string(below(4))}] = nullptr;
        }
        auto next = items_;
        for (auto &[names, item] : changes) {
            keys.push_back(key_of(names.first, names.second));
            const auto kind = below(5);
            if (kind == 0) {
                writes.push_back(DecidedWrite::nothing());
            } else if (kind == 1) {
                writes.push_back(DecidedWrite::remove());
                next.erase(names);
            } else {
                item = random_item(names);
                writes.push_back(DecidedWrite::put(*item));
                next[names] = bytes_of(*item);
            }
        }
        std::vector<ItemWriteTarget> targets;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            targets.push_back({*table_, keys[i], writes[i]});
        }
        const bool refused = below(10) == 0;
        auto refusal = DecidedWrite::refuse({ErrorCode::conditional_check_failed, ""});
        const auto elsewhere = key_of("elsewhere", "s");
        if (refused) {
            targets.push_back({*table_, elsewhere, refusal});
        }
        ASSERT_EQ(engine_.write_items(Wait::allowed, targets).result.has_value(), !refused);
        if (!refused) {
            items_ = std::move(next);
            check_told(changes, writes);
        }
    }

    void check_told(const std::map<Names, std::unique_ptr<Item>> &changes, const std::vector<DecidedWrite> &writes)
    {
        auto write = writes.begin();
        for (const auto &change : changes) {
            const auto item = items_.find(change.first);
            EXPECT_EQ(write->new_item, item == items_.end() ? std::nullopt : std::optional(item->second));
            EXPECT_EQ(write->collection_bytes, expected_collections()[change.first.first]);
            ++write;
        }
    }

    std::map<std::string, std::uint64_t> expected_collections() const
    {
        std::map<std::string, std::uint64_t> sums;
        for (const auto &[names, bytes] : items_) {
            const model::ItemView item(bytes);
            sums[names.first] += item.size_bytes() + local_entries_size_bytes(table_->description, item);
        }
        return sums;
    }

    void check_items()
    {
        EXPECT_EQ(rows(table_->keyspace()).size(), items_.size());
        for (const auto &[names, bytes] : items_) {
            EXPECT_EQ(stored(key_of(names.first, names.second)), bytes);
        }
    }

    void check_index(std::size_t number)
    {
        using Place = std::tuple<std::uint64_t, std::string, std::string, std::string>;
        std::map<Place, std::string> expected;
        for (const auto &[names, bytes] : items_) {
            const model::ItemView item(bytes);
            if (has_entry(local_index(number), item.attributes())) {
                auto key = local_index_key(table_->description, local_index(number), item.attributes());
                const auto entry = entry_of(table_->description, local_index(number), item);
                EXPECT_EQ(row(local_keyspace(number), key.view()), entry);
                expected[{key.hash, key.partition, key.sort, key.tail}] = entry;
            }
        }
        std::vector<std::string> in_order;
        for (const auto &[place, entry] : expected) {
            in_order.push_back(entry);
        }
        EXPECT_EQ(rows(local_keyspace(number)), in_order);
    }

    void check_collections()
    {
        const auto expected = expected_collections();
        EXPECT_EQ(rows(table_->collections_keyspace()).size(), expected.size());
        for (const auto &[pk, bytes] : expected) {
            EXPECT_EQ(collection_bytes(pk), bytes);
        }
    }

    std::mt19937_64 random_numbers_{kSeed};
    std::map<Names, std::string> items_;
};
BASALT_ON_BOTH_BACKENDS(RandomWritesTest);

TEST_P(RandomWritesTest, IndexesAndCollectionsFollowTheItems)
{
    for (int step = 0; step < kSteps; ++step) {
        SCOPED_TRACE("seed " + std::to_string(kSeed) + ", step " + std::to_string(step));
        commit();
        check_items();
        for (std::size_t number = 0; number < 3; ++number) {
            check_index(number);
        }
        check_collections();
        if (HasFailure()) {
            return;
        }
    }
}

} // namespace
} // namespace basalt::engine

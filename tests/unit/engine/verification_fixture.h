// An engine whose applier does not run, with items in a table, and faults that tests plant among its rows.
#pragma once

#include "codec/table_encoding.h"
#include "engine/index_entry.h"
#include "engine/log_cursor.h"
#include "engine/verification.h"
#include "storage/durable_wait.h"
#include "storage/row_key.h"
#include "unit/engine/engine_fixture.h"

#include <optional>
#include <string>
#include <vector>

namespace basalt::engine {

[[nodiscard]] inline std::optional<StoredKey> parse_key(Bytes raw_key)
{
    auto parts = storage::parse_row_key(raw_key);
    return parts ? std::optional(StoredKey{parts->keyspace, parts->hash, parts->partition, parts->sort, parts->tail})
                 : std::nullopt;
}

class VerificationTest : public EngineTest {
protected:
    VerificationTest()
    {
        engine_.stop();
        create(indexed_table("table"));
        inventory_.parse_key = parse_key;
        inventory_.next_number = 1000;
        for (int i = 0; i < 30; ++i) {
            Item item;
            item.s("pk", "p" + std::to_string(i % 4)).s("sk", std::to_string(i)).s("v", "value");
            if (i % 3 != 0) {
                item.n("l", std::to_string(i % 5));
            }
            put(item);
        }
    }

    /// Logs show what is durable.
    void make_durable()
    {
        const auto seen = store_.read(storage::Wait::allowed, storage::View::latest, storage::Consistency::strong,
                                      [](storage::Reader &) { return Result<void>(); });
        ASSERT_TRUE(storage::wait_for_durability(store_, seen.ticket));
    }
    /// Everything that is found, a line each.
    std::vector<std::string> findings()
    {
        make_durable();
        std::vector<std::string> lines;
        counts_ = verify_store(
            store_, inventory_,
            [&](Finding finding) {
                EXPECT_EQ(finding.severity, Severity::error);
                lines.push_back(std::string(finding.kind) + ": " + finding.text);
            },
            [](const VerificationCounts &) {});
        return lines;
    }
    /// There is one finding and it has these texts in it.
    void expect_one(const std::vector<std::string> &texts)
    {
        const auto lines = findings();
        ASSERT_EQ(lines.size(), 1U) << testing::PrintToString(lines);
        for (const auto &text : texts) {
            EXPECT_NE(lines[0].find(text), std::string::npos) << lines[0] << "\nhas no " << text;
        }
    }

    void plant(storage::KeyspaceId keyspace, const storage::Key &key, Bytes value)
    {
        change([&](storage::Mutation &mutation) { mutation.put(keyspace, key, value); });
    }
    void uproot(storage::KeyspaceId keyspace, const storage::Key &key)
    {
        change([&](storage::Mutation &mutation) { mutation.remove(keyspace, key); });
    }
    void change(function_ref<void(storage::Mutation &)> edit)
    {
        const storage::LockKey lock{storage::kCatalogKeyspace, {}};
        const auto outcome =
            store_.mutate(storage::Wait::allowed, {&lock, 1}, [&](storage::Mutation &mutation) -> Result<void> {
                edit(mutation);
                return {};
            });
        ASSERT_TRUE(outcome.result);
    }
    void plant_description(const model::TableDescription &table)
    {
        plant(storage::kCatalogKeyspace, {0, table.name, {}, {}}, codec::encode_table(table));
    }

    /// The row of an item's entry in the local index.
    StoredKey entry_key(std::string_view pk, std::string_view sk, std::string_view l)
    {
        Item item;
        item.s("pk", pk).s("sk", sk).n("l", l);
        auto row = local_index_key(table_->description, local_index(), item.view().attributes());
        return {{}, row.hash, row.partition, row.sort, row.tail};
    }
    storage::Key collection_key(const PrimaryKey &key) const { return {key.hash, key.partition, {}, {}}; }

    StoreInventory inventory_;
    VerificationCounts counts_;
};

} // namespace basalt::engine

// The check of one table: every item, then every row that is derived from items.
#pragma once

#include "engine/index_entries.h"
#include "engine/primary_key.h"
#include "engine/verification.h"
#include "model/table_description.h"

#include <string>
#include <string_view>
#include <vector>

namespace basalt::engine {

class TableVerification {
public:
    /// What all tables share; outlives this object.
    struct Context {
        storage::Store &store;
        const StoreInventory &inventory;
        FindingSink found;
        VerificationProgress progress;
        VerificationCounts &counts;
    };

    /// The table's keys and local indexes are such as CreateTable makes. It outlives this object.
    TableVerification(const Context &context, const model::TableDescription &table);

    void run();

private:
    /// The partition that the scan of the items is in.
    struct Partition {
        StoredKey key;
        std::uint64_t bytes = 0;
        bool is_known = true; // false: an item of it could not be read, so that the bytes are not all
    };

    void error(std::string_view kind, const std::string &where, const std::string &what);
    [[nodiscard]] std::string where(const model::IndexDescription &index) const;
    [[nodiscard]] std::string where_collection(const StoredKey &key) const;
    /// Rows of a keyspace that have a key; others are found.
    bool scan(storage::KeyspaceId keyspace, const std::string &what, const storage::Range &range,
              function_ref<bool(const StoredKey &, Bytes value)> row);

    void check_item(const StoredKey &key, Bytes value);
    [[nodiscard]] bool is_sound(const StoredKey &key, Bytes value);
    void check_entries(const StoredKey &key, const IndexEntries &entries);
    void check_index(std::size_t number);
    void check_index_row(std::size_t number, const StoredKey &key, Bytes value);

    void enter_partition(const StoredKey &key);
    void settle_partition();
    void check_collection(Bytes value);
    void check_rest_of_collections();
    void left_over(const StoredKey &key);

    const Context &context_;
    const model::TableDescription &table_;
    const IndexNames names_;
    const std::string where_;
    std::vector<std::uint64_t> entries_met_; // of each local index: rows that an item led to
    std::optional<Partition> partition_;
    std::optional<StoredKey> last_collection_; // where the walk through the collections' rows stands
    std::uint64_t rows_ = 0;
};

} // namespace basalt::engine

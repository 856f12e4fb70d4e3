// The check of one table: every item, then every row that is derived from items.
#pragma once

#include "engine/global_index_verification.h"
#include "engine/index_entries.h"
#include "engine/primary_key.h"
#include "engine/verification_context.h"
#include "model/table_description.h"

#include <string>
#include <string_view>
#include <vector>

namespace basalt::engine {

class TableVerification {
public:
    /// The table's keys and indexes are such as CreateTable makes. applied: see GlobalIndexVerification. The references
    /// outlive this object.
    TableVerification(VerificationContext &context, const model::TableDescription &table,
                      std::optional<storage::LogPosition> applied);

    void run();

private:
    void check();
    /// The partition that the scan of the items is in.
    struct Partition {
        StoredKey key;
        std::uint64_t bytes = 0;
        bool is_known = true; // false: an item of it could not be read, so that the bytes are not all
    };

    [[nodiscard]] std::string where(const model::IndexDescription &index) const;
    [[nodiscard]] std::string where_collection(const StoredKey &key) const;

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

    VerificationContext &context_;
    const model::TableDescription &table_;
    const IndexNames names_;
    const std::string where_;
    std::vector<std::uint64_t> entries_met_; // of each local index: rows that an item led to
    std::optional<Partition> partition_;
    std::optional<StoredKey> last_collection_; // where the walk through the collections' rows stands
    GlobalIndexVerification global_indexes_;
};

} // namespace basalt::engine

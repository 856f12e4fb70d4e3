// The check of one table's global indexes. They follow the items with a delay, so that what a record of the change log
// says that is not applied yet is left out: of such an item an index may hold an older entry, several, or none.
#pragma once

#include "engine/index_entries.h"
#include "engine/pending_items.h"
#include "engine/verification_context.h"
#include "model/table_description.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace basalt::engine {

class GlobalIndexVerification {
public:
    /// applied: the cursor of the table's log; nothing: it is not known, and indexes are not compared. The references
    /// outlive this object.
    GlobalIndexVerification(VerificationContext &context, const model::TableDescription &table,
                            std::optional<storage::LogPosition> applied);

    /// Of each item that is whole and stands where it belongs.
    void check_item(const StoredKey &key, model::ItemView item);
    /// Behind the last item.
    void check_rows();

    [[nodiscard]] std::uint64_t pending_records() const { return pending_.records(); }

private:
    Result<void> check_entry(storage::Reader &reader, std::size_t number, const IndexEntries &entries,
                             model::ItemView item);
    void check_index(std::size_t number);
    void check_pending_row(const model::IndexDescription &index, const StoredKey &key, Bytes value);
    void check_row(std::size_t number, const StoredKey &key, Bytes value);
    void judge_row(std::size_t number, const StoredKey &key, Bytes value, std::optional<Bytes> item);
    [[nodiscard]] std::string where(const model::IndexDescription &index) const;
    [[nodiscard]] std::string where(const model::IndexDescription &index, const StoredKey &key) const;

    VerificationContext &context_;
    const model::TableDescription &table_;
    const IndexNames names_;
    PendingItems pending_;
    bool is_checked_ = true;
    std::vector<std::uint64_t> entries_met_; // of each index: rows that items without pending changes led to
    std::string buffer_;
};

} // namespace basalt::engine

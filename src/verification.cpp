// Implements include/basalt/verification.h: the files first, then what the rows in them mean.
#include "basalt/verification.h"

#include "engine/verification.h"
#include "storage/rocksdb/verification.h"
#include "storage/row_key.h"

#include <optional>
#include <utility>

namespace basalt {
namespace {

std::optional<engine::StoredKey> parse_key(Bytes raw_key)
{
    auto parts = storage::parse_row_key(raw_key);
    if (!parts) {
        return std::nullopt;
    }
    return engine::StoredKey{parts->keyspace, parts->hash, std::move(parts->partition), std::move(parts->sort),
                             std::move(parts->tail)};
}

void add_counts(const engine::VerificationCounts &counts, VerificationSummary &summary)
{
    summary.tables = counts.tables;
    summary.items = counts.items;
    summary.item_bytes = counts.item_bytes;
    summary.index_entries = counts.index_entries;
    summary.item_collections = counts.collections;
    summary.transaction_tokens = counts.tokens;
}

} // namespace

Result<VerificationSummary> verify_database(const std::filesystem::path &data_dir, std::size_t memory_budget_bytes,
                                            VerificationObserver &observer)
{
    const auto found = [&](Finding finding) {
        observer.found({finding.severity == Severity::error, finding.kind, std::move(finding.text)});
    };
    auto files = storage::verify_files(data_dir, memory_budget_bytes, found);
    if (!files) {
        return fail(std::move(files).error());
    }
    VerificationSummary summary;
    summary.files = files->files;
    summary.file_bytes = files->bytes;
    if (files->store != nullptr) {
        summary.rows_checked = true;
        const engine::StoreInventory inventory{std::move(files->with_rows), std::move(files->dropped),
                                               files->next_number, parse_key};
        const auto progress = [&](const engine::VerificationCounts &counts) {
            add_counts(counts, summary);
            observer.reached(summary);
        };
        const auto counts = engine::verify_store(*files->store, inventory, found, progress);
        add_counts(counts, summary);
        for (const auto &table : counts.indexed_tables) {
            summary.indexed_tables.push_back({table.table, table.items, table.index_entries, table.pending_changes});
        }
    }
    return summary;
}

} // namespace basalt

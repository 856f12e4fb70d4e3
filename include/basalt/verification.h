// Checks a database that nobody has open, for damage that opening it would not show.
#pragma once

#include "basalt/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace basalt {

struct VerificationFinding {
    /// false: worth knowing, and no damage, such as what a crash leaves for the next start to remove.
    bool is_error = true;
    /// One of a few fixed texts, to count by.
    std::string_view kind;
    /// One line for a person.
    std::string text;
};

/// Of one table that has indexes.
struct IndexedTableSummary {
    std::string table;
    std::uint64_t items = 0;
    std::uint64_t index_entries = 0;
    /// Changes that are not applied to its global indexes yet, so that entries of the items they name are not compared.
    std::uint64_t pending_changes = 0;
};

struct VerificationSummary {
    std::uint64_t files = 0;
    std::uint64_t file_bytes = 0;
    /// false: the files could not be opened as a database, so that what follows is 0.
    bool rows_checked = false;
    std::uint64_t tables = 0;
    std::uint64_t items = 0;
    std::uint64_t item_bytes = 0; // by DynamoDB's rule
    std::uint64_t index_entries = 0;
    std::uint64_t item_collections = 0;
    std::uint64_t transaction_tokens = 0;
    /// Only at the end.
    std::vector<IndexedTableSummary> indexed_tables = {};
};

/// Told of everything as it is found, on the calling thread.
class VerificationObserver {
public:
    virtual void found(const VerificationFinding &finding) = 0;
    /// How far it has got.
    virtual void reached(const VerificationSummary &summary) = 0;

protected:
    ~VerificationObserver() = default;
};

/// Checks the files of a data directory, their checksums, and every row: that it decodes, stands where it belongs, and
/// agrees with the rows that it follows from. Logs that no start has replayed yet count as replayed. Nothing in the
/// directory is changed, and no server can open it meanwhile. All is well if no error was found.
///
/// Errors, when nothing could be checked: locked, unsupported_format, io_error, each with a sentence for a person.
[[nodiscard]] Result<VerificationSummary>
verify_database(const std::filesystem::path &data_dir, std::size_t memory_budget_bytes, VerificationObserver &observer);

} // namespace basalt

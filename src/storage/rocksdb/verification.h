// Checks a closed data directory as files: formats, checksums, what should be there and what should not. What the rows
// mean is not its business; it opens them for whoever checks that.
#pragma once

#include "basalt/result.h"
#include "base/finding.h"
#include "storage/rocksdb/data_directory.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace basalt::storage {

struct VerifiedFiles {
    /// Keeps servers out.
    DataDirectory directory;
    /// For reading; nested reads are allowed. Null: the rows cannot be read, or there are none.
    std::unique_ptr<Store> store = nullptr;
    /// Keyspaces that have rows, and those that are marked as dropped.
    std::vector<KeyspaceId> with_rows = {};
    std::vector<KeyspaceId> dropped = {};
    /// Larger than the number of every keyspace that was ever made.
    std::uint32_t next_number = 1;
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
};

/// Reads every block of every table and every record of every log. Nothing in the directory is changed. Errors, when
/// nothing could be checked: locked, unsupported_format, io_error.
[[nodiscard]] Result<VerifiedFiles> verify_files(const std::filesystem::path &path, std::size_t memory_budget_bytes,
                                                 FindingSink found);

} // namespace basalt::storage

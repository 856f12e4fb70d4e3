// The files of a data directory by what their names say they are.
#pragma once

#include "basalt/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace basalt::storage {

struct DirectoryFiles {
    /// By number, with their sizes in bytes.
    std::map<std::uint64_t, std::uint64_t> tables, logs, manifests;
    bool has_current = false;
    /// What RocksDB leaves when it is interrupted while it replaces a file.
    std::vector<std::string> temporary;
    /// Everything that neither Basalt nor RocksDB makes here.
    std::vector<std::string> strangers;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};

/// Error: io_error.
[[nodiscard]] Result<DirectoryFiles> list_files(const std::filesystem::path &directory);

/// "000012.sst" and the like.
[[nodiscard]] std::string table_name(std::uint64_t number);
[[nodiscard]] std::string log_name(std::uint64_t number);
[[nodiscard]] std::string manifest_name(std::uint64_t number);

} // namespace basalt::storage

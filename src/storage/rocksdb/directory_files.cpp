// Names of files.
#include "storage/rocksdb/directory_files.h"

#include "storage/rocksdb/synced_logs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

namespace basalt::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kManifest = "MANIFEST-";
/// BASALT.new: a start that was interrupted. LOCK: RocksDB's own.
constexpr std::array<std::string_view, 8> kKnown = {"BASALT",           "BASALT.lock", "BASALT.new", kSyncedLogsFile,
                                                    kNewSyncedLogsFile, "IDENTITY",    "LOCK",       "lost+found"};

std::optional<std::uint64_t> number_of(std::string_view text)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

void sort_in(const std::string &name, std::uint64_t bytes, DirectoryFiles &files)
{
    const std::string_view view = name;
    const std::size_t point = std::min(view.rfind('.'), view.size());
    const std::string_view ending = view.substr(point);
    if (name == "CURRENT") {
        files.has_current = true;
    } else if (view.starts_with(kManifest) && number_of(view.substr(kManifest.size()))) {
        files.manifests[*number_of(view.substr(kManifest.size()))] = bytes;
    } else if (const auto number = number_of(view.substr(0, point)); number && ending == ".sst") {
        files.tables[*number] = bytes;
    } else if (number && ending == ".log") {
        files.logs[*number] = bytes;
    } else if (ending == ".dbtmp") {
        files.temporary.push_back(name);
    } else if (std::find(kKnown.begin(), kKnown.end(), view) == kKnown.end()) {
        files.strangers.push_back(name);
    }
}

std::string padded(std::uint64_t number)
{
    constexpr std::size_t kDigits = 6;
    const std::string digits = std::to_string(number);
    return std::string(kDigits - std::min(kDigits, digits.size()), '0') + digits;
}

} // namespace

Result<DirectoryFiles> list_files(const fs::path &directory)
{
    DirectoryFiles files;
    std::error_code error;
    fs::directory_iterator entries(directory, error);
    for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
        std::error_code no_size;
        const bool regular = entries->is_regular_file(no_size);
        const std::uint64_t bytes = regular ? entries->file_size(no_size) : 0;
        ++files.count;
        files.bytes += no_size ? 0 : bytes;
        sort_in(entries->path().filename().string(), no_size ? 0 : bytes, files);
    }
    if (error) {
        return fail(ErrorCode::io_error,
                    "Cannot list the data directory '" + directory.string() + "': " + error.message() + ".");
    }
    std::sort(files.temporary.begin(), files.temporary.end());
    std::sort(files.strangers.begin(), files.strangers.end());
    return files;
}

std::string table_name(std::uint64_t number)
{
    return padded(number) + ".sst";
}

std::string log_name(std::uint64_t number)
{
    return padded(number) + ".log";
}

std::string manifest_name(std::uint64_t number)
{
    return std::string(kManifest) + padded(number);
}

} // namespace basalt::storage

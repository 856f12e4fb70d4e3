#include "storage/rocksdb/synced_logs.h"

#include "storage/rocksdb/directory_files.h"

#include <fstream>
#include <sstream>
#include <system_error>

namespace basalt::storage {
namespace {

std::string path_of(const std::filesystem::path &directory)
{
    return (directory / kSyncedLogsFile).string();
}

} // namespace

std::string format_synced_logs(const SyncedLogs &logs)
{
    std::string text;
    for (const auto &[number, bytes] : logs) {
        text += std::to_string(number) + " " + std::to_string(bytes) + "\n";
    }
    return text;
}

Result<SyncedLogs> read_synced_logs(const std::filesystem::path &directory)
{
    std::error_code error;
    if (!std::filesystem::exists(directory / kSyncedLogsFile, error)) {
        return SyncedLogs();
    }
    std::ifstream file(directory / kSyncedLogsFile, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) {
        return fail(ErrorCode::io_error, "Cannot read '" + path_of(directory) + "'.");
    }
    SyncedLogs logs;
    std::istringstream lines(text.str());
    std::uint64_t number = 0;
    std::uint64_t bytes = 0;
    while (lines >> number >> bytes) {
        logs[number] = bytes;
    }
    // What it was made of, to the byte.
    if (format_synced_logs(logs) != text.str()) {
        return fail(ErrorCode::corruption, "The file '" + path_of(directory) + "' is damaged.");
    }
    return logs;
}

Result<void> check_synced_logs(const std::filesystem::path &directory, const SyncedLogs &logs)
{
    for (const auto &[number, bytes] : logs) {
        std::error_code error;
        const auto size = std::filesystem::file_size(directory / log_name(number), error);
        if (!error && size < bytes) {
            return fail(ErrorCode::corruption, "The data in '" + directory.string() +
                                                   "' is damaged and has been left as it is: the log " +
                                                   log_name(number) + " has " + std::to_string(size) +
                                                   " bytes, it had " + std::to_string(bytes) + ".");
        }
    }
    return {};
}

} // namespace basalt::storage

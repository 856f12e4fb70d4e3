// Reads a file in RocksDB's log format, which the write-ahead logs and the MANIFEST have, without RocksDB: to say where
// it stops being sound, and which commits a log holds.
//
//   file   := block*                                    block: 32 KiB, the last one may be shorter
//   block  := record* zeros                             no record begins in the last 6 bytes
//   record := crc:u32 length:u16 type:u8 payload        type: 1 whole, 2 first, 3 middle, 4 last part of a payload
//
// The crc is the masked CRC-32C of type and payload. A payload of a write-ahead log begins with the commit's first
// sequence number (u64) and its number of changes (u32).
#pragma once

#include "basalt/result.h"

#include <cstdint>
#include <filesystem>
#include <map>

namespace basalt::storage {

enum class LogEnd : std::uint8_t {
    clean,
    torn,    // in the middle of a payload or in zeros behind one: RocksDB accepts it
    garbled, // in bytes that are no record, and nothing behind them is
    damaged, // the same, and later commits follow: no write that was interrupted leaves that
};

struct LogScan {
    std::uint64_t size = 0;
    std::uint64_t payloads = 0;
    /// Behind the last whole payload.
    std::uint64_t sound_bytes = 0;
    LogEnd end = LogEnd::clean;
    /// Of a write-ahead log with payloads: the sequence numbers it holds, from `first` to before `next`.
    std::uint64_t first = 0;
    std::uint64_t next = 0;
};

/// before: the `next` of the log before this one; 0: not known. Error: io_error.
[[nodiscard]] Result<LogScan> scan_log(const std::filesystem::path &file, std::uint64_t before = 0);

/// Of all logs of a directory, by number, each with the one before it in mind. Errors: io_error.
[[nodiscard]] Result<std::map<std::uint64_t, LogScan>> scan_logs(const std::filesystem::path &directory);

} // namespace basalt::storage

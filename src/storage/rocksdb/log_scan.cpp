// The log format: blocks, records, checksums.
#include "storage/rocksdb/log_scan.h"

#include "base/bytes.h"
#include "storage/rocksdb/directory_files.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>

namespace basalt::storage {
namespace {

constexpr std::size_t kBlockBytes = 32768;
constexpr std::size_t kHeaderBytes = 7;
/// Sequence number and count.
constexpr std::size_t kCommitHeadBytes = 12;
/// How many bytes are taken for records on the search for one, most of them more than once; about a second.
constexpr std::uint64_t kSearchBytes = std::uint64_t{1} << 30;

enum class Part : std::uint8_t { zero = 0, whole = 1, first = 2, middle = 3, last = 4 };

using CrcTable = std::array<std::uint32_t, 256>;

/// The table of a byte with 0 to 7 others behind it.
constexpr std::array<CrcTable, 8> make_crc_tables()
{
    std::array<CrcTable, 8> tables{};
    for (std::uint32_t i = 0; i < tables[0].size(); ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U); // Castagnoli, reflected
        }
        tables[0][i] = crc;
    }
    for (std::size_t behind = 1; behind < tables.size(); ++behind) {
        for (std::size_t i = 0; i < tables[0].size(); ++i) {
            const std::uint32_t crc = tables[behind - 1][i];
            tables[behind][i] = (crc >> 8U) ^ tables[0][crc & 0xFFU];
        }
    }
    return tables;
}

template <typename T>
T little_endian(Bytes bytes, std::size_t at)
{
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        value = static_cast<T>(value |
                               static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes[at + i])) << (8 * i)));
    }
    return value;
}

std::uint32_t masked_crc(Bytes bytes)
{
    static constexpr std::array<CrcTable, 8> kTables = make_crc_tables();
    std::uint32_t crc = ~0U;
    for (; bytes.size() >= kTables.size(); bytes.remove_prefix(kTables.size())) {
        const std::uint64_t eight = little_endian<std::uint64_t>(bytes, 0) ^ crc;
        crc = 0;
        for (std::size_t i = 0; i < kTables.size(); ++i) {
            crc ^= kTables[kTables.size() - 1 - i][(eight >> (8 * i)) & 0xFFU];
        }
    }
    for (const char byte : bytes) {
        crc = (crc >> 8U) ^ kTables[0][(crc ^ static_cast<unsigned char>(byte)) & 0xFFU];
    }
    crc = ~crc;
    return ((crc >> 15U) | (crc << 17U)) + 0xA282EAD8U;
}

bool all_zero(Bytes bytes)
{
    return bytes.find_first_not_of('\0') == Bytes::npos;
}

struct Record {
    Part part = Part::zero;
    Bytes payload;
};

/// What stands at the beginning of `rest`, the unread rest of a block.
enum class Look : std::uint8_t { record, padding, cut, bad };

/// is_short: the block is the file's last and less than a whole one. RocksDB takes records to be cut in such only.
Look look_at(Bytes rest, bool is_short, Record &record)
{
    if (rest.size() < kHeaderBytes) {
        return is_short && !rest.empty() ? Look::cut : Look::padding;
    }
    const std::size_t length = little_endian<std::uint16_t>(rest, 4);
    const auto part = static_cast<std::uint8_t>(rest[6]);
    if (length > rest.size() - kHeaderBytes) {
        return is_short ? Look::cut : Look::bad;
    }
    if (part < static_cast<std::uint8_t>(Part::whole) || part > static_cast<std::uint8_t>(Part::last) ||
        little_endian<std::uint32_t>(rest, 0) != masked_crc(rest.substr(6, 1 + length))) {
        return Look::bad;
    }
    record = {static_cast<Part>(part), rest.substr(kHeaderBytes, length)};
    return Look::record;
}

/// Looks for the beginning of a later commit among bytes that are no record. A length that was hit leads astray, so one
/// may begin anywhere. That its sequence number goes on where the log was sound tells it from bytes that a client
/// stored.
class Search {
public:
    /// Whether there is one in the rest of a block. True also once the search would take too long.
    bool finds_commit(Bytes rest, std::uint64_t next, std::uint64_t file_bytes)
    {
        Record record;
        for (; rest.size() >= kHeaderBytes; rest.remove_prefix(1)) {
            const auto part = static_cast<Part>(rest[6]);
            const std::size_t length = little_endian<std::uint16_t>(rest, 4);
            if ((part != Part::whole && part != Part::first) || length < kCommitHeadBytes ||
                length > rest.size() - kHeaderBytes || !goes_on(rest.substr(kHeaderBytes), next, file_bytes)) {
                continue;
            }
            bytes_ += length;
            if (bytes_ > kSearchBytes || look_at(rest, false, record) == Look::record) {
                return true;
            }
        }
        return false;
    }

private:
    /// No commit has more changes than bytes.
    static bool goes_on(Bytes payload, std::uint64_t next, std::uint64_t file_bytes)
    {
        const auto sequence = little_endian<std::uint64_t>(payload, 0);
        return next == 0 || (sequence >= next && sequence - next <= file_bytes);
    }

    std::uint64_t bytes_ = 0;
};

class Scan {
public:
    explicit Scan(std::uint64_t before)
        : before_(before)
    {}

    Result<LogScan> run(const std::filesystem::path &path)
    {
        std::ifstream file(path, std::ios::binary);
        std::error_code error;
        log_.size = std::filesystem::file_size(path, error);
        if (!file || error) {
            return cannot_read(path);
        }
        std::string block(kBlockBytes, '\0');
        for (std::uint64_t at = 0; at < log_.size && !broken_;) {
            const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kBlockBytes, log_.size - at));
            if (!file.read(block.data(), static_cast<std::streamsize>(size))) {
                return cannot_read(path);
            }
            take_block(Bytes(block).substr(0, size), at);
            at += size;
        }
        if (!broken_) {
            log_.end = within_ ? LogEnd::torn : LogEnd::clean;
            return log_;
        }
        if (log_.end == LogEnd::clean && !judge_rest(file, block)) {
            return cannot_read(path);
        }
        return log_;
    }

private:
    static Unexpected cannot_read(const std::filesystem::path &path)
    {
        return fail(ErrorCode::io_error, "Cannot read '" + path.string() + "'.");
    }

    bool finds_commit(Bytes rest)
    {
        return search_.finds_commit(rest, log_.payloads == 0 ? before_ : log_.next, log_.size);
    }

    void take_block(Bytes block, std::uint64_t at)
    {
        const bool is_short = block.size() < kBlockBytes;
        std::size_t used = 0;
        while (used < block.size() && !broken_) {
            const Bytes rest = block.substr(used);
            Record record;
            switch (look_at(rest, is_short, record)) {
            case Look::padding:
                used = block.size();
                break;
            case Look::record:
                used += kHeaderBytes + record.payload.size();
                take(record, at + used);
                break;
            case Look::cut:
                broken_ = true;
                // Or its length was hit, and is no sign of an end.
                log_.end = finds_commit(rest.substr(1)) ? LogEnd::damaged : LogEnd::torn;
                break;
            case Look::bad:
                broken_ = true;
                // Zeros may be written ahead; whether that is all there is, the rest of the file says.
                zeros_only_ = all_zero(rest);
                log_.end = finds_commit(rest.substr(1)) ? LogEnd::damaged : LogEnd::clean;
                break;
            }
        }
    }

    void take(const Record &record, std::uint64_t end)
    {
        const bool begins = record.part == Part::whole || record.part == Part::first;
        if (begins == within_) { // a part without its beginning, or a beginning inside another
            broken_ = true;
            log_.end = LogEnd::damaged;
            return;
        }
        if (begins) {
            head_.clear();
        }
        head_.append(record.payload.substr(0, kCommitHeadBytes - std::min(kCommitHeadBytes, head_.size())));
        within_ = record.part == Part::first || record.part == Part::middle;
        if (within_) {
            return;
        }
        ++log_.payloads;
        log_.sound_bytes = end;
        if (head_.size() == kCommitHeadBytes) {
            const auto sequence = little_endian<std::uint64_t>(head_, 0);
            log_.first = log_.payloads == 1 ? sequence : log_.first;
            log_.next = sequence + little_endian<std::uint32_t>(head_, 8);
        }
    }

    /// Whether later commits follow in the blocks behind what is no record.
    bool judge_rest(std::ifstream &file, std::string &block)
    {
        log_.end = LogEnd::garbled;
        while (true) {
            file.read(block.data(), static_cast<std::streamsize>(block.size()));
            const Bytes bytes = Bytes(block).substr(0, static_cast<std::size_t>(file.gcount()));
            if (bytes.empty()) {
                break;
            }
            zeros_only_ = zeros_only_ && all_zero(bytes);
            if (finds_commit(bytes)) {
                log_.end = LogEnd::damaged;
                return true;
            }
        }
        // RocksDB passes over zeros, but not between two parts of a payload.
        if (zeros_only_ && !within_) {
            log_.end = LogEnd::torn;
        }
        return file.eof();
    }

    const std::uint64_t before_;
    LogScan log_;
    bool within_ = false; // a payload whose last part has not come yet
    bool broken_ = false;
    bool zeros_only_ = false;
    std::string head_;
    Search search_;
};

} // namespace

Result<LogScan> scan_log(const std::filesystem::path &file, std::uint64_t before)
{
    return Scan(before).run(file);
}

Result<std::map<std::uint64_t, LogScan>> scan_logs(const std::filesystem::path &directory)
{
    const Result<DirectoryFiles> listed = list_files(directory);
    if (!listed) {
        return fail(listed.error());
    }
    std::map<std::uint64_t, LogScan> logs;
    std::uint64_t before = 0;
    for (const auto &[number, bytes] : listed->logs) {
        const Result<LogScan> scan = scan_log(directory / log_name(number), before);
        if (!scan) {
            return fail(scan.error());
        }
        before = scan->payloads == 0 ? before : scan->next;
        logs[number] = *scan;
    }
    return logs;
}

} // namespace basalt::storage

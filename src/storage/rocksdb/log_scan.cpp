// The log format: blocks, records, checksums.
#include "storage/rocksdb/log_scan.h"

#include "base/bytes.h"

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

enum class Part : std::uint8_t { zero = 0, whole = 1, first = 2, middle = 3, last = 4 };

constexpr std::array<std::uint32_t, 256> make_crc_table()
{
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U); // Castagnoli, reflected
        }
        table[i] = crc;
    }
    return table;
}

std::uint32_t masked_crc(Bytes bytes)
{
    static constexpr std::array<std::uint32_t, 256> kTable = make_crc_table();
    std::uint32_t crc = ~0U;
    for (const char byte : bytes) {
        crc = (crc >> 8U) ^ kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFFU];
    }
    crc = ~crc;
    return ((crc >> 15U) | (crc << 17U)) + 0xA282EAD8U;
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

Look look_at(Bytes rest, bool is_last_block, Record &record)
{
    if (rest.size() < kHeaderBytes) {
        if (is_last_block) {
            return rest.empty() ? Look::padding : Look::cut;
        }
        return Look::padding;
    }
    const std::size_t length = little_endian<std::uint16_t>(rest, 4);
    const auto part = static_cast<std::uint8_t>(rest[6]);
    if (length > rest.size() - kHeaderBytes) {
        return is_last_block ? Look::cut : Look::bad;
    }
    if (part < static_cast<std::uint8_t>(Part::whole) || part > static_cast<std::uint8_t>(Part::last) ||
        little_endian<std::uint32_t>(rest, 0) != masked_crc(rest.substr(6, 1 + length))) {
        return Look::bad;
    }
    record = {static_cast<Part>(part), rest.substr(kHeaderBytes, length)};
    return Look::record;
}

/// Whether a sound record follows in the block behind one that is not, if its length can be believed.
bool sound_record_follows(Bytes rest, bool is_last_block)
{
    Record record;
    while (rest.size() > kHeaderBytes) {
        const std::size_t length = little_endian<std::uint16_t>(rest, 4);
        if (length > rest.size() - kHeaderBytes) {
            return false;
        }
        rest.remove_prefix(kHeaderBytes + length);
        if (look_at(rest, is_last_block, record) == Look::record) {
            return true;
        }
    }
    return false;
}

class Scan {
public:
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

    void take_block(Bytes block, std::uint64_t at)
    {
        const bool is_last = at + block.size() == log_.size;
        std::size_t used = 0;
        while (used < block.size() && !broken_) {
            const Bytes rest = block.substr(used);
            Record record;
            switch (look_at(rest, is_last, record)) {
            case Look::padding:
                used = block.size();
                break;
            case Look::record:
                used += kHeaderBytes + record.payload.size();
                take(record, at + used);
                break;
            case Look::cut:
                broken_ = true;
                log_.end = LogEnd::torn;
                break;
            case Look::bad:
                broken_ = true;
                // Zeros may be written ahead; whether that is all there is, the rest of the file says.
                zeros_only_ = all_zero(rest);
                log_.end = sound_record_follows(rest, is_last) ? LogEnd::damaged : LogEnd::clean;
                break;
            }
        }
    }

    void take(const Record &record, std::uint64_t end)
    {
        const bool begins = record.part == Part::whole || record.part == Part::first;
        if (begins == within_) { // a part without its beginning, or a beginning inside another
            broken_ = true;
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

    /// Whether sound records follow what is not. Blocks are independent, so each tells with its first record.
    bool judge_rest(std::ifstream &file, std::string &block)
    {
        log_.end = LogEnd::garbled;
        while (true) {
            file.read(block.data(), static_cast<std::streamsize>(block.size()));
            const Bytes bytes = Bytes(block).substr(0, static_cast<std::size_t>(file.gcount()));
            if (bytes.empty()) {
                break;
            }
            Record record;
            zeros_only_ = zeros_only_ && all_zero(bytes);
            if (look_at(bytes, bytes.size() < kBlockBytes, record) == Look::record) {
                log_.end = LogEnd::damaged;
                return true;
            }
        }
        if (zeros_only_) {
            log_.end = LogEnd::torn;
        }
        return file.eof();
    }

    LogScan log_;
    bool within_ = false; // a payload whose last part has not come yet
    bool broken_ = false;
    bool zeros_only_ = false;
    std::string head_;
};

} // namespace

Result<LogScan> scan_log(const std::filesystem::path &file)
{
    return Scan().run(file);
}

} // namespace basalt::storage

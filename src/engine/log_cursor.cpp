#include "engine/log_cursor.h"

namespace basalt::engine {
namespace {

constexpr std::size_t kCursorBytes = 12;

std::string big_endian(std::uint64_t value, unsigned bytes)
{
    std::string out;
    for (unsigned i = bytes; i-- > 0;) {
        out.push_back(static_cast<char>(value >> (8 * i)));
    }
    return out;
}

} // namespace

CursorKey::CursorKey(storage::KeyspaceId log)
    : bytes_(big_endian(static_cast<std::uint32_t>(log), 4))
{}

std::string encode_cursor(storage::LogPosition applied)
{
    return big_endian(applied.commit, 8) + big_endian(applied.ordinal, 4);
}

std::optional<storage::LogPosition> decode_cursor(Bytes row)
{
    if (row.size() != kCursorBytes) {
        return std::nullopt;
    }
    storage::LogPosition position;
    for (std::size_t i = 0; i < 8; ++i) {
        position.commit = position.commit << 8U | static_cast<unsigned char>(row[i]);
    }
    for (std::size_t i = 8; i < kCursorBytes; ++i) {
        position.ordinal = position.ordinal << 8U | static_cast<unsigned char>(row[i]);
    }
    return position;
}

} // namespace basalt::engine

// Row keys and the byte ranges of scans.
#include "storage/row_key.h"

#include "base/check.h"

#include <algorithm>

namespace basalt::storage {
namespace {

constexpr char kEscape = '\x00';
constexpr char kEscapedZero = '\xFF';
constexpr char kTerminator = '\x01';
/// Sorts behind every key that goes on after the terminator, and before every longer part.
constexpr char kBehindTerminator = '\x02';

void append_big_endian(std::uint64_t value, int bytes, std::string &out)
{
    for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
        out.push_back(static_cast<char>(value >> static_cast<unsigned>(shift)));
    }
}

void append_escaped(Bytes part, std::string &out)
{
    while (true) {
        const std::size_t zero = part.find('\0');
        out.append(part.substr(0, zero));
        if (zero == Bytes::npos) {
            return;
        }
        out.push_back(kEscape);
        out.push_back(kEscapedZero);
        part.remove_prefix(zero + 1);
    }
}

void append_ended(Bytes part, char end, std::string &out)
{
    append_escaped(part, out);
    out.push_back(kEscape);
    out.push_back(end);
}

std::uint64_t take_big_endian(Bytes &bytes, std::size_t count)
{
    std::uint64_t value = 0;
    for (const char byte : bytes.substr(0, count)) {
        value = value << 8U | static_cast<unsigned char>(byte);
    }
    bytes.remove_prefix(count);
    return value;
}

/// Takes an escaped part with its end; false: there is none.
bool take_escaped(Bytes &bytes, std::string &part)
{
    while (true) {
        const std::size_t zero = bytes.find(kEscape);
        if (zero == Bytes::npos || zero + 1 == bytes.size()) {
            return false;
        }
        part.append(bytes.substr(0, zero));
        const char next = bytes[zero + 1];
        bytes.remove_prefix(zero + 2);
        if (next == kTerminator) {
            return true;
        }
        if (next != kEscapedZero) {
            return false;
        }
        part.push_back('\0');
    }
}

void append_prefix(KeyspaceId keyspace, std::uint64_t hash, std::string &out)
{
    append_big_endian(static_cast<std::uint32_t>(keyspace), 4, out);
    append_big_endian(hash, 8, out);
}

/// The first key behind all keys that begin with these bytes; empty: there is none.
std::string behind_all_with(std::string bytes)
{
    while (!bytes.empty() && bytes.back() == '\xFF') {
        bytes.pop_back();
    }
    if (!bytes.empty()) {
        bytes.back() = static_cast<char>(static_cast<unsigned char>(bytes.back()) + 1);
    }
    return bytes;
}

/// The bounds within one partition; `start` is keyspace, hash and escaped partition.
RowRange partition_range(const std::string &start, const Range &range)
{
    RowRange out{start, behind_all_with(start), true};
    if (range.sort_prefix) {
        append_escaped(*range.sort_prefix, out.lower);
        out.upper = behind_all_with(out.lower);
        return out;
    }
    if (range.lower) {
        append_ended(range.lower->sort, range.lower->inclusive ? kTerminator : kBehindTerminator, out.lower);
    }
    if (range.upper) {
        out.upper = start;
        append_ended(range.upper->sort, range.upper->inclusive ? kBehindTerminator : kTerminator, out.upper);
    }
    return out;
}

void continue_after(KeyspaceId keyspace, const Range &range, RowRange &out)
{
    std::string row;
    append_row_key(keyspace, *range.after, row);
    if (range.backward) {
        if (out.upper.empty() || row < out.upper) {
            out.upper = std::move(row);
        }
        return;
    }
    row.push_back('\0'); // the immediate successor
    out.lower = std::max(out.lower, row);
}

} // namespace

void append_log_key(KeyspaceId log, LogPosition position, std::string &out)
{
    append_prefix(log, position.commit, out);
    append_big_endian(position.ordinal, 4, out);
}

LogPosition log_position(Bytes log_key)
{
    constexpr std::size_t kBytes = kRowPrefixBytes + 4;
    BASALT_CHECK(log_key.size() == kBytes);
    LogPosition position;
    for (std::size_t i = 4; i < kRowPrefixBytes; ++i) {
        position.commit = position.commit << 8U | static_cast<unsigned char>(log_key[i]);
    }
    for (std::size_t i = kRowPrefixBytes; i < kBytes; ++i) {
        position.ordinal = position.ordinal << 8U | static_cast<unsigned char>(log_key[i]);
    }
    return position;
}

void append_row_key(KeyspaceId keyspace, const Key &key, std::string &out)
{
    out.reserve(out.size() + kRowPrefixBytes + key.partition.size() + key.sort.size() + key.tail.size() + 8);
    append_prefix(keyspace, key.hash, out);
    append_ended(key.partition, kTerminator, out);
    append_ended(key.sort, kTerminator, out);
    out.append(key.tail);
}

std::optional<RowKeyParts> parse_row_key(Bytes row_key)
{
    if (row_key.size() < kRowPrefixBytes) {
        return std::nullopt;
    }
    RowKeyParts parts;
    parts.keyspace = static_cast<KeyspaceId>(take_big_endian(row_key, 4));
    parts.hash = take_big_endian(row_key, 8);
    if (!take_escaped(row_key, parts.partition) || !take_escaped(row_key, parts.sort)) {
        return std::nullopt;
    }
    parts.tail = row_key;
    return parts;
}

RowRange row_range(KeyspaceId keyspace, const Range &range)
{
    RowRange out;
    if (range.partition) {
        BASALT_CHECK(range.first_hash == range.last_hash);
        std::string start;
        append_prefix(keyspace, range.first_hash, start);
        append_ended(*range.partition, kTerminator, start);
        out = partition_range(start, range);
    } else {
        append_prefix(keyspace, range.first_hash, out.lower);
        std::string last;
        append_prefix(keyspace, range.last_hash, last);
        out.upper = behind_all_with(std::move(last));
    }
    if (range.after) {
        continue_after(keyspace, range, out);
        // A row of another partition can only have emptied the range or left it alone.
        out.one_prefix = out.one_prefix && !out.empty();
    }
    return out;
}

RowRange keyspace_range(KeyspaceId keyspace)
{
    RowRange out;
    append_big_endian(static_cast<std::uint32_t>(keyspace), 4, out.lower);
    out.upper = behind_all_with(out.lower);
    return out;
}

} // namespace basalt::storage

// Order-preserving keys and the partition hash.
//
//   part(S)  := UTF-8 bytes              part(B) := raw bytes
//   part(N)  := 0x80                                            zero
//             | first:u8 pair{1,20}                             positive: first 0x80..0xFF, pair 1 + two digits
//             | first:u8 pair{1,19} 0x66 | first:u8 pair{20}    negative: first 0x00..0x7F, pair 101 - two digits
//   hash     := first 8 bytes, big-endian, of MD5("Outliers" + part(partition key))
//
// Several parts that together make one key, and compare one after the other:
//
//   parts    := part | ended(part){2,4}
//   ended(p) := p with each 0x00 as 0x00 0xFF, then 0x00 0x01
//
// The storage backend escapes and joins parts; see storage/store.h.
#pragma once

#include "basalt/result.h"
#include "base/bytes.h"
#include "model/decimal.h"
#include "model/item_view.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace basalt::codec {

/// Appends the order-preserving form of an S, N or B value: for two values of one type, unsigned byte order of the
/// parts is value order. Any other type aborts.
void append_key_part(model::ValueView value, std::string &out);
/// The same for a number.
void append_number_part(const model::Decimal &value, std::string &out);
/// The number that append_number_part wrote. Error (corruption): not such bytes.
[[nodiscard]] Result<model::Decimal> decode_number_part(Bytes part);

/// Appends ended(part).
void append_ended(Bytes part, std::string &out);
/// Appends a part the same way without its end: what all parts that begin so begin with.
void append_escaped(Bytes part, std::string &out);

/// The parts that append_ended appended one after the other. Nothing: not such bytes.
[[nodiscard]] std::optional<std::vector<std::string>> split_ended(Bytes bytes);

/// The first 64 bits of DynamoDB's partition hash. It orders partitions in a Scan; its top 12 bits decide the segment
/// of a parallel Scan. `part` is what append_key_part wrote for the partition key, or several parts.
[[nodiscard]] std::uint64_t partition_hash(Bytes part);

} // namespace basalt::codec

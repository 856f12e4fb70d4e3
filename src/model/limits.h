// DynamoDB's limits. Each is the service's documented or observed value.
#pragma once

#include <cstddef>
#include <cstdint>

namespace basalt::model {

inline constexpr std::size_t kMaxItemBytes = 409'600;
inline constexpr std::size_t kMaxPartitionKeyBytes = 2048;
inline constexpr std::size_t kMaxSortKeyBytes = 1024;
inline constexpr std::size_t kMaxAttributeNameBytes = 65'535;
inline constexpr int kMaxNestingLevels = 32; // 31 maps or lists around a scalar pass, 32 fail
inline constexpr std::size_t kMaxPageBytes = 1'048'576;
inline constexpr std::size_t kMaxRequestBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxTables = 2500;
inline constexpr std::size_t kMaxLocalIndexes = 5;
inline constexpr std::size_t kMaxGlobalIndexes = 20;
inline constexpr std::uint32_t kReadUnitBytes = 4096;
inline constexpr std::uint32_t kWriteUnitBytes = 1024;
/// Units a second that a new table on demand is warm for.
inline constexpr std::int64_t kOnDemandWarmReadUnits = 12'000;
inline constexpr std::int64_t kOnDemandWarmWriteUnits = 4'000;
inline constexpr std::size_t kMaxExpressionBytes = 4096;
inline constexpr std::size_t kMaxExpressionOperators = 300;
inline constexpr std::size_t kMaxPathDepth = 32;
inline constexpr std::size_t kMaxSubstitutionBytes = std::size_t{2} << 20;

} // namespace basalt::model

// Capacity units of an operation and how a response shows them. Rules: reads in units of 4 KB (half for eventual
// consistency), writes in units of 1 KB on the larger of old and new item, at least one unit.
#pragma once

#include "basalt/result.h"
#include "protocol/document.h"
#include "protocol/json_writer.h"

#include <cstdint>
#include <string_view>

namespace basalt::operations {

enum class CapacityReport : std::uint8_t { none, total, indexes };

/// From ReturnConsumedCapacity, whose enum the model has checked.
[[nodiscard]] CapacityReport capacity_report(const protocol::Node &return_consumed_capacity);

/// Bytes evaluated, rounded up once; zero bytes cost one (half a) unit.
[[nodiscard]] double read_units(std::uint64_t bytes, bool consistent);
[[nodiscard]] double write_units(std::uint64_t old_bytes, std::uint64_t new_bytes);

/// Writes the member ConsumedCapacity if one was asked for.
void write_consumed_capacity(protocol::JsonWriter &out, CapacityReport report, std::string_view table, double units);

} // namespace basalt::operations

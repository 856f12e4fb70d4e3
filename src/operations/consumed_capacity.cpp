#include "operations/consumed_capacity.h"

#include "model/limits.h"

#include <algorithm>

namespace basalt::operations {

CapacityReport capacity_report(const protocol::Node &return_consumed_capacity)
{
    const auto text = return_consumed_capacity.text_or("NONE");
    if (text == "TOTAL") {
        return CapacityReport::total;
    }
    return text == "INDEXES" ? CapacityReport::indexes : CapacityReport::none;
}

double read_units(std::uint64_t bytes, bool consistent)
{
    const auto units = std::max<std::uint64_t>(1, (bytes + model::kReadUnitBytes - 1) / model::kReadUnitBytes);
    return static_cast<double>(units) * (consistent ? 1.0 : 0.5);
}

double write_units(std::uint64_t old_bytes, std::uint64_t new_bytes)
{
    const auto bytes = std::max(old_bytes, new_bytes);
    const auto units = std::max<std::uint64_t>(1, (bytes + model::kWriteUnitBytes - 1) / model::kWriteUnitBytes);
    return static_cast<double>(units);
}

void write_consumed_capacity(protocol::JsonWriter &out, CapacityReport report, std::string_view table, double units)
{
    if (report == CapacityReport::none) {
        return;
    }
    out.key("ConsumedCapacity");
    out.begin_object();
    out.key("TableName");
    out.string(table);
    out.key("CapacityUnits");
    out.real(units);
    if (report == CapacityReport::indexes) {
        out.key("Table");
        out.begin_object();
        out.key("CapacityUnits");
        out.real(units);
        out.end_object();
    }
    out.end_object();
}

} // namespace basalt::operations

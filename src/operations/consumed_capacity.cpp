#include "operations/consumed_capacity.h"

#include "engine/index_entry.h"
#include "model/limits.h"

#include <algorithm>

namespace basalt::operations {
namespace {

std::uint64_t size_of(const std::optional<model::ItemView> &item)
{
    return item ? item->size_bytes() : 0;
}

} // namespace

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

void CapacityUse::add_write(std::optional<model::ItemView> old_item, std::optional<model::ItemView> new_item)
{
    units_ += write_units(size_of(old_item), size_of(new_item));
    for (const auto *indexes : {&table_->local_indexes, &table_->global_indexes}) {
        if (indexes->empty()) {
            continue;
        }
        const auto units = engine::index_write_units(*table_, *indexes, old_item, new_item);
        for (std::size_t i = 0; i < units.size(); ++i) {
            if (units[i] != 0) {
                add_index((*indexes)[i], static_cast<double>(units[i]));
            }
        }
    }
}

void CapacityUse::add_index(const model::IndexDescription &index, double units)
{
    const auto found = std::ranges::find(indexes_, &index, &IndexUnits::index);
    if (found != indexes_.end()) {
        found->units += units;
    } else {
        indexes_.push_back({&index, units});
    }
}

double CapacityUse::total() const
{
    double units = units_;
    for (const auto &index : indexes_) {
        units += index.units;
    }
    return units;
}

void CapacityUse::write(protocol::JsonWriter &out, CapacityReport report) const
{
    out.begin_object();
    out.key("TableName");
    out.string(table_->name);
    write_members(out, total());
    if (report == CapacityReport::indexes) {
        out.key("Table");
        write_object(out, units_);
        write_indexes(out, "LocalSecondaryIndexes", table_->local_indexes);
        write_indexes(out, "GlobalSecondaryIndexes", table_->global_indexes);
    }
    out.end_object();
}

void CapacityUse::write_members(protocol::JsonWriter &out, double units) const
{
    const double charged = kind_ == CapacityKind::plain ? units : 2 * units;
    out.key("CapacityUnits");
    out.real(charged);
    if (kind_ != CapacityKind::plain) {
        out.key(kind_ == CapacityKind::transactional_read ? "ReadCapacityUnits" : "WriteCapacityUnits");
        out.real(charged);
    }
}

void CapacityUse::write_object(protocol::JsonWriter &out, double units) const
{
    out.begin_object();
    write_members(out, units);
    out.end_object();
}

void CapacityUse::write_indexes(protocol::JsonWriter &out, std::string_view member,
                                const std::vector<model::IndexDescription> &indexes) const
{
    bool any = false;
    for (const auto &index : indexes) {
        const auto found = std::ranges::find(indexes_, &index, &IndexUnits::index);
        if (found == indexes_.end()) {
            continue;
        }
        if (!any) {
            any = true;
            out.key(member);
            out.begin_object();
        }
        out.key(index.name);
        write_object(out, found->units);
    }
    if (any) {
        out.end_object();
    }
}

void write_consumed_capacity(protocol::JsonWriter &out, CapacityReport report, const CapacityUse &use)
{
    if (report == CapacityReport::none) {
        return;
    }
    out.key("ConsumedCapacity");
    use.write(out, report);
}

} // namespace basalt::operations

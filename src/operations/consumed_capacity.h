// Capacity units of an operation and how a response shows them. Rules: reads in units of 4 KB (half for eventual
// consistency), writes in units of 1 KB on the larger of old and new item, at least one unit; what a write changes in
// an index counts there.
#pragma once

#include "model/item_view.h"
#include "model/table_description.h"
#include "protocol/document.h"
#include "protocol/json_writer.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace basalt::operations {

enum class CapacityReport : std::uint8_t { none, total, indexes };

/// Transactions cost twice as much, and tell reads and writes apart.
enum class CapacityKind : std::uint8_t { plain, transactional_read, transactional_write };

/// From ReturnConsumedCapacity, whose enum the model has checked.
[[nodiscard]] CapacityReport capacity_report(const protocol::Node &return_consumed_capacity);

/// Bytes evaluated, rounded up once; zero bytes cost one (half a) unit.
[[nodiscard]] double read_units(std::uint64_t bytes, bool consistent);
[[nodiscard]] double write_units(std::uint64_t old_bytes, std::uint64_t new_bytes);

/// What one operation used of one table and its indexes.
class CapacityUse {
public:
    explicit CapacityUse(const model::TableDescription &table, CapacityKind kind = CapacityKind::plain)
        : table_(&table),
          kind_(kind)
    {}

    /// A write of one item: the table's units and those of each index in which it changes something.
    void add_write(std::optional<model::ItemView> old_item, std::optional<model::ItemView> new_item);
    void add_table(double units) { units_ += units; }
    void add_index(const model::IndexDescription &index, double units);

    /// Before doubling.
    [[nodiscard]] double total() const;
    /// The value of ConsumedCapacity, or one element of a batch's list. report: not none.
    void write(protocol::JsonWriter &out, CapacityReport report) const;

private:
    struct IndexUnits {
        const model::IndexDescription *index;
        double units;
    };

    /// The members that say how many units, of a kind, inside an object.
    void write_members(protocol::JsonWriter &out, double units) const;
    void write_object(protocol::JsonWriter &out, double units) const;
    void write_indexes(protocol::JsonWriter &out, std::string_view member,
                       const std::vector<model::IndexDescription> &indexes) const;

    const model::TableDescription *table_;
    CapacityKind kind_;
    double units_ = 0;
    std::vector<IndexUnits> indexes_; // those that were used
};

/// Writes the member ConsumedCapacity if one was asked for.
void write_consumed_capacity(protocol::JsonWriter &out, CapacityReport report, const CapacityUse &use);

} // namespace basalt::operations

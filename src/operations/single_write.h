// What writes of items share: the condition, the response of a single write, the limit of 400 KB, and item collection
// metrics.
#pragma once

#include "engine/item_write.h"
#include "expression/condition.h"
#include "operations/consumed_capacity.h"
#include "operations/expression_parameters.h"
#include "operations/operation.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace basalt::operations {

/// What has to hold for the old item.
class WriteCondition {
public:
    /// Always holds.
    WriteCondition() = default;
    /// item_on_failure: the error shows the item that failed.
    WriteCondition(std::optional<expression::Condition> condition, bool item_on_failure);

    [[nodiscard]] bool present() const noexcept { return condition_.has_value(); }
    /// As engine::ItemWrite::cost; 0 if there is none.
    [[nodiscard]] std::uint32_t cost() const noexcept;
    /// may_show_item: false leaves the item out of the error whatever was asked for. Error: conditional_check_failed.
    [[nodiscard]] Result<void> check(std::optional<model::ItemView> old_item, bool may_show_item = true) const;
    /// Error (validation): see check_key_paths.
    [[nodiscard]] Result<void> check_paths(const model::TableDescription &table) const;

private:
    std::optional<expression::Condition> condition_;
    bool item_on_failure_ = false;
};

/// Nothing: always holds. return_values_on_failure: ReturnValuesOnConditionCheckFailure.
[[nodiscard]] WriteCondition make_write_condition(std::optional<expression::Condition> condition,
                                                  const protocol::Node &return_values_on_failure);

/// How the response of one write is to look.
struct WriteResponse {
    const model::TableDescription &table;
    CapacityReport report = CapacityReport::none;
    bool collection_metrics = false;

    /// Whether the old item has to be read for it.
    [[nodiscard]] bool needs_old_item() const { return report != CapacityReport::none; }
    /// Replaces body. attributes: the value of Attributes, or nothing.
    void write(const std::optional<model::MapView> &attributes, const engine::AcceptedChange &change,
               model::MapView key, std::string &body) const;
};

/// From ReturnConsumedCapacity and ReturnItemCollectionMetrics.
[[nodiscard]] WriteResponse write_response(const model::TableDescription &table,
                                           const protocol::Node &return_consumed_capacity,
                                           const protocol::Node &return_item_collection_metrics);

/// Whether the members of item collections are to be shown; only tables with local indexes have them.
[[nodiscard]] bool wants_collection_metrics(const model::TableDescription &table,
                                            const protocol::Node &return_item_collection_metrics);
/// One ItemCollectionMetrics. key: attributes with the partition key among them.
void write_collection_metrics(protocol::JsonWriter &out, const model::TableDescription &table, model::MapView key,
                              std::uint64_t collection_bytes);

/// The item and its entries in the local indexes must be within the limit of 400 KB together. Error (validation): that
/// message.
[[nodiscard]] Result<void> check_fits(const model::TableDescription &table, model::ItemView item,
                                      std::string_view message);

} // namespace basalt::operations

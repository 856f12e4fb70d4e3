#include "operations/single_write.h"

#include "engine/index_entry.h"
#include "model/limits.h"

#include <utility>

namespace basalt::operations {
namespace {

constexpr std::uint64_t kGigabyte = std::uint64_t{1} << 30U;
/// Of writing 64 bytes of an item as JSON, in units of ItemWrite::cost().
constexpr std::uint32_t kJsonCost = 10;

} // namespace

WriteCondition::WriteCondition(std::optional<expression::Condition> condition, bool item_on_failure)
    : condition_(std::move(condition)),
      item_on_failure_(item_on_failure)
{}

std::uint32_t WriteCondition::cost() const noexcept
{
    return condition_ ? condition_->cost() + (item_on_failure_ ? kJsonCost : 0) : 0;
}

Result<void> WriteCondition::check(std::optional<model::ItemView> old_item, bool may_show_item) const
{
    if (!condition_ || condition_->holds(old_item ? old_item->attributes() : model::MapView())) {
        return {};
    }
    Error error{ErrorCode::conditional_check_failed, "The conditional request failed"};
    if (item_on_failure_ && may_show_item && old_item) {
        error.detail = "\"Item\":";
        protocol::JsonWriter(error.detail).attributes(old_item->attributes());
    }
    return fail(std::move(error));
}

Result<void> WriteCondition::check_paths(const model::TableDescription &table) const
{
    return condition_ ? check_key_paths(table, *condition_) : Result<void>();
}

WriteCondition make_write_condition(std::optional<expression::Condition> condition,
                                    const protocol::Node &return_values_on_failure)
{
    return {std::move(condition), return_values_on_failure.text_or("NONE") == "ALL_OLD"};
}

void WriteResponse::write(const std::optional<model::MapView> &attributes, const engine::AcceptedChange &change,
                          model::MapView key, std::string &body) const
{
    body.clear();
    protocol::JsonWriter out(body);
    out.begin_object();
    if (attributes) {
        out.key("Attributes");
        out.attributes(*attributes);
    }
    if (report != CapacityReport::none) {
        CapacityUse use(table);
        use.add_write(change.old_item, change.new_item);
        write_consumed_capacity(out, report, use);
    }
    if (collection_metrics) {
        out.key("ItemCollectionMetrics");
        write_collection_metrics(out, table, key, change.collection_bytes);
    }
    out.end_object();
}

WriteResponse write_response(const model::TableDescription &table, const protocol::Node &return_consumed_capacity,
                             const protocol::Node &return_item_collection_metrics)
{
    return {table, capacity_report(return_consumed_capacity),
            wants_collection_metrics(table, return_item_collection_metrics)};
}

bool wants_collection_metrics(const model::TableDescription &table,
                              const protocol::Node &return_item_collection_metrics)
{
    return !table.local_indexes.empty() && return_item_collection_metrics.text_or("NONE") == "SIZE";
}

void write_collection_metrics(protocol::JsonWriter &out, const model::TableDescription &table, model::MapView key,
                              std::uint64_t collection_bytes)
{
    const auto &hash = table.keys.hash.front().name;
    out.begin_object();
    out.key("ItemCollectionKey");
    out.begin_object();
    out.key(hash);
    out.attribute_value(key.find(hash).value());
    out.end_object();
    out.key("SizeEstimateRangeGB");
    out.begin_array();
    out.real(static_cast<double>(collection_bytes / kGigabyte));
    out.real(static_cast<double>(collection_bytes / kGigabyte + 1));
    out.end_array();
    out.end_object();
}

Result<void> check_fits(const model::TableDescription &table, model::ItemView item, std::string_view message)
{
    if (item.size_bytes() + engine::local_entries_size_bytes(table, item) > model::kMaxItemBytes) {
        return fail(ErrorCode::validation, std::string(message));
    }
    return {};
}

} // namespace basalt::operations

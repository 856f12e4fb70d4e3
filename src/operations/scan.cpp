// Scan: all items of a table, or of one segment of it, in the order of the partition hash.
#include "model/limits.h"
#include "operations/item_target.h"
#include "operations/operation.h"
#include "operations/page_response.h"
#include "operations/request_checks.h"
#include "protocol/service_members.h"

#include <optional>

namespace basalt::operations {

namespace members = protocol::scan_input;

namespace {

/// A segment owns whole values of the hash's top 12 bits.
constexpr std::uint64_t kSegmentSlots = 4096;
constexpr unsigned kSegmentShift = 52;

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}

struct Segment {
    std::uint64_t number = 0;
    std::uint64_t total = 1;

    [[nodiscard]] std::uint64_t first_slot() const { return (kSegmentSlots * number + total - 1) / total; }
    [[nodiscard]] std::uint64_t end_slot() const { return (kSegmentSlots * (number + 1) + total - 1) / total; }
    [[nodiscard]] bool owns(std::uint64_t hash) const
    {
        const auto slot = hash >> kSegmentShift;
        return first_slot() <= slot && slot < end_slot();
    }
    /// With more segments than slots some segments own nothing.
    [[nodiscard]] bool empty() const { return first_slot() == end_slot(); }
    [[nodiscard]] storage::Range range() const
    {
        storage::Range range;
        range.first_hash = first_slot() << kSegmentShift;
        range.last_hash = end_slot() == kSegmentSlots ? ~std::uint64_t{0} : (end_slot() << kSegmentShift) - 1;
        return range;
    }
};

Result<Segment> requested_segment(const protocol::Node &segment, const protocol::Node &total)
{
    if (segment.present() && !total.present()) {
        return invalid("The TotalSegments parameter is required but was not present in the request when Segment "
                       "parameter is present");
    }
    if (!segment.present() && total.present()) {
        return invalid("The Segment parameter is required but was not present in the request when parameter "
                       "TotalSegments is present");
    }
    if (!segment.present()) {
        return Segment{};
    }
    if (segment.integer() >= total.integer()) {
        return invalid("The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: " +
                       std::to_string(segment.integer()) +
                       " is not less than TotalSegments: " + std::to_string(total.integer()));
    }
    return Segment{static_cast<std::uint64_t>(segment.integer()), static_cast<std::uint64_t>(total.integer())};
}

/// Everything that needs no table, in the service's order.
Result<Segment> check_request(const protocol::Node &input)
{
    if (auto checked = refuse_unbuilt({{input[members::scan_filter], "ScanFilter"},
                                       {input[members::conditional_operator], "ConditionalOperator"},
                                       {input[members::attributes_to_get], "AttributesToGet"},
                                       {input[members::filter_expression], "FilterExpression"},
                                       {input[members::projection_expression], "ProjectionExpression"}});
        !checked) {
        return fail(std::move(checked).error());
    }
    if (auto checked = refuse_placeholders(input[members::expression_attribute_names],
                                           input[members::expression_attribute_values], "FilterExpression is null");
        !checked) {
        return fail(std::move(checked).error());
    }
    if (auto checked = check_start_key_values(input[members::exclusive_start_key]); !checked) {
        return fail(std::move(checked).error());
    }
    return requested_segment(input[members::segment], input[members::total_segments]);
}

} // namespace

storage::Outcome scan(const Context &context, storage::Wait wait, const protocol::Node &input, std::string &body)
{
    auto segment = check_request(input);
    if (!segment) {
        return reject(std::move(segment).error());
    }
    auto count_only = selects_count_only(input[members::select], input[members::index_name].present(), "");
    if (!count_only) {
        return reject(std::move(count_only).error());
    }
    auto table = item_table(context, input[members::table_name]);
    const auto seen = context.engine.catalog().ticket();
    if (!table) {
        return reject(std::move(table).error(), seen);
    }
    const auto &description = (*table)->description;
    const bool consistent = input[members::consistent_read].boolean_or(false);
    if (auto checked = refuse_index_read(description, input[members::index_name], consistent); !checked) {
        return reject(std::move(checked).error(), seen);
    }
    auto range = segment->range();
    std::optional<engine::PrimaryKey> start;
    if (const auto &given = input[members::exclusive_start_key]; given.present()) {
        auto key = engine::key_from_parameter(description.keys, given.item().attributes());
        if (!key) {
            return reject(ErrorCode::validation, "The provided starting key is invalid: " + key.error().message, seen);
        }
        if (!segment->owns(key->hash)) {
            return reject(ErrorCode::validation,
                          "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
                          "ExclusiveStartKey with correct Segment. TotalSegments: " +
                              std::to_string(segment->total) + " Segment: " + std::to_string(segment->number),
                          seen);
        }
        start = std::move(*key);
        range.after = start->view();
    }
    const auto limit =
        input[members::limit].present() ? static_cast<std::uint64_t>(input[members::limit].integer()) : 0;
    PageResponse response(description,
                          {*count_only, consistent, capacity_report(input[members::return_consumed_capacity])}, body);
    engine::Page page;
    if (segment->empty()) {
        response.restart();
        response.finish(page);
        return {{}, seen};
    }
    range.rows_hint = static_cast<std::uint32_t>(limit);
    auto outcome = context.engine.read_page(wait, **table, range, {limit, model::kMaxPageBytes},
                                            consistent ? storage::Consistency::strong : storage::Consistency::eventual,
                                            response, page);
    if (outcome.result) {
        response.finish(page);
    }
    outcome.ticket = std::max(outcome.ticket, seen);
    return outcome;
}

} // namespace basalt::operations

// Scan: all items of a table or index, or of one segment of it, in the order of the partition hash.
#include "operations/operation.h"
#include "operations/page_request.h"
#include "operations/page_response.h"
#include "protocol/service_members.h"

#include <string>
#include <utility>

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

PageMembers page_members(const protocol::Node &input)
{
    return {.table_name = input[members::table_name],
            .index_name = input[members::index_name],
            .select = input[members::select],
            .attributes_to_get = input[members::attributes_to_get],
            .legacy_filter = input[members::scan_filter],
            .conditional_operator = input[members::conditional_operator],
            .exclusive_start_key = input[members::exclusive_start_key],
            .limit = input[members::limit],
            .consistent_read = input[members::consistent_read],
            .return_consumed_capacity = input[members::return_consumed_capacity],
            .filter_expression = input[members::filter_expression],
            .projection_expression = input[members::projection_expression],
            .names = input[members::expression_attribute_names],
            .values = input[members::expression_attribute_values]};
}

Result<void> check_styles(const protocol::Node &input)
{
    const NamedParameter expressions[] = {{input[members::projection_expression], "ProjectionExpression"},
                                          {input[members::filter_expression], "FilterExpression"}};
    const NamedParameter legacy[] = {{input[members::attributes_to_get], "AttributesToGet"},
                                     {input[members::scan_filter], "ScanFilter"},
                                     {input[members::conditional_operator], "ConditionalOperator"}};
    return check_parameter_styles(legacy, expressions, input[members::expression_attribute_names],
                                  input[members::expression_attribute_values]);
}

/// Everything that needs no table, in the service's order.
Result<Segment> check_request(const protocol::Node &input, PageRequest &request)
{
    for (const auto step : {&PageRequest::read_attributes_to_get, &PageRequest::read_legacy_filter}) {
        if (auto checked = (request.*step)(); !checked) {
            return fail(std::move(checked).error());
        }
    }
    if (auto checked = request.check_start_key_values(); !checked) {
        return fail(std::move(checked).error());
    }
    auto segment = requested_segment(input[members::segment], input[members::total_segments]);
    if (!segment) {
        return segment;
    }
    if (auto read = request.read_expressions(protocol::Node()); !read) {
        return fail(std::move(read).error());
    }
    if (auto checked = request.check_select(""); !checked) {
        return fail(std::move(checked).error());
    }
    return segment;
}

/// The index's keys in a starting key, and how many attributes it has.
Result<void> check_index_start_key(const PageTarget &target, model::MapView start)
{
    const bool complete = start.count() == target.start_key_elements().size();
    if (target.index == nullptr) {
        return complete ? Result<void>()
                        : invalid("The provided starting key is invalid: The provided key element does not match the "
                                  "schema");
    }
    const auto &keys = target.index->keys;
    for (const auto *elements : {&keys.hash, &keys.range}) {
        for (const auto &element : *elements) {
            const auto value = start.find(element.name);
            if (!complete || !value) {
                return invalid("The provided starting key is invalid");
            }
            if (value->type() != element.type) {
                return invalid("The provided key element does not match the schema");
            }
            if (auto checked = engine::check_key_value(element, *value, elements == &keys.hash); !checked) {
                return checked;
            }
        }
    }
    return {};
}

/// Everything that needs the table, in the service's order.
Result<void> check_with_table(const PageRequest &request, const PageTarget &target, const Segment &segment)
{
    const auto start = request.start_key();
    if (start) {
        if (auto checked = check_index_start_key(target, *start); !checked) {
            return checked;
        }
    }
    for (const auto step : {&PageRequest::check_global_select, &PageRequest::check_table_start_key}) {
        if (auto checked = (request.*step)(target); !checked) {
            return checked;
        }
    }
    if (start && !segment.owns(start_row(target, *start).hash)) {
        return invalid("The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey "
                       "with correct Segment. TotalSegments: " +
                       std::to_string(segment.total) + " Segment: " + std::to_string(segment.number));
    }
    for (const auto step : {&PageRequest::check_projection_paths, &PageRequest::check_filter_paths,
                            &PageRequest::check_global_attributes}) {
        if (auto checked = (request.*step)(target); !checked) {
            return checked;
        }
    }
    return {};
}

} // namespace

storage::Outcome scan(const Context &context, storage::Wait wait, const protocol::Node &input, std::string &body)
{
    if (auto checked = check_styles(input); !checked) {
        return reject(std::move(checked).error());
    }
    PageRequest request(context, page_members(input));
    auto segment = check_request(input, request);
    if (!segment) {
        return reject(std::move(segment).error());
    }
    auto target = request.find_target(context);
    const auto seen = context.engine.catalog().ticket();
    if (!target) {
        return reject(std::move(target).error(), seen);
    }
    if (auto checked = check_with_table(request, *target, *segment); !checked) {
        return reject(std::move(checked).error(), seen);
    }
    if (segment->empty()) {
        PageResponse response(request, *target, body);
        response.restart();
        response.finish({});
        return {{}, seen};
    }
    auto range = segment->range();
    return respond_with_page(context, wait, request, *target, range, body);
}

} // namespace basalt::operations

#include "operations/page_response.h"

#include "model/limits.h"
#include "operations/consumed_capacity.h"
#include "operations/item_projection.h"

#include <algorithm>

namespace basalt::operations {

PageResponse::PageResponse(const PageRequest &request, const PageTarget &target, std::string &body)
    : request_(request),
      target_(target),
      key_elements_(target.start_key_elements()),
      count_only_(request.count_only()),
      whole_items_(request.all_attributes()),
      body_(body)
{}

void PageResponse::restart()
{
    body_.clear();
    out_.emplace(body_);
    count_ = 0;
    last_key_.clear();
    out_->begin_object();
    if (!count_only_) {
        out_->key("Items");
        out_->begin_array();
    }
}

void PageResponse::item(const engine::PageItem &item)
{
    const auto whole = item.fetched.value_or(item.entry).attributes();
    if (!request_.filter() || request_.filter()->holds(whole)) {
        ++count_;
        if (!count_only_) {
            const bool shows_whole = whole_items_ || request_.projection();
            write_projected(*out_, shows_whole ? whole : item.entry.attributes(), request_.projection(), projected_);
        }
    }
    if (item.ends_page) {
        write_last_key(item.entry.attributes());
    }
}

void PageResponse::write_last_key(model::MapView entry)
{
    protocol::JsonWriter key(last_key_);
    key.begin_object();
    for (const auto *element : key_elements_) {
        if (const auto value = entry.find(element->name)) {
            key.key(element->name);
            key.attribute_value(*value);
        }
    }
    key.end_object();
}

void PageResponse::finish(const engine::Page &page)
{
    if (!count_only_) {
        out_->end_array();
    }
    out_->key("Count");
    out_->integer(static_cast<std::int64_t>(count_));
    out_->key("ScannedCount");
    out_->integer(static_cast<std::int64_t>(page.items));
    if (!last_key_.empty()) {
        out_->key("LastEvaluatedKey");
        out_->raw(last_key_);
    }
    write_capacity(page);
    out_->end_object();
}

void PageResponse::write_capacity(const engine::Page &page)
{
    const auto report = capacity_report(request_.return_consumed_capacity());
    CapacityUse use(target_.description());
    const auto units = read_units(page.bytes, request_.consistent());
    if (target_.index != nullptr) {
        use.add_index(*target_.index, units);
        use.add_table(static_cast<double>(page.fetched_units) * (request_.consistent() ? 1.0 : 0.5));
    } else {
        use.add_table(units);
    }
    write_consumed_capacity(*out_, report, use);
}

storage::Outcome respond_with_page(const Context &context, storage::Wait wait, const PageRequest &request,
                                   const PageTarget &target, storage::Range &range, std::string &body)
{
    std::optional<engine::IndexRowKey> start;
    if (const auto given = request.start_key()) {
        start = start_row(target, *given);
        range.after = start->view();
    }
    range.rows_hint = static_cast<std::uint32_t>(request.limit());
    const auto seen = context.engine.catalog().ticket();
    PageResponse response(request, target, body);
    engine::Page page;
    auto outcome = context.engine.read_page(
        wait, {*target.table, target.index, request.fetches_items(target)}, range,
        {request.limit(), model::kMaxPageBytes, request.filter() ? request.filter()->cost() : 1},
        request.consistent() ? storage::Consistency::strong : storage::Consistency::eventual, response, page);
    if (outcome.result) {
        response.finish(page);
    }
    outcome.ticket = std::max(outcome.ticket, seen);
    return outcome;
}

} // namespace basalt::operations

#include "operations/page_response.h"

namespace basalt::operations {

PageResponse::PageResponse(const model::TableDescription &table, Shape shape, std::string &body)
    : table_(table),
      shape_(shape),
      body_(body)
{}

void PageResponse::restart()
{
    body_.clear();
    out_.emplace(body_);
    count_ = 0;
    last_key_.clear();
    out_->begin_object();
    if (!shape_.count_only) {
        out_->key("Items");
        out_->begin_array();
    }
}

void PageResponse::item(model::ItemView item, bool ends_page)
{
    ++count_;
    if (!shape_.count_only) {
        out_->attributes(item.attributes());
    }
    if (!ends_page) {
        return;
    }
    protocol::JsonWriter key(last_key_);
    const auto attributes = item.attributes();
    key.begin_object();
    for (const auto *elements : {&table_.keys.hash, &table_.keys.range}) {
        for (const auto &element : *elements) {
            if (const auto value = attributes.find(element.name)) {
                key.key(element.name);
                key.attribute_value(*value);
            }
        }
    }
    key.end_object();
}

void PageResponse::finish(const engine::Page &page)
{
    if (!shape_.count_only) {
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
    write_consumed_capacity(*out_, shape_.report, table_.name, read_units(page.bytes, shape_.consistent));
    out_->end_object();
}

Result<bool> selects_count_only(const protocol::Node &select, bool has_index, std::string_view prefix)
{
    const auto text = select.text_or("");
    if (text == "SPECIFIC_ATTRIBUTES") {
        return fail(ErrorCode::validation,
                    std::string(prefix) + "Must specify the AttributesToGet or ProjectionExpression when choosing to "
                                          "get SPECIFIC_ATTRIBUTES");
    }
    if (text == "ALL_PROJECTED_ATTRIBUTES" && !has_index) {
        return fail(ErrorCode::validation, std::string(prefix) + "ALL_PROJECTED_ATTRIBUTES can be used only when "
                                                                 "Querying using an IndexName");
    }
    return text == "COUNT";
}

} // namespace basalt::operations

// The response of Query and Scan, written while the page is read.
#pragma once

#include "engine/engine.h"
#include "operations/consumed_capacity.h"
#include "protocol/json_writer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace basalt::operations {

/// Collects a page into the response's JSON.
class PageResponse final : public engine::PageConsumer {
public:
    struct Shape {
        bool count_only = false;
        bool consistent = false;
        CapacityReport report = CapacityReport::none;
    };

    PageResponse(const model::TableDescription &table, Shape shape, std::string &body);

    void restart() override;
    void item(model::ItemView item, bool ends_page) override;
    /// Completes the body once the page is read.
    void finish(const engine::Page &page);

private:
    const model::TableDescription &table_;
    const Shape shape_;
    std::string &body_;
    std::optional<protocol::JsonWriter> out_;
    std::uint64_t count_ = 0;
    std::string last_key_; // JSON of the key of the item that ended the page; empty if none did
};

/// What Select says about the response. Errors (validation): combinations that the service refuses.
/// prefix is put before each text.
[[nodiscard]] Result<bool> selects_count_only(const protocol::Node &select, bool has_index, std::string_view prefix);

} // namespace basalt::operations

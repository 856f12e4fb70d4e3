// The response of Query and Scan, written while the page is read.
#pragma once

#include "engine/engine.h"
#include "operations/operation.h"
#include "operations/page_request.h"
#include "protocol/json_writer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace basalt::operations {

/// Collects a page into the response's JSON. What it is given must outlive it.
class PageResponse final : public engine::PageConsumer {
public:
    PageResponse(const PageRequest &request, const PageTarget &target, std::string &body);

    void restart() override;
    void item(const engine::PageItem &item) override;
    /// Completes the body once the page is read.
    void finish(const engine::Page &page);

private:
    void write_last_key(model::MapView entry);
    void write_capacity(const engine::Page &page);

    const PageRequest &request_;
    const PageTarget &target_;
    const std::vector<const model::KeyElement *> key_elements_; // of a LastEvaluatedKey
    const bool count_only_;
    const bool whole_items_; // though an index is read
    std::string &body_;
    std::optional<protocol::JsonWriter> out_;
    std::uint64_t count_ = 0;
    std::string last_key_;  // JSON of the key of the item that ended the page; empty if none did
    std::string projected_; // the item at hand
};

/// Reads the range and writes the response, as the last step of Query and Scan.
[[nodiscard]] storage::Outcome respond_with_page(const Context &context, storage::Wait wait, const PageRequest &request,
                                                 const PageTarget &target, storage::Range &range, std::string &body);

} // namespace basalt::operations

// One update of one item: its evaluation, and how UpdateItem answers.
#pragma once

#include "engine/item_write.h"
#include "expression/update.h"
#include "operations/single_write.h"
#include "protocol/document.h"

#include <cstdint>
#include <optional>
#include <string>

namespace basalt::operations {

/// ReturnValues.
enum class ReturnedAttributes : std::uint8_t { none, all_old, updated_old, all_new, updated_new };
[[nodiscard]] ReturnedAttributes wanted_attributes(const protocol::Node &return_values);

/// What the schema demands of an update before the item is known: key attributes stay as they are, values that the
/// request gives to index keys are legal keys. Errors (validation): the service's texts.
[[nodiscard]] Result<void> check_update(const model::TableDescription &table, const expression::Update &update);

/// Evaluates an update and its condition on one item.
class UpdateEvaluation {
public:
    /// key: the item that is updated if there is none yet. update: null changes nothing but creates the item. The
    /// references must outlive the object.
    UpdateEvaluation(const model::TableDescription &table, model::ItemView key, const expression::Update *update,
                     const WriteCondition &condition);

    [[nodiscard]] std::uint32_t cost() const;
    /// As engine::ItemWrite::evaluate. Errors: conditional_check_failed; validation (what the update finds in the item,
    /// sizes, index keys). may_show_item: as WriteCondition::check.
    [[nodiscard]] Result<engine::ItemChange> evaluate(std::optional<model::ItemView> old_item,
                                                      bool may_show_item = true);
    /// What the last evaluation made of the item.
    [[nodiscard]] model::ItemView new_item() const { return model::ItemView(new_item_); }
    [[nodiscard]] model::ItemView key() const { return key_; }
    /// Null: none.
    [[nodiscard]] const expression::Update *update() const { return update_; }

private:
    [[nodiscard]] Result<void> check_new_item() const;

    const model::TableDescription &table_;
    const model::ItemView key_;
    const expression::Update *update_;
    const WriteCondition &condition_;
    std::string new_item_;
};

class ItemUpdate final : public engine::ItemWrite {
public:
    /// The references must outlive the object; body receives the response.
    ItemUpdate(UpdateEvaluation &evaluation, ReturnedAttributes returned, const WriteResponse &response,
               std::string &body);

    bool needs_old_item() const override { return true; }
    std::uint32_t cost() const override { return evaluation_.cost(); }
    Result<engine::ItemChange> evaluate(std::optional<model::ItemView> old_item) override
    {
        return evaluation_.evaluate(old_item);
    }
    void accepted(const engine::AcceptedChange &change) override;

private:
    [[nodiscard]] std::optional<model::MapView> returned_attributes(const engine::AcceptedChange &change);
    /// Of the parts that the update changes, those that the item has; nothing if it has none.
    [[nodiscard]] std::optional<model::MapView> returned_part(model::MapView item);

    UpdateEvaluation &evaluation_;
    const ReturnedAttributes returned_;
    const WriteResponse &response_;
    std::string &body_;
    std::string returned_part_;
};

} // namespace basalt::operations

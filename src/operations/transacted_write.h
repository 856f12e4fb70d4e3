// One action of TransactWriteItems: Put, Update, Delete or ConditionCheck, from its members to the write that the
// engine runs.
#pragma once

#include "operations/expression_parameters.h"
#include "operations/item_update.h"
#include "operations/single_write.h"
#include "operations/table_writes.h"
#include "operations/transaction_cancellation.h"

#include <cstdint>
#include <optional>
#include <string>

namespace basalt::operations {

/// The members of an action; absent nodes for those that its kind does not have.
struct ActionMembers {
    enum class Kind : std::uint8_t { condition_check, put, update, remove };
    Kind kind;
    const protocol::Node &attributes; // Item or Key
    const protocol::Node &table_name;
    const protocol::Node &update_expression;
    const protocol::Node &condition_expression;
    const protocol::Node &names;
    const protocol::Node &values;
    const protocol::Node &return_values_on_failure;
};

/// Error (validation): not exactly one action.
[[nodiscard]] Result<ActionMembers> action_members(const protocol::Node &transact_item);

/// An action with what has been found out about it, step by step in the service's order. Stays where it is made; the
/// request must outlive it. Errors are told as they are, but for those of check_schema(), which are reasons to cancel.
class TransactedWrite final : public engine::ItemWrite {
public:
    /// reason_items outlives this; the first action of the request begins it anew.
    TransactedWrite(const Context &context, const ActionMembers &members, ReasonItems &reason_items, bool first);

    /// Everything that needs no table. Errors (validation).
    [[nodiscard]] Result<void> read();
    /// What it may add to the size of the transaction, in bytes.
    [[nodiscard]] std::size_t size_bytes() const;
    [[nodiscard]] std::string_view table_name() const { return members_.table_name.text(); }
    /// table outlives this. first_on_table: of the actions. capacity_is_wanted: of the response. Errors (validation):
    /// key values that no table takes, and an item that is too large with its index entries.
    [[nodiscard]] Result<void> bind(TableWrites &table, bool first_on_table, bool capacity_is_wanted);
    /// What the table's schema says against it. Errors (validation).
    [[nodiscard]] Result<void> check_schema();

    // After check_schema().
    [[nodiscard]] const engine::Table &table() const { return *table_->table; }
    [[nodiscard]] const engine::PrimaryKey &key() const { return key_; }
    /// Appends what the request asks for here, the same for requests that mean the same.
    void append_canonical(std::string &out) const;

    bool needs_old_item() const override;
    std::uint32_t cost() const override;
    Result<engine::ItemChange> evaluate(std::optional<model::ItemView> old_item) override;
    void accepted(const engine::AcceptedChange &change) override;

private:
    using Kind = ActionMembers::Kind;

    [[nodiscard]] Result<engine::ItemChange> change_of(std::optional<model::ItemView> old_item);
    [[nodiscard]] const model::TableDescription &description() const { return table_->table->description; }

    const ActionMembers members_;
    ReasonItems &reason_items_;
    const bool first_;
    ExpressionParameters parameters_;
    std::optional<expression::Update> update_;
    WriteCondition condition_;
    TableWrites *table_ = nullptr;
    bool first_on_table_ = false;
    bool capacity_is_wanted_ = false;
    engine::PrimaryKey key_;
    std::optional<UpdateEvaluation> evaluation_;
};

} // namespace basalt::operations

// What Query and Scan have in common on the way in: checks and decoded parameters, and the table or index that is read.
#pragma once

#include "basalt/result.h"
#include "engine/index_entry.h"
#include "engine/table.h"
#include "expression/condition.h"
#include "expression/key_condition.h"
#include "expression/projection.h"
#include "operations/expression_parameters.h"
#include "operations/operation.h"
#include "protocol/document.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace basalt::operations {

/// The members that both requests have.
struct PageMembers {
    const protocol::Node &table_name;
    const protocol::Node &index_name;
    const protocol::Node &select;
    const protocol::Node &attributes_to_get;
    const protocol::Node &legacy_filter; // QueryFilter or ScanFilter
    const protocol::Node &conditional_operator;
    const protocol::Node &exclusive_start_key;
    const protocol::Node &limit;
    const protocol::Node &consistent_read;
    const protocol::Node &return_consumed_capacity;
    const protocol::Node &filter_expression;
    const protocol::Node &projection_expression;
    const protocol::Node &names;
    const protocol::Node &values;
};

/// The table or index that a page is read from.
struct PageTarget {
    engine::TablePtr table;
    const model::IndexDescription *index = nullptr;
    bool global = false; // the index

    [[nodiscard]] const model::TableDescription &description() const { return table->description; }
    /// The schema that decides the order and what a key condition is about.
    [[nodiscard]] const model::KeySchema &keys() const { return index ? index->keys : description().keys; }
    /// The attributes of a starting key: the keys of table and index, each once.
    [[nodiscard]] std::vector<const model::KeyElement *> start_key_elements() const;
};

/// A request as its steps fill it. Each step stands for one place in the service's order of checks; errors (validation)
/// are the service's texts. Stays where it is made.
class PageRequest {
public:
    PageRequest(const Context &context, const PageMembers &members)
        : members_(members),
          expressions_(context)
    {}

    // Before the table is looked up.
    [[nodiscard]] Result<void> read_legacy_filter();
    [[nodiscard]] Result<void> read_attributes_to_get();
    /// Faults inside the values of ExclusiveStartKey.
    [[nodiscard]] Result<void> check_start_key_values() const;
    /// All expressions with their placeholders. key_condition: an absent node for Scan; the clauses are empty if it was
    /// not sent.
    [[nodiscard]] Result<std::vector<expression::KeyClause>> read_expressions(const protocol::Node &key_condition);
    /// What Select and the projection say together. prefix is put before each text.
    [[nodiscard]] Result<void> check_select(std::string_view prefix) const;

    /// Looks up table and index. Errors: of item_table; validation: no such index, consistent read of a global one,
    /// a global one that is being built.
    [[nodiscard]] Result<PageTarget> find_target(const Context &context) const;

    // With the table.
    /// The table's own keys in a starting key.
    [[nodiscard]] Result<void> check_table_start_key(const PageTarget &target) const;
    /// Query only: the filter may not name what the key condition is about.
    [[nodiscard]] Result<void> check_filter_attributes(const PageTarget &target) const;
    [[nodiscard]] Result<void> check_projection_paths(const PageTarget &target) const;
    [[nodiscard]] Result<void> check_filter_paths(const PageTarget &target) const;
    /// ALL_ATTRIBUTES of a global index that does not hold them all.
    [[nodiscard]] Result<void> check_global_select(const PageTarget &target) const;
    /// Other attributes that a global index does not hold.
    [[nodiscard]] Result<void> check_global_attributes(const PageTarget &target) const;

    /// Whether items have to be read from the table for what a local index does not hold.
    [[nodiscard]] bool fetches_items(const PageTarget &target) const;

    [[nodiscard]] bool all_attributes() const { return select() == "ALL_ATTRIBUTES"; }
    [[nodiscard]] bool count_only() const { return select() == "COUNT"; }
    [[nodiscard]] bool consistent() const { return members_.consistent_read.boolean_or(false); }
    [[nodiscard]] bool has_index() const { return members_.index_name.present(); }
    /// 0: no limit.
    [[nodiscard]] std::uint64_t limit() const;
    [[nodiscard]] std::optional<model::MapView> start_key() const;
    [[nodiscard]] const protocol::Node &return_consumed_capacity() const { return members_.return_consumed_capacity; }
    [[nodiscard]] const std::optional<expression::Condition> &filter() const { return filter_; }
    [[nodiscard]] const std::optional<expression::Projection> &projection() const { return projection_; }

private:
    [[nodiscard]] std::string_view select() const { return members_.select.text_or(""); }
    /// Attributes of projection and filter that entries of the index do not hold, each once.
    [[nodiscard]] std::vector<std::string_view> unprojected_attributes(const PageTarget &target) const;

    PageMembers members_;
    ExpressionParameters expressions_;
    std::optional<expression::Condition> filter_;
    std::optional<expression::Projection> projection_;
};

/// The row behind which a page starts. start: a starting key that was checked.
[[nodiscard]] engine::IndexRowKey start_row(const PageTarget &target, model::MapView start);

} // namespace basalt::operations

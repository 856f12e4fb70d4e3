#include "operations/transacted_write.h"

#include "codec/fingerprint.h"
#include "model/limits.h"
#include "operations/request_checks.h"
#include "protocol/service_members.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace basalt::operations {
namespace {

const protocol::Node kAbsent;

ActionMembers members_of_check(const protocol::Node &check)
{
    namespace members = protocol::condition_check;
    return {ActionMembers::Kind::condition_check,
            check[members::key],
            check[members::table_name],
            kAbsent,
            check[members::condition_expression],
            check[members::expression_attribute_names],
            check[members::expression_attribute_values],
            check[members::return_values_on_condition_check_failure]};
}

ActionMembers members_of_put(const protocol::Node &put)
{
    namespace members = protocol::put;
    return {ActionMembers::Kind::put,
            put[members::item],
            put[members::table_name],
            kAbsent,
            put[members::condition_expression],
            put[members::expression_attribute_names],
            put[members::expression_attribute_values],
            put[members::return_values_on_condition_check_failure]};
}

ActionMembers members_of_update(const protocol::Node &update)
{
    namespace members = protocol::update;
    return {ActionMembers::Kind::update,
            update[members::key],
            update[members::table_name],
            update[members::update_expression],
            update[members::condition_expression],
            update[members::expression_attribute_names],
            update[members::expression_attribute_values],
            update[members::return_values_on_condition_check_failure]};
}

ActionMembers members_of_delete(const protocol::Node &remove)
{
    namespace members = protocol::delete_;
    return {ActionMembers::Kind::remove,
            remove[members::key],
            remove[members::table_name],
            kAbsent,
            remove[members::condition_expression],
            remove[members::expression_attribute_names],
            remove[members::expression_attribute_values],
            remove[members::return_values_on_condition_check_failure]};
}

void append_text(std::string_view text, std::string &out)
{
    out.append(std::to_string(text.size())).append(":").append(text);
}

/// A member that may be absent.
void append_member(const protocol::Node &text, std::string &out)
{
    out.push_back(text.present() ? '+' : '-');
    append_text(text.text_or(""), out);
}

void append_names(const protocol::Node &names, std::string &out)
{
    std::vector<const protocol::NodeEntry *> sorted;
    for (const auto &entry : names.entries()) {
        sorted.push_back(&entry);
    }
    std::ranges::sort(sorted, {}, &protocol::NodeEntry::key);
    out.append(std::to_string(sorted.size())).push_back(';');
    for (const auto *entry : sorted) {
        append_text(entry->key, out);
        append_text(entry->value.text(), out);
    }
}

} // namespace

Result<ActionMembers> action_members(const protocol::Node &transact_item)
{
    namespace members = protocol::transact_write_item;
    const auto sent = std::ranges::count_if(transact_item.members(), &protocol::Node::present);
    if (sent != 1) {
        return fail(ErrorCode::validation, "TransactItems can only contain one of Check, Put, Update or Delete");
    }
    if (const auto &check = transact_item[members::condition_check]; check.present()) {
        return members_of_check(check);
    }
    if (const auto &put = transact_item[members::put]; put.present()) {
        return members_of_put(put);
    }
    if (const auto &update = transact_item[members::update]; update.present()) {
        return members_of_update(update);
    }
    return members_of_delete(transact_item[members::delete_]);
}

TransactedWrite::TransactedWrite(const Context &context, const ActionMembers &members, ReasonItems &reason_items,
                                 bool first)
    : members_(members),
      reason_items_(reason_items),
      first_(first),
      parameters_(context)
{}

Result<void> TransactedWrite::read()
{
    auto checked = check_values(members_.attributes);
    if (checked && members_.kind == Kind::put && members_.attributes.item().size_bytes() > model::kMaxItemBytes) {
        checked = fail(ErrorCode::validation, "Item size has exceeded the maximum allowed size");
    }
    if (checked) {
        const std::array expressions{NamedParameter{members_.update_expression, "UpdateExpression"},
                                     NamedParameter{members_.condition_expression, "ConditionExpression"}};
        const auto own = members_.kind == Kind::update ? std::span(expressions) : std::span(expressions).subspan(1);
        checked = check_parameter_styles({}, own, members_.names, members_.values);
    }
    if (checked) {
        checked = parameters_.open(members_.names, members_.values);
    }
    if (!checked) {
        return checked;
    }
    auto update = parameters_.update(members_.update_expression);
    if (!update) {
        return fail(std::move(update).error());
    }
    update_ = *std::move(update);
    auto condition = parameters_.condition(members_.condition_expression, expression::ExpressionKind::condition);
    if (!condition) {
        return fail(std::move(condition).error());
    }
    condition_ = make_write_condition(*std::move(condition), members_.return_values_on_failure);
    return parameters_.check_all_used();
}

std::size_t TransactedWrite::size_bytes() const
{
    return members_.attributes.item().size_bytes() +
           (members_.values.present() ? members_.values.item().size_bytes() : 0);
}

Result<void> TransactedWrite::bind(TableWrites &table, bool first_on_table, bool capacity_is_wanted)
{
    table_ = &table;
    first_on_table_ = first_on_table;
    capacity_is_wanted_ = capacity_is_wanted;
    const auto item = members_.attributes.item();
    auto checked = engine::check_key_values(description().keys, item.attributes());
    // A key of the wrong type is a reason to cancel, one that no index takes is not.
    if (checked && members_.kind == Kind::put && engine::has_index_key_types(description(), item.attributes())) {
        checked = engine::check_index_keys(description(), item.attributes());
    }
    if (checked && members_.kind == Kind::put) {
        checked = check_fits(description(), item, "Item size has exceeded the maximum allowed size");
    }
    return checked;
}

Result<void> TransactedWrite::check_schema()
{
    const auto item = members_.attributes.item();
    auto key = members_.kind == Kind::put ? engine::key_from_item(description().keys, item.attributes())
                                          : engine::key_from_parameter(description().keys, item.attributes());
    if (!key) {
        return fail(std::move(key).error());
    }
    key_ = *std::move(key);
    auto checked =
        members_.kind == Kind::put ? engine::check_index_keys(description(), item.attributes()) : Result<void>();
    if (checked && update_) {
        checked = check_update(description(), *update_);
    }
    if (checked) {
        checked = condition_.check_paths(description());
    }
    if (checked && members_.kind == Kind::update) {
        evaluation_.emplace(description(), item, update_ ? &*update_ : nullptr, condition_);
    }
    return checked;
}

void TransactedWrite::append_canonical(std::string &out) const
{
    out.push_back(static_cast<char>('0' + static_cast<int>(members_.kind)));
    append_text(description().name, out);
    codec::append_canonical(members_.attributes.item().attributes(), out);
    append_member(members_.update_expression, out);
    append_member(members_.condition_expression, out);
    append_names(members_.names, out);
    codec::append_canonical(members_.values.present() ? members_.values.item().attributes() : model::MapView(), out);
    append_text(members_.return_values_on_failure.text_or("NONE"), out);
}

bool TransactedWrite::needs_old_item() const
{
    return capacity_is_wanted_ || condition_.present() || members_.kind == Kind::update;
}

std::uint32_t TransactedWrite::cost() const
{
    return evaluation_ ? evaluation_->cost() : 1 + condition_.cost();
}

Result<engine::ItemChange> TransactedWrite::evaluate(std::optional<model::ItemView> old_item)
{
    if (first_) {
        reason_items_.restart();
    }
    if (first_on_table_) {
        table_->restart();
    }
    auto change = change_of(old_item);
    if (!change) {
        reason_items_.add(change.error());
    }
    return change;
}

Result<engine::ItemChange> TransactedWrite::change_of(std::optional<model::ItemView> old_item)
{
    using Change = engine::ItemChange;
    const bool may_show_item = reason_items_.have_room();
    if (evaluation_) {
        return evaluation_->evaluate(old_item, may_show_item);
    }
    if (auto checked = condition_.check(old_item, may_show_item); !checked) {
        return fail(std::move(checked).error());
    }
    switch (members_.kind) {
    case Kind::put:
        return Change{Change::Kind::put, members_.attributes.item()};
    case Kind::remove:
        return Change{Change::Kind::remove};
    case Kind::condition_check:
    case Kind::update:
        break;
    }
    return Change{};
}

void TransactedWrite::accepted(const engine::AcceptedChange &change)
{
    if (capacity_is_wanted_) {
        table_->capacity.add_write(change.old_item, change.new_item);
    }
    if (!description().local_indexes.empty() && members_.kind != Kind::condition_check) {
        table_->add_collection(members_.attributes.item().attributes(), change.collection_bytes);
    }
}

} // namespace basalt::operations

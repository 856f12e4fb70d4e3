#include "operations/item_update.h"

#include "engine/primary_key.h"
#include "model/limits.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace basalt::operations {
namespace {

constexpr std::string_view kInvalidParameter = "One or more parameter values were invalid: ";

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}

bool changes(const expression::Update &update, std::string_view attribute)
{
    const auto &paths = update.changed_parts().paths();
    return paths.find(paths.root(), attribute) != nullptr;
}

/// Calls check(index, element, is_hash) for each key attribute of each index until one fails.
template <typename Check>
Result<void> check_index_elements(const model::TableDescription &table, Check check)
{
    for (const auto *indexes : {&table.global_indexes, &table.local_indexes}) {
        for (const auto &index : *indexes) {
            for (const auto *elements : {&index.keys.hash, &index.keys.range}) {
                for (const auto &element : *elements) {
                    if (auto checked = check(index, element, elements == &index.keys.hash); !checked) {
                        return checked;
                    }
                }
            }
        }
    }
    return {};
}

/// A value of the right type that an index key cannot have.
Result<void> check_index_value(const model::KeyElement &element, model::ValueView value, bool is_hash)
{
    if (value.type() != model::AttributeType::number && value.text().empty()) {
        const bool binary = value.type() == model::AttributeType::binary;
        return invalid("One or more parameter values are not valid. The update expression attempted to update a "
                       "secondary index key to a value that is not supported. The AttributeValue for a key attribute "
                       "cannot contain an empty " +
                       std::string(binary ? "binary" : "string") + " value.");
    }
    return engine::check_key_value(element, value, is_hash);
}

/// What the request alone says about the new value of an index key.
Result<void> check_assignment(const expression::Update &update, const model::IndexDescription &index,
                              const model::KeyElement &element, bool is_hash)
{
    if (const auto type = update.assigned_type(element.name); type && *type != element.type) {
        return invalid(std::string(kInvalidParameter) + "Type mismatch for Index Key " + element.name +
                       " Expected: " + std::string(model::type_name(element.type)) +
                       " Actual: " + std::string(model::type_name(*type)) + " IndexName: " + index.name);
    }
    const auto value = update.assigned_value(element.name);
    return value ? check_index_value(element, *value, is_hash) : Result<void>();
}

/// Of the indexes that have several range attributes and get a new value of one.
Result<void> check_range_sizes(const model::TableDescription &table, const expression::Update &update,
                               model::MapView item)
{
    for (const auto &index : table.global_indexes) {
        const auto &range = index.keys.range;
        const bool changed = range.size() > 1 && std::ranges::any_of(range, [&](const model::KeyElement &element) {
                                 return changes(update, element.name);
                             });
        if (!changed) {
            continue;
        }
        if (auto checked = engine::check_range_size(index.keys, item); !checked) {
            return checked;
        }
    }
    return {};
}

Result<void> check_no_key_changes(const model::TableDescription &table, const expression::Update &update)
{
    for (const auto *elements : {&table.keys.hash, &table.keys.range}) {
        for (const auto &element : *elements) {
            if (changes(update, element.name)) {
                return invalid(std::string(kInvalidParameter) + "Cannot update attribute " + element.name +
                               ". This attribute is part of the key");
            }
        }
    }
    return {};
}

} // namespace

ReturnedAttributes wanted_attributes(const protocol::Node &return_values)
{
    static constexpr std::array<std::pair<std::string_view, ReturnedAttributes>, 4> kNames{{
        {"ALL_OLD", ReturnedAttributes::all_old},
        {"UPDATED_OLD", ReturnedAttributes::updated_old},
        {"ALL_NEW", ReturnedAttributes::all_new},
        {"UPDATED_NEW", ReturnedAttributes::updated_new},
    }};
    for (const auto &[name, returned] : kNames) {
        if (return_values.text_or("NONE") == name) {
            return returned;
        }
    }
    return ReturnedAttributes::none;
}

Result<void> check_update(const model::TableDescription &table, const expression::Update &update)
{
    if (auto checked = check_no_key_changes(table, update); !checked) {
        return checked;
    }
    auto checked =
        check_index_elements(table, [&](const model::IndexDescription &index, const model::KeyElement &element,
                                        bool is_hash) { return check_assignment(update, index, element, is_hash); });
    return checked ? check_key_paths(table, update) : checked;
}

UpdateEvaluation::UpdateEvaluation(const model::TableDescription &table, model::ItemView key,
                                   const expression::Update *update, const WriteCondition &condition)
    : table_(table),
      key_(key),
      update_(update),
      condition_(condition)
{}

std::uint32_t UpdateEvaluation::cost() const
{
    return condition_.cost() + (update_ == nullptr ? 1 : update_->cost());
}

Result<engine::ItemChange> UpdateEvaluation::evaluate(std::optional<model::ItemView> old_item, bool may_show_item)
{
    if (auto checked = condition_.check(old_item, may_show_item); !checked) {
        return fail(std::move(checked).error());
    }
    const auto start = old_item.value_or(key_);
    new_item_.clear();
    if (update_ == nullptr) {
        new_item_.assign(start.bytes());
    } else if (auto applied = update_->apply(start.attributes(), old_item.has_value(), new_item_); !applied) {
        return fail(std::move(applied).error());
    }
    if (auto checked = check_new_item(); !checked) {
        return fail(std::move(checked).error());
    }
    const bool unchanged = old_item ? old_item->bytes() == new_item_ : update_ != nullptr && !update_->creates_item();
    if (unchanged) {
        return engine::ItemChange{};
    }
    return engine::ItemChange{engine::ItemChange::Kind::put, model::ItemView(new_item_)};
}

Result<void> UpdateEvaluation::check_new_item() const
{
    const model::ItemView item(new_item_);
    if (update_ != nullptr) {
        auto checked = check_index_elements(table_, [&](const model::IndexDescription &,
                                                        const model::KeyElement &element, bool is_hash) {
            const auto value = changes(*update_, element.name) ? item.find(element.name) : std::nullopt;
            if (value && value->type() != element.type) {
                return Result<void>(
                    invalid("The update expression attempted to update the secondary index key to unsupported type"));
            }
            return value ? check_index_value(element, *value, is_hash) : Result<void>();
        });
        if (checked) {
            checked = check_range_sizes(table_, *update_, item.attributes());
        }
        if (!checked) {
            return checked;
        }
    }
    return check_fits(table_, item, "Item size to update has exceeded the maximum allowed size");
}

ItemUpdate::ItemUpdate(UpdateEvaluation &evaluation, ReturnedAttributes returned, const WriteResponse &response,
                       std::string &body)
    : evaluation_(evaluation),
      returned_(returned),
      response_(response),
      body_(body)
{}

std::optional<model::MapView> ItemUpdate::returned_part(model::MapView item)
{
    if (evaluation_.update() == nullptr) {
        return std::nullopt;
    }
    returned_part_.clear();
    evaluation_.update()->changed_parts().append_item(item, returned_part_);
    const auto part = model::ItemView(returned_part_).attributes();
    return part.empty() ? std::nullopt : std::optional(part);
}

std::optional<model::MapView> ItemUpdate::returned_attributes(const engine::AcceptedChange &change)
{
    const auto new_attributes = evaluation_.new_item().attributes();
    switch (returned_) {
    case ReturnedAttributes::none:
        return std::nullopt;
    case ReturnedAttributes::all_new:
        return new_attributes;
    case ReturnedAttributes::updated_new:
        return returned_part(new_attributes);
    case ReturnedAttributes::all_old:
    case ReturnedAttributes::updated_old:
        break;
    }
    if (!change.old_item) {
        return std::nullopt;
    }
    const auto old_attributes = change.old_item->attributes();
    return returned_ == ReturnedAttributes::all_old ? old_attributes : returned_part(old_attributes);
}

void ItemUpdate::accepted(const engine::AcceptedChange &change)
{
    response_.write(returned_attributes(change), change, evaluation_.key().attributes(), body_);
}

} // namespace basalt::operations

#include "operations/update_table_indexes.h"

#include "model/limits.h"
#include "operations/index_request.h"
#include "operations/throughput_request.h"

#include <algorithm>
#include <set>
#include <utility>

namespace basalt::operations {
namespace {

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}
Unexpected invalid_parameters(std::string message)
{
    return invalid(std::string(kInvalidParameters) + std::move(message));
}

/// As the service prints it: "Schema:[SchemaElement: key{a:S:HASH}]".
std::string schema_text(const model::KeySchema &keys)
{
    std::string text;
    const auto add = [&](const std::vector<model::KeyElement> &elements, std::string_view role) {
        for (const auto &element : elements) {
            text += text.empty() ? "" : ", ";
            text += "SchemaElement: key{" + element.name + ":" + std::string(model::type_name(element.type)) + ":" +
                    std::string(role) + "}";
        }
    };
    add(keys.hash, "HASH");
    add(keys.range, "RANGE");
    return "Schema:[" + text + "]";
}

template <typename Function>
void for_each_element(const model::KeySchema &keys, Function function)
{
    std::for_each(keys.hash.begin(), keys.hash.end(), function);
    std::for_each(keys.range.begin(), keys.range.end(), function);
}

std::vector<const model::KeySchema *> all_key_schemas(const model::TableDescription &table)
{
    std::vector<const model::KeySchema *> schemas{&table.keys};
    for (const auto *const indexes : {&table.local_indexes, &table.global_indexes}) {
        for (const auto &index : *indexes) {
            schemas.push_back(&index.keys);
        }
    }
    return schemas;
}

/// An attribute has one type in all keys.
Result<void> check_types(const model::TableDescription &table, const model::KeySchema &keys)
{
    for (const auto *const existing : all_key_schemas(table)) {
        bool same = true;
        for_each_element(*existing, [&](const model::KeyElement &there) {
            for_each_element(keys, [&](const model::KeyElement &here) {
                same = same && (there.name != here.name || there.type == here.type);
            });
        });
        if (!same) {
            return invalid_parameters("Attributes cannot be redefined. Please check that your attribute has the same "
                                      "type as previously defined. Existing schema: " +
                                      schema_text(*existing) + " New schema: " + schema_text(keys));
        }
    }
    return {};
}

/// All attributes of keys and no others, sorted by name.
void define_attributes(model::TableDescription &table)
{
    std::vector<model::AttributeDefinition> attributes;
    std::set<std::string_view> names;
    for (const auto *const keys : all_key_schemas(table)) {
        for_each_element(*keys, [&](const model::KeyElement &element) {
            if (names.insert(element.name).second) {
                attributes.push_back({element.name, element.type});
            }
        });
    }
    std::sort(attributes.begin(), attributes.end(), [](const auto &a, const auto &b) { return a.name < b.name; });
    table.attributes = std::move(attributes);
}

Result<void> check_units(const UpdateTableRequest &request, const model::TableDescription &table)
{
    const bool on_demand = table.billing_mode == model::BillingMode::pay_per_request;
    const auto &index = *request.created;
    if (on_demand && request.created_has_units) {
        return invalid_parameters("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: " +
                                  index.name + " when BillingMode is PAY_PER_REQUEST");
    }
    if (!on_demand && !request.created_has_units) {
        return invalid_parameters("Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: " +
                                  index.name);
    }
    return check_new_throughput(index.on_demand, index.warm, index.provisioned, on_demand, index.name);
}

Result<void> create_index(const UpdateTableRequest &request, model::TableDescription &table)
{
    const auto &index = *request.created;
    for (const auto *const indexes : {&table.local_indexes, &table.global_indexes}) {
        if (std::any_of(indexes->begin(), indexes->end(),
                        [&](const auto &existing) { return existing.name == index.name; })) {
            return invalid("Attempting to create an index which already exists");
        }
    }
    if (auto checked = check_types(table, index.keys); !checked) {
        return checked;
    }
    if (auto checked = check_units(request, table); !checked) {
        return checked;
    }
    if (table.global_indexes.size() >= model::kMaxGlobalIndexes) {
        return fail(ErrorCode::limit_exceeded,
                    "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of " +
                        std::to_string(model::kMaxGlobalIndexes));
    }
    table.global_indexes.push_back(index);
    return check_indexes_together(table);
}

Result<void> delete_index(std::string_view name, const UpdateTimes &times, model::TableDescription &table)
{
    auto found = find_global_index(table, name, "delete");
    if (!found) {
        return fail(std::move(found).error());
    }
    auto deleted = std::move(**found);
    deleted.gone_from_ms = times.until_ms;
    deleted.building = false;
    table.global_indexes.erase(table.global_indexes.begin() + (*found - table.global_indexes.data()));
    table.deleted_indexes.push_back(std::move(deleted));
    return {};
}

} // namespace

Result<void> apply_index_change(const UpdateTableRequest &request, const UpdateTimes &times,
                                model::TableDescription &table)
{
    if (!request.created && request.deleted.empty()) {
        return {};
    }
    auto done = request.created ? create_index(request, table) : delete_index(request.deleted, times, table);
    if (done) {
        define_attributes(table);
    }
    return done;
}

} // namespace basalt::operations

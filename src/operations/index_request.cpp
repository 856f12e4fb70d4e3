#include "operations/index_request.h"

#include "model/limits.h"
#include "operations/throughput_request.h"
#include "protocol/service_members.h"

#include <algorithm>
#include <set>

namespace basalt::operations {
namespace {

namespace element_members = protocol::key_schema_element;
namespace projection_members = protocol::projection;
namespace local_members = protocol::local_secondary_index;
namespace global_members = protocol::global_secondary_index;

constexpr std::size_t kMaxKeyElements = 2;
constexpr std::size_t kMaxGlobalHashElements = 4;
constexpr std::size_t kMaxGlobalRangeElements = 4;
constexpr std::size_t kMaxNonKeyAttributes = 100;

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}
Unexpected invalid_parameters(std::string message)
{
    return invalid(std::string(kInvalidParameters) + std::move(message));
}

std::string_view element_name(const protocol::Node &element)
{
    return element[element_members::attribute_name].text();
}
bool is_hash(const protocol::Node &element)
{
    return element[element_members::key_type].text() == "HASH";
}

std::vector<std::string> element_names(const protocol::Node &key_schema)
{
    std::vector<std::string> names;
    for (const auto &element : key_schema.elements()) {
        names.emplace_back(element_name(element));
    }
    return names;
}

const model::AttributeDefinition *definition_of(std::string_view name,
                                                const std::vector<model::AttributeDefinition> &attributes)
{
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [name](const auto &attribute) { return attribute.name == name; });
    return found == attributes.end() ? nullptr : &*found;
}

Result<void> check_defined(const protocol::Node &key_schema, const std::vector<model::AttributeDefinition> &attributes)
{
    for (const auto &element : key_schema.elements()) {
        if (definition_of(element_name(element), attributes) == nullptr) {
            return invalid_parameters("Some index key attributes are not defined in AttributeDefinitions. Keys: " +
                                      name_list(element_names(key_schema)) +
                                      ", AttributeDefinitions: " + name_list(attribute_names(attributes)));
        }
    }
    return {};
}

/// At most one hash and one range element, in this order: tables and local indexes.
Result<void> check_pair(const protocol::Node &key_schema, const std::string &path)
{
    const auto elements = key_schema.elements();
    if (elements.size() > kMaxKeyElements) {
        std::string printed;
        for (const auto &element : elements) {
            printed += printed.empty() ? "" : ", ";
            printed += "KeySchemaElement(attributeName=" + std::string(element_name(element)) +
                       ", keyType=" + std::string(element[element_members::key_type].text()) + ")";
        }
        return invalid("1 validation error detected: Value '[" + printed + "]' at '" + path +
                       "' failed to satisfy constraint: Member must have length less than or equal to 2");
    }
    if (!is_hash(elements[0])) {
        return invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
    }
    if (elements.size() == 2 && element_name(elements[0]) == element_name(elements[1])) {
        return invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name");
    }
    if (elements.size() == 2 && is_hash(elements[1])) {
        return invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
    }
    return {};
}

Result<void> check_pair_names(const protocol::Node &key_schema, const std::string &path,
                              const std::vector<model::AttributeDefinition> &attributes)
{
    if (key_schema.elements().size() <= kMaxKeyElements) { // more are an error without looking every name up
        if (auto checked = check_defined(key_schema, attributes); !checked) {
            return checked;
        }
    }
    return check_pair(key_schema, path);
}

/// 1 to 4 hash elements, then 0 to 4 range elements, all different: global indexes.
Result<void> check_global_keys(const protocol::Node &key_schema)
{
    const auto elements = key_schema.elements();
    if (!is_hash(elements[0])) {
        return invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
    }
    std::size_t hashes = 0;
    std::size_t ranges = 0;
    std::set<std::string_view> names;
    for (const auto &element : elements) {
        if (is_hash(element) && ranges > 0) {
            return invalid_parameters("All HASH key attributes must precede RANGE key attributes in the KeySchema");
        }
        ++(is_hash(element) ? hashes : ranges);
        names.insert(element_name(element));
    }
    if (hashes > kMaxGlobalHashElements || ranges > kMaxGlobalRangeElements) {
        return invalid_parameters("The KeySchema exceeds the maximum allowed number of " +
                                  std::string(hashes > kMaxGlobalHashElements ? "HASH" : "RANGE") + " key attributes");
    }
    if (names.size() != elements.size()) {
        return elements.size() == 2
                   ? invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name")
                   : invalid("The KeySchema contains multiple key attributes with the same name");
    }
    return {};
}

model::KeySchema to_key_schema(const protocol::Node &key_schema,
                               const std::vector<model::AttributeDefinition> &attributes)
{
    model::KeySchema keys;
    for (const auto &element : key_schema.elements()) {
        const auto *const definition = definition_of(element_name(element), attributes);
        auto &list = is_hash(element) ? keys.hash : keys.range;
        list.push_back({definition->name, definition->type});
    }
    return keys;
}

Result<void> add_projection(const protocol::Node &projection, model::IndexDescription &index)
{
    const auto type = projection[projection_members::projection_type].text_or("null");
    const auto &non_key = projection[projection_members::non_key_attributes];
    if (type == "null") {
        return invalid_parameters("Unknown ProjectionType: null");
    }
    if (non_key.present() && type != "INCLUDE") {
        return invalid_parameters("ProjectionType is " + std::string(type) + ", but NonKeyAttributes is specified");
    }
    if (!non_key.present() && type == "INCLUDE") {
        return invalid_parameters("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
    }
    index.projection = type == "ALL"         ? model::ProjectionType::all
                       : type == "KEYS_ONLY" ? model::ProjectionType::keys_only
                                             : model::ProjectionType::include;
    for (const auto &name : non_key.elements()) {
        index.non_key_attributes.emplace_back(name.text());
    }
    std::sort(index.non_key_attributes.begin(), index.non_key_attributes.end());
    const auto twice = std::adjacent_find(index.non_key_attributes.begin(), index.non_key_attributes.end());
    if (twice != index.non_key_attributes.end()) {
        return invalid_parameters("Duplicate element in NonKeyAttributes: " + *twice);
    }
    return {};
}

Result<void> check_local_keys(const protocol::Node &key_schema, const std::string &name, const std::string &path,
                              const model::TableDescription &table)
{
    if (auto checked = check_pair_names(key_schema, path, table.attributes); !checked) {
        return checked;
    }
    const auto elements = key_schema.elements();
    if (elements.size() < 2) {
        return invalid_parameters("Index KeySchema does not have a range key for index: " + name);
    }
    const auto &table_hash = table.keys.hash.front().name;
    if (element_name(elements[0]) != table_hash) {
        return invalid_parameters("Index KeySchema does not have the same leading hash key as table KeySchema for "
                                  "index: " +
                                  name + ". index hash key: " + std::string(element_name(elements[0])) +
                                  ", table hash key: " + table_hash);
    }
    return {};
}

Result<void> check_index_throughput(const protocol::Node &index, const std::string &name,
                                    const model::TableDescription &table)
{
    const bool given = index[global_members::provisioned_throughput].present();
    if (table.billing_mode == model::BillingMode::pay_per_request && given) {
        return invalid_parameters("ProvisionedThroughput should not be specified for index: " + name +
                                  " when BillingMode is PAY_PER_REQUEST");
    }
    if (table.billing_mode == model::BillingMode::provisioned && !given) {
        return invalid_parameters("ProvisionedThroughput is not specified for index: " + name);
    }
    return {};
}

} // namespace

std::string name_list(const std::vector<std::string> &names)
{
    std::string text = "[";
    for (const auto &name : names) {
        text += text.size() > 1 ? ", " : "";
        text += name;
    }
    return text + "]";
}

std::vector<std::string> attribute_names(const std::vector<model::AttributeDefinition> &attributes)
{
    std::vector<std::string> names;
    for (const auto &attribute : attributes) {
        names.push_back(attribute.name);
    }
    return names;
}

Result<std::vector<model::AttributeDefinition>> read_attributes(const protocol::Node &definitions)
{
    std::vector<model::AttributeDefinition> attributes;
    std::set<std::string_view> names;
    for (const auto &definition : definitions.elements()) {
        const auto name = definition[protocol::attribute_definition::attribute_name].text();
        const auto type = model::type_from_name(definition[protocol::attribute_definition::attribute_type].text());
        if (!names.insert(name).second) {
            return invalid("Attribute Name is duplicated: " + std::string(name));
        }
        attributes.push_back({std::string(name), type.value()});
    }
    return attributes;
}

Result<model::KeySchema> table_key_schema(const protocol::Node &key_schema,
                                          const std::vector<model::AttributeDefinition> &attributes)
{
    if (key_schema.elements().size() > attributes.size()) {
        return invalid("Invalid KeySchema: Some index key attribute have no definition");
    }
    if (auto checked = check_pair_names(key_schema, "keySchema", attributes); !checked) {
        return fail(std::move(checked).error());
    }
    return to_key_schema(key_schema, attributes);
}

Result<void> add_local_indexes(const protocol::Node &indexes, model::TableDescription &table)
{
    if (!indexes.present()) {
        return {};
    }
    if (indexes.elements().empty()) {
        return invalid_parameters("List of LocalSecondaryIndexes is empty");
    }
    if (table.keys.range.empty()) {
        return invalid_parameters("Table KeySchema does not have a range key, which is required when specifying a "
                                  "LocalSecondaryIndex");
    }
    if (indexes.elements().size() > model::kMaxLocalIndexes) {
        return invalid_parameters("Number of LocalSecondaryIndexes exceeds per-table limit of " +
                                  std::to_string(model::kMaxLocalIndexes));
    }
    std::size_t number = 0;
    for (const auto &given : indexes.elements()) {
        ++number;
        model::IndexDescription index;
        index.name = given[local_members::index_name].text();
        const auto &keys = given[local_members::key_schema];
        const auto path = "localSecondaryIndexes." + std::to_string(number) + ".member.keySchema";
        if (auto checked = check_local_keys(keys, index.name, path, table); !checked) {
            return checked;
        }
        index.keys = to_key_schema(keys, table.attributes);
        if (auto added = add_projection(given[local_members::projection], index); !added) {
            return added;
        }
        table.local_indexes.push_back(std::move(index));
    }
    return {};
}

Result<model::IndexDescription> read_global_index(const protocol::Node &given,
                                                  const std::vector<model::AttributeDefinition> &attributes)
{
    namespace action = protocol::create_global_secondary_index_action;
    static_assert(global_members::index_name == std::size_t{action::index_name} &&
                  global_members::key_schema == std::size_t{action::key_schema} &&
                  global_members::projection == std::size_t{action::projection} &&
                  global_members::provisioned_throughput == std::size_t{action::provisioned_throughput} &&
                  global_members::on_demand_throughput == std::size_t{action::on_demand_throughput} &&
                  global_members::warm_throughput == std::size_t{action::warm_throughput});
    model::IndexDescription index;
    index.name = given[global_members::index_name].text();
    const auto &keys = given[global_members::key_schema];
    // With too many elements there is an error in any case; it is found without looking every name up.
    if (keys.elements().size() <= kMaxGlobalHashElements + kMaxGlobalRangeElements) {
        if (auto checked = check_defined(keys, attributes); !checked) {
            return fail(std::move(checked).error());
        }
    }
    if (auto checked = check_global_keys(keys); !checked) {
        return fail(std::move(checked).error());
    }
    index.keys = to_key_schema(keys, attributes);
    if (auto added = add_projection(given[global_members::projection], index); !added) {
        return fail(std::move(added).error());
    }
    if (const auto &units = given[global_members::provisioned_throughput]; units.present()) {
        index.provisioned = provisioned_units(units);
    }
    if (const auto &units = given[global_members::on_demand_throughput]; units.present()) {
        index.on_demand = on_demand_units(units);
    }
    if (const auto &units = given[global_members::warm_throughput]; units.present()) {
        index.warm = warm_units(units);
    }
    return index;
}

Result<void> add_global_indexes(const protocol::Node &indexes, model::TableDescription &table)
{
    if (!indexes.present()) {
        return {};
    }
    if (indexes.elements().empty()) {
        return invalid_parameters("List of GlobalSecondaryIndexes is empty");
    }
    if (indexes.elements().size() > model::kMaxGlobalIndexes) {
        return invalid_parameters("GlobalSecondaryIndex count exceeds the per-table limit of " +
                                  std::to_string(model::kMaxGlobalIndexes));
    }
    for (const auto &given : indexes.elements()) {
        auto index = read_global_index(given, table.attributes);
        if (!index) {
            return fail(std::move(index).error());
        }
        if (auto checked = check_index_throughput(given, index->name, table); !checked) {
            return checked;
        }
        table.global_indexes.push_back(std::move(*index));
    }
    return {};
}

Result<void> check_indexes_together(const model::TableDescription &table)
{
    std::set<std::string_view> names;
    std::size_t projected = 0;
    for (const auto *indexes : {&table.local_indexes, &table.global_indexes}) {
        for (const auto &index : *indexes) {
            if (!names.insert(index.name).second) {
                return invalid_parameters("Duplicate index name: " + index.name);
            }
            projected += index.non_key_attributes.size();
        }
    }
    if (projected > kMaxNonKeyAttributes) {
        return invalid_parameters("Number of NonKeyAttributes over all indexes exceeds the limit of " +
                                  std::to_string(kMaxNonKeyAttributes));
    }
    return {};
}

} // namespace basalt::operations

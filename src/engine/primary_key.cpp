#include "engine/primary_key.h"

#include "codec/item_encoding.h"
#include "codec/key_encoding.h"
#include "model/limits.h"

#include <algorithm>
#include <optional>
#include <string>

namespace basalt::engine {
namespace {

using model::AttributeType;

constexpr std::string_view kInvalidParameter = "One or more parameter values were invalid: ";

Unexpected invalid(std::string message)
{
    return fail(ErrorCode::validation, std::move(message));
}

Unexpected does_not_match_schema()
{
    return invalid("The provided key element does not match the schema");
}

std::string type_text(AttributeType type)
{
    return std::string(model::type_name(type));
}

bool is_empty_key(model::ValueView value)
{
    return value.type() != AttributeType::number && value.text().empty();
}

std::string empty_kind(model::ValueView value)
{
    return value.type() == AttributeType::binary ? "empty binary value" : "empty string value";
}

constexpr std::size_t most_key_bytes(bool is_hash)
{
    return is_hash ? model::kMaxPartitionKeyBytes : model::kMaxSortKeyBytes;
}

/// bytes: of one hash attribute, or of one or more range attributes.
Result<void> check_key_size(std::size_t bytes, bool is_hash)
{
    if (bytes <= most_key_bytes(is_hash)) {
        return {};
    }
    return invalid(std::string(kInvalidParameter) +
                   (is_hash ? "Size of hashkey has exceeded the maximum size limit of"
                            : "Aggregated size of all range keys has exceeded the size limit of ") +
                   std::to_string(most_key_bytes(is_hash)) + " bytes");
}

PrimaryKey encode(model::ValueView partition, std::optional<model::ValueView> sort)
{
    PrimaryKey key;
    codec::append_key_part(partition, key.partition);
    if (sort) {
        codec::append_key_part(*sort, key.sort);
    }
    key.hash = codec::partition_hash(key.partition);
    return key;
}

Result<void> check_index_key(const model::IndexDescription &index, const model::KeyElement &element, bool is_hash,
                             model::MapView item)
{
    const auto value = item.find(element.name);
    if (!value) {
        return {};
    }
    if (value->type() != element.type) {
        return invalid(std::string(kInvalidParameter) + "Type mismatch for Index Key " + element.name + " Expected: " +
                       type_text(element.type) + " Actual: " + type_text(value->type()) + " IndexName: " + index.name);
    }
    if (is_empty_key(*value)) {
        return invalid("One or more parameter values are not valid. A value specified for a secondary index key is not "
                       "supported. The AttributeValue for a key attribute cannot contain an " +
                       empty_kind(*value) + ". IndexName: " + index.name + ", IndexKey: " + element.name);
    }
    return check_key_size(key_bytes(*value), is_hash);
}

Result<void> check_keys_of_index(const model::IndexDescription &index, model::MapView item)
{
    for (const auto &element : index.keys.hash) {
        if (auto checked = check_index_key(index, element, true, item); !checked) {
            return checked;
        }
    }
    for (const auto &element : index.keys.range) {
        if (auto checked = check_index_key(index, element, false, item); !checked) {
            return checked;
        }
    }
    return check_range_size(index.keys, item);
}

Result<model::ValueView> item_key_value(const model::KeyElement &element, bool is_hash, model::MapView item)
{
    const auto value = item.find(element.name);
    if (!value) {
        return invalid(std::string(kInvalidParameter) + "Missing the key " + element.name + " in the item");
    }
    if (value->type() != element.type) {
        return invalid(std::string(kInvalidParameter) + "Type mismatch for key " + element.name +
                       " expected: " + type_text(element.type) + " actual: " + type_text(value->type()));
    }
    if (auto checked = check_key_value(element, *value, is_hash); !checked) {
        return fail(std::move(checked).error());
    }
    return *value;
}

} // namespace

Result<void> check_key_value(const model::KeyElement &element, model::ValueView value, bool is_hash)
{
    if (is_empty_key(value)) {
        return invalid(
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain "
            "an " +
            empty_kind(value) + ". Key: " + element.name);
    }
    return check_key_size(key_bytes(value), is_hash);
}

std::size_t key_bytes(model::ValueView value)
{
    return value.type() == AttributeType::number ? codec::value_size_bytes(value) : value.text().size();
}

bool is_key_value(AttributeType type, model::ValueView value, bool is_hash)
{
    return value.type() == type && !is_empty_key(value) &&
           (type == AttributeType::number || value.text().size() <= most_key_bytes(is_hash));
}

Result<void> check_key_values(const model::KeySchema &schema, model::MapView attributes)
{
    for (const auto *elements : {&schema.hash, &schema.range}) {
        for (const auto &element : *elements) {
            const auto value = attributes.find(element.name);
            if (!value || value->type() != element.type) {
                continue;
            }
            if (auto checked = check_key_value(element, *value, elements == &schema.hash); !checked) {
                return checked;
            }
        }
    }
    return {};
}

Result<PrimaryKey> key_from_parameter(const model::KeySchema &schema, model::MapView key)
{
    const auto &hash = schema.hash.front();
    const bool has_range = !schema.range.empty();
    const auto partition = key.find(hash.name);
    const auto sort = has_range ? key.find(schema.range.front().name) : std::nullopt;
    if (key.count() != (has_range ? 2U : 1U) || !partition || partition->type() != hash.type ||
        (has_range && (!sort || sort->type() != schema.range.front().type))) {
        return does_not_match_schema();
    }
    if (auto checked = check_key_value(hash, *partition, true); !checked) {
        return fail(std::move(checked).error());
    }
    if (has_range) {
        if (auto checked = check_key_value(schema.range.front(), *sort, false); !checked) {
            return fail(std::move(checked).error());
        }
    }
    return encode(*partition, sort);
}

Result<PrimaryKey> key_from_item(const model::KeySchema &schema, model::MapView item)
{
    auto partition = item_key_value(schema.hash.front(), true, item);
    if (!partition) {
        return fail(std::move(partition).error());
    }
    if (schema.range.empty()) {
        return encode(*partition, std::nullopt);
    }
    auto sort = item_key_value(schema.range.front(), false, item);
    if (!sort) {
        return fail(std::move(sort).error());
    }
    return encode(*partition, *sort);
}

PrimaryKey key_from_stored(const model::KeySchema &schema, model::MapView item)
{
    return encode(item.find(schema.hash.front().name).value(),
                  schema.range.empty() ? std::nullopt : item.find(schema.range.front().name));
}

bool has_index_key_types(const model::TableDescription &table, model::MapView item)
{
    const auto fits = [&](const model::KeyElement &element) {
        const auto value = item.find(element.name);
        return !value || value->type() == element.type;
    };
    const auto all_fit = [&](const model::IndexDescription &index) {
        return std::all_of(index.keys.hash.begin(), index.keys.hash.end(), fits) &&
               std::all_of(index.keys.range.begin(), index.keys.range.end(), fits);
    };
    return std::all_of(table.global_indexes.begin(), table.global_indexes.end(), all_fit) &&
           std::all_of(table.local_indexes.begin(), table.local_indexes.end(), all_fit);
}

Result<void> check_range_size(const model::KeySchema &schema, model::MapView item)
{
    std::size_t bytes = 0;
    for (const auto &element : schema.range) {
        const auto value = item.find(element.name);
        if (value && value->type() == element.type) {
            bytes += key_bytes(*value);
        }
    }
    return check_key_size(bytes, false);
}

Result<void> check_index_keys(std::span<const model::IndexDescription> indexes, model::MapView item)
{
    for (const auto &index : indexes) {
        if (auto checked = check_keys_of_index(index, item); !checked) {
            return checked;
        }
    }
    return {};
}

Result<void> check_index_keys(const model::TableDescription &table, model::MapView item)
{
    auto checked = check_index_keys(table.global_indexes, item);
    return checked ? check_index_keys(table.local_indexes, item) : checked;
}

} // namespace basalt::engine

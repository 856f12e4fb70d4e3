#include "indexes/shapes.h"

#include <algorithm>
#include <set>
#include <utility>

namespace basalt::indexes {
namespace {

constexpr std::size_t kMostHashBytes = 2048;
constexpr std::size_t kMostRangeBytes = 1024;

bool is_key(const KeyAttribute &attribute, const Json &value, bool is_hash)
{
    if (!value.contains(attribute.type)) {
        return false;
    }
    const auto bytes = key_bytes(value);
    return bytes > 0 && bytes <= (is_hash ? kMostHashBytes : kMostRangeBytes);
}

std::size_t range_bytes(const IndexShape &index, const Json &item)
{
    std::size_t bytes = 0;
    for (const auto &attribute : index.range) {
        if (const auto value = item.find(attribute.name); value != item.end() && value->contains(attribute.type)) {
            bytes += key_bytes(*value);
        }
    }
    return bytes;
}

Json definitions(const std::map<std::string, std::string> &types)
{
    Json out = Json::array();
    for (const auto &[name, type] : types) {
        out.push_back({{"AttributeName", name}, {"AttributeType", type}});
    }
    return out;
}

Json key_schema(const std::vector<KeyAttribute> &hash, const std::vector<KeyAttribute> &range)
{
    Json out = Json::array();
    for (const auto &attribute : hash) {
        out.push_back({{"AttributeName", attribute.name}, {"KeyType", "HASH"}});
    }
    for (const auto &attribute : range) {
        out.push_back({{"AttributeName", attribute.name}, {"KeyType", "RANGE"}});
    }
    return out;
}

Json index_json(const IndexShape &index)
{
    Json projection{{"ProjectionType", index.projection}};
    if (!index.included.empty()) {
        projection["NonKeyAttributes"] = index.included;
    }
    return {{"IndexName", index.name},
            {"KeySchema", key_schema(index.hash, index.range)},
            {"Projection", std::move(projection)}};
}

/// Mostly the usual one or two, sometimes as many as can be.
std::pair<std::size_t, std::size_t> random_key_counts(Random &random)
{
    if (random.percent(70)) {
        return {1, random.below(2)};
    }
    return random.percent(20) ? std::pair<std::size_t, std::size_t>{4, 4}
                              : std::pair<std::size_t, std::size_t>{1 + random.below(4), random.below(5)};
}

} // namespace

std::vector<KeyAttribute> IndexShape::keys() const
{
    auto all = hash;
    all.insert(all.end(), range.begin(), range.end());
    return all;
}

std::map<std::string, std::string> TableShape::types() const
{
    std::map<std::string, std::string> types;
    for (const auto &attribute : keys) {
        types.emplace(attribute.name, attribute.type);
    }
    for (const auto &index : indexes) {
        for (const auto &attribute : index.keys()) {
            types.emplace(attribute.name, attribute.type);
        }
    }
    return types;
}

Json TableShape::key_of(const Json &item) const
{
    Json key = Json::object();
    for (const auto &attribute : keys) {
        key[attribute.name] = item.at(attribute.name);
    }
    return key;
}

const std::vector<std::string> &index_attributes()
{
    static const std::vector<std::string> names{"k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8"};
    return names;
}

const std::vector<std::string> &plain_attributes()
{
    static const std::vector<std::string> names{"o1", "o2", "o3"};
    return names;
}

IndexShape random_index(Random &random, const TableShape &table, const std::string &name,
                        const std::map<std::string, std::string> &types)
{
    static const std::vector<std::string> kTypes{"S", "N", "B"};
    static const std::vector<std::string> kProjections{"ALL", "KEYS_ONLY", "INCLUDE"};
    auto defined = table.types();
    defined.insert(types.begin(), types.end());
    std::vector<std::string> names = index_attributes();
    for (const auto &attribute : table.keys) {
        names.push_back(attribute.name);
    }
    std::set<std::string> used;
    const auto take = [&]() -> KeyAttribute {
        for (;;) {
            const auto &attribute = random.one_of(names);
            if (used.insert(attribute).second) {
                const auto type = defined.find(attribute);
                return {attribute, type != defined.end() ? type->second : random.one_of(kTypes)};
            }
        }
    };
    IndexShape index;
    index.name = name;
    const auto [hashes, ranges] = random_key_counts(random);
    std::generate_n(std::back_inserter(index.hash), hashes, take);
    std::generate_n(std::back_inserter(index.range), ranges, take);
    index.projection = random.one_of(kProjections);
    if (index.projection == "INCLUDE") {
        std::set<std::string> included{random.one_of(plain_attributes()), random.one_of(plain_attributes())};
        if (const auto &attribute = random.one_of(index_attributes()); !used.contains(attribute)) {
            included.insert(attribute);
        }
        index.included.assign(included.begin(), included.end());
    }
    return index;
}

Json create_table_request(const TableShape &table)
{
    Json request{{"TableName", table.name},
                 {"BillingMode", "PAY_PER_REQUEST"},
                 {"AttributeDefinitions", definitions(table.types())},
                 {"KeySchema", key_schema({table.keys.front()}, {table.keys.begin() + 1, table.keys.end()})}};
    for (const auto &index : table.indexes) {
        request["GlobalSecondaryIndexes"].push_back(index_json(index));
    }
    return request;
}

Json create_index_request(const TableShape &table, const IndexShape &index)
{
    auto types = table.types();
    for (const auto &attribute : index.keys()) {
        types.emplace(attribute.name, attribute.type);
    }
    return {{"TableName", table.name},
            {"AttributeDefinitions", definitions(types)},
            {"GlobalSecondaryIndexUpdates", {{{"Create", index_json(index)}}}}};
}

Json delete_index_request(const TableShape &table, const std::string &index)
{
    return {{"TableName", table.name}, {"GlobalSecondaryIndexUpdates", {{{"Delete", {{"IndexName", index}}}}}}};
}

bool is_legal(const TableShape &table, const std::string &attribute, const Json &value)
{
    for (const auto &index : table.indexes) {
        for (const auto *keys : {&index.hash, &index.range}) {
            for (const auto &key : *keys) {
                if (key.name == attribute && !is_key(key, value, keys == &index.hash)) {
                    return false;
                }
            }
        }
    }
    return true;
}

bool is_legal_item(const TableShape &table, const Json &item)
{
    for (const auto &[name, value] : item.items()) {
        if (!is_legal(table, name, value)) {
            return false;
        }
    }
    return std::all_of(table.indexes.begin(), table.indexes.end(),
                       [&](const IndexShape &index) { return has_short_range(index, item); });
}

bool has_short_range(const IndexShape &index, const Json &item)
{
    return range_bytes(index, item) <= kMostRangeBytes;
}

std::optional<Json> entry_of(const TableShape &table, const IndexShape &index, const Json &item)
{
    for (const auto *keys : {&index.hash, &index.range}) {
        for (const auto &key : *keys) {
            const auto value = item.find(key.name);
            if (value == item.end() || !is_key(key, *value, keys == &index.hash)) {
                return std::nullopt;
            }
        }
    }
    if (!has_short_range(index, item)) {
        return std::nullopt;
    }
    if (index.projection == "ALL") {
        return item;
    }
    Json entry = table.key_of(item);
    for (const auto &attribute : index.keys()) {
        entry[attribute.name] = item.at(attribute.name);
    }
    for (const auto &name : index.included) {
        if (const auto value = item.find(name); value != item.end()) {
            entry[name] = *value;
        }
    }
    return entry;
}

} // namespace basalt::indexes

#include "indexes/writes.h"

#include <algorithm>

namespace basalt::indexes {
namespace {

/// Of the type that the indexes ask for, or of any type as long as none asks.
Json attribute_value(Random &random, const std::map<std::string, std::string> &types, const std::string &name,
                     bool illegal)
{
    const auto type = types.find(name);
    if (type == types.end() || illegal) {
        return any_value(random);
    }
    return key_value(random, type->second);
}

Json random_attributes(Random &random, const TableShape &table, std::size_t share_percent, const Habits &habits)
{
    const auto types = table.types();
    const bool illegal = random.percent(habits.illegal_percent);
    Json attributes = Json::object();
    for (const auto &name : index_attributes()) {
        if (random.percent(share_percent)) {
            attributes[name] = attribute_value(random, types, name, illegal && random.percent(30));
        }
    }
    for (const auto &name : plain_attributes()) {
        if (random.percent(share_percent)) {
            attributes[name] =
                random.percent(3) ? Json{{"S", std::string(3000, 'x')}} : Json{{"N", std::to_string(random.below(4))}};
        }
    }
    return attributes;
}

Condition random_condition(Random &random, const Habits &habits)
{
    if (!random.percent(habits.condition_percent)) {
        return {};
    }
    switch (random.below(3)) {
    case 0:
        return {Condition::Kind::exists, {}, {}};
    case 1:
        return {Condition::Kind::not_exists, {}, {}};
    default:
        return {Condition::Kind::equals, "o1", Json{{"N", std::to_string(random.below(2))}}};
    }
}

Json put_item(const Write &write)
{
    Json item = write.attributes;
    item.update(write.key);
    return item;
}

void add_condition(const Condition &condition, const Json &key, Json &request)
{
    const auto add_name = [&](const std::string &name) { request["ExpressionAttributeNames"]["#c"] = name; };
    switch (condition.kind) {
    case Condition::Kind::none:
        break;
    case Condition::Kind::exists:
        add_name(key.begin().key());
        request["ConditionExpression"] = "attribute_exists(#c)";
        break;
    case Condition::Kind::not_exists:
        add_name(key.begin().key());
        request["ConditionExpression"] = "attribute_not_exists(#c)";
        break;
    case Condition::Kind::equals:
        add_name(condition.attribute);
        request["ConditionExpression"] = "#c = :c";
        request["ExpressionAttributeValues"][":c"] = condition.value;
        break;
    }
}

void add_update(const Write &write, Json &request)
{
    std::string sets;
    std::size_t number = 0;
    for (const auto &[name, value] : write.attributes.items()) {
        const auto place = std::to_string(number++);
        request["ExpressionAttributeNames"]["#s" + place] = name;
        request["ExpressionAttributeValues"][":s" + place] = value;
        sets += (sets.empty() ? "SET #s" : ", #s") + place + " = :s" + place;
    }
    std::string removes;
    for (const auto &name : write.removed) {
        const auto place = std::to_string(number++);
        request["ExpressionAttributeNames"]["#r" + place] = name;
        removes += (removes.empty() ? " REMOVE #r" : ", #r") + place;
    }
    request["UpdateExpression"] = sets + removes;
}

} // namespace

Write random_write(Random &random, const TableShape &table, const Json &key, const Habits &habits)
{
    Write write;
    write.key = key;
    write.condition = random_condition(random, habits);
    const auto dice = random.below(100);
    if (dice < 40) {
        write.attributes = random_attributes(random, table, 85, habits);
    } else if (dice < 80) {
        write.kind = Write::Kind::update;
        write.attributes = random_attributes(random, table, 20, habits);
        write.attributes["o1"] = {{"N", std::to_string(random.below(2))}}; // an update that sets nothing makes no item
        for (const auto *names : {&index_attributes(), &plain_attributes()}) {
            for (const auto &name : *names) {
                if (!write.attributes.contains(name) && random.percent(6)) {
                    write.removed.push_back(name);
                }
            }
        }
    } else {
        write.kind = Write::Kind::remove;
    }
    return write;
}

Write random_batch_write(Random &random, const TableShape &table, const Json &key, const Habits &habits)
{
    Write write;
    write.key = key;
    if (random.percent(70)) {
        write.attributes = random_attributes(random, table, 85, habits);
    } else {
        write.kind = Write::Kind::remove;
    }
    return write;
}

std::string operation_of(const Write &write)
{
    switch (write.kind) {
    case Write::Kind::put:
        return "PutItem";
    case Write::Kind::update:
        return "UpdateItem";
    case Write::Kind::remove:
        return "DeleteItem";
    case Write::Kind::check:
        break;
    }
    return {};
}

Json request_of(const TableShape &table, const Write &write)
{
    Json request{{"TableName", table.name}};
    if (write.kind == Write::Kind::put) {
        request["Item"] = put_item(write);
    } else {
        request["Key"] = write.key;
    }
    add_condition(write.condition, write.key, request);
    if (write.kind == Write::Kind::update) {
        add_update(write, request);
    }
    return request;
}

Json transacted(const TableShape &table, const Write &write)
{
    switch (write.kind) {
    case Write::Kind::put:
        return {{"Put", request_of(table, write)}};
    case Write::Kind::update:
        return {{"Update", request_of(table, write)}};
    case Write::Kind::remove:
        return {{"Delete", request_of(table, write)}};
    case Write::Kind::check:
        break;
    }
    return {{"ConditionCheck", request_of(table, write)}};
}

Json batched(const Write &write)
{
    return write.kind == Write::Kind::put ? Json{{"PutRequest", {{"Item", put_item(write)}}}}
                                          : Json{{"DeleteRequest", {{"Key", write.key}}}};
}

bool is_legal(const TableShape &table, const Write &write)
{
    if (write.kind == Write::Kind::put) {
        return is_legal_item(table, put_item(write));
    }
    const auto &set = write.attributes.items();
    return std::all_of(set.begin(), set.end(),
                       [&](const auto &attribute) { return is_legal(table, attribute.key(), attribute.value()); });
}

bool fits(const TableShape &table, const Write &write, const Items &items)
{
    if (write.kind != Write::Kind::update) {
        return true;
    }
    const auto old = items.find(write.key.dump());
    Items changed;
    if (old != items.end()) {
        changed.insert(*old);
    }
    apply(write, changed);
    const auto is_touched = [&](const KeyAttribute &attribute) {
        return write.attributes.contains(attribute.name) ||
               std::find(write.removed.begin(), write.removed.end(), attribute.name) != write.removed.end();
    };
    return std::all_of(table.indexes.begin(), table.indexes.end(), [&](const IndexShape &index) {
        return std::none_of(index.range.begin(), index.range.end(), is_touched) ||
               has_short_range(index, changed.begin()->second);
    });
}

bool is_met(const Condition &condition, const Items &items, const Json &key)
{
    const auto item = items.find(key.dump());
    switch (condition.kind) {
    case Condition::Kind::none:
        return true;
    case Condition::Kind::exists:
        return item != items.end();
    case Condition::Kind::not_exists:
        return item == items.end();
    case Condition::Kind::equals:
        break;
    }
    return item != items.end() && item->second.contains(condition.attribute) &&
           item->second.at(condition.attribute) == condition.value;
}

void apply(const Write &write, Items &items)
{
    const auto key = write.key.dump();
    switch (write.kind) {
    case Write::Kind::put:
        items[key] = put_item(write);
        break;
    case Write::Kind::update: {
        auto &item = items[key];
        item.update(write.key);
        item.update(write.attributes);
        for (const auto &name : write.removed) {
            item.erase(name);
        }
        break;
    }
    case Write::Kind::remove:
        items.erase(key);
        break;
    case Write::Kind::check:
        break;
    }
}

} // namespace basalt::indexes

#include "linearizability/wire.h"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace basalt::linearizability {
namespace {

using Json = nlohmann::json;

constexpr const char *kPlain = "Plain";
constexpr const char *kIndexed = "Indexed";
constexpr const char *kIndex = "ByCount";
constexpr const char *kKeysIndex = "KeysByCount";
constexpr const char *kPartition = "together";

/// Items 0 and 3 have partitions of their own, the others share one.
bool is_indexed(std::size_t item)
{
    return item != 0 && item != 3;
}

const char *table_of(std::size_t item)
{
    return is_indexed(item) ? kIndexed : kPlain;
}

Json string_value(const std::string &text)
{
    return {{"S", text}};
}

Json number_value(std::uint32_t number)
{
    return {{"N", std::to_string(number)}};
}

Json key_of(std::size_t item)
{
    if (is_indexed(item)) {
        return {{"pk", string_value(kPartition)}, {"sk", number_value(static_cast<std::uint32_t>(item))}};
    }
    return {{"pk", string_value("alone" + std::to_string(item))}};
}

Json table_request(const char *name)
{
    return {{"TableName", name},
            {"BillingMode", "PAY_PER_REQUEST"},
            {"AttributeDefinitions", {{{"AttributeName", "pk"}, {"AttributeType", "S"}}}},
            {"KeySchema", {{{"AttributeName", "pk"}, {"KeyType", "HASH"}}}}};
}

Json indexed_table_request()
{
    Json request = table_request(kIndexed);
    for (const char *name : {"sk", "n"}) {
        request["AttributeDefinitions"].push_back({{"AttributeName", name}, {"AttributeType", "N"}});
    }
    request["KeySchema"].push_back({{"AttributeName", "sk"}, {"KeyType", "RANGE"}});
    const Json key_schema = {{{"AttributeName", "pk"}, {"KeyType", "HASH"}},
                             {{"AttributeName", "n"}, {"KeyType", "RANGE"}}};
    request["LocalSecondaryIndexes"] = {
        {{"IndexName", kIndex}, {"KeySchema", key_schema}, {"Projection", {{"ProjectionType", "ALL"}}}},
        {{"IndexName", kKeysIndex}, {"KeySchema", key_schema}, {"Projection", {{"ProjectionType", "KEYS_ONLY"}}}}};
    return request;
}

const char *returns_text(Returns returns)
{
    switch (returns) {
    case Returns::none:
        return "NONE";
    case Returns::all_old:
        return "ALL_OLD";
    case Returns::all_new:
        return "ALL_NEW";
    case Returns::updated_old:
        return "UPDATED_OLD";
    case Returns::updated_new:
        return "UPDATED_NEW";
    }
    return "";
}

Json item_of(const Operation &operation, const Access &access)
{
    Json item = key_of(access.item);
    item["v"] = number_value(access.written);
    item["p"] = number_value(0);
    item["n"] = number_value(1);
    item["ballast"] = string_value(std::string(operation.padding_bytes, 'b'));
    return item;
}

/// What a write or a condition check says beside its table.
void add_write(Json &body, const Operation &operation, const Access &access)
{
    Json values = Json::object();
    if (access.effect == Effect::put) {
        body["Item"] = item_of(operation, access);
    } else {
        body["Key"] = key_of(access.item);
    }
    if (access.effect == Effect::update) {
        body["UpdateExpression"] = "SET p = if_not_exists(v, :zero), v = :written ADD n :one";
        values = {{":zero", number_value(0)}, {":one", number_value(1)}, {":written", number_value(access.written)}};
    }
    switch (access.condition) {
    case Condition::none:
        break;
    case Condition::version_is:
        body["ConditionExpression"] = "v = :expected";
        values[":expected"] = number_value(access.expected);
        break;
    case Condition::exists:
        body["ConditionExpression"] = "attribute_exists(pk)";
        break;
    case Condition::absent:
        body["ConditionExpression"] = "attribute_not_exists(pk)";
        break;
    }
    if (!values.empty()) {
        body["ExpressionAttributeValues"] = values;
    }
    if (operation.failure_shows_item && access.condition != Condition::none) {
        body["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD";
    }
}

Json single_write(const Operation &operation)
{
    Json body = {{"TableName", table_of(operation.accesses[0].item)},
                 {"ReturnValues", returns_text(operation.returns)}};
    add_write(body, operation, operation.accesses[0]);
    return body;
}

Json transact_write(const Operation &operation, std::string_view token)
{
    constexpr std::array<const char *, 4> kNames = {"ConditionCheck", "Put", "Update", "Delete"};
    Json actions = Json::array();
    for (std::size_t i = 0; i < operation.access_count; ++i) {
        const Access &access = operation.accesses[i];
        Json action = {{"TableName", table_of(access.item)}};
        add_write(action, operation, access);
        actions.push_back({{kNames[static_cast<std::size_t>(access.effect)], action}});
    }
    Json body = {{"TransactItems", actions}};
    if (operation.has_token) {
        body["ClientRequestToken"] = token;
    }
    return body;
}

Json transact_get(const Operation &operation)
{
    Json gets = Json::array();
    for (std::size_t i = 0; i < operation.access_count; ++i) {
        const auto item = operation.accesses[i].item;
        gets.push_back({{"Get", {{"TableName", table_of(item)}, {"Key", key_of(item)}}}});
    }
    return {{"TransactItems", gets}};
}

Json batch_get(const Operation &operation)
{
    Json tables = Json::object();
    for (std::size_t i = 0; i < operation.access_count; ++i) {
        const auto item = operation.accesses[i].item;
        Json &table = tables[table_of(item)];
        table["ConsistentRead"] = true;
        table["Keys"].push_back(key_of(item));
    }
    return {{"RequestItems", tables}};
}

Json batch_write(const Operation &operation)
{
    Json tables = Json::object();
    for (std::size_t i = 0; i < operation.access_count; ++i) {
        const Access &access = operation.accesses[i];
        Json &writes = tables[table_of(access.item)];
        if (access.effect == Effect::put) {
            writes.push_back({{"PutRequest", {{"Item", item_of(operation, access)}}}});
        } else {
            writes.push_back({{"DeleteRequest", {{"Key", key_of(access.item)}}}});
        }
    }
    return {{"RequestItems", tables}};
}

Json query(Kind kind)
{
    if (kind == Kind::scan) {
        return {{"TableName", kIndexed}, {"ConsistentRead", true}};
    }
    Json body = {{"TableName", kIndexed},
                 {"ConsistentRead", true},
                 {"KeyConditionExpression", "pk = :pk"},
                 {"ExpressionAttributeValues", {{":pk", string_value(kPartition)}}}};
    if (kind == Kind::index_query) {
        body["IndexName"] = kIndex;
    } else if (kind == Kind::fetching_query) {
        body["IndexName"] = kKeysIndex;
        body["Select"] = "ALL_ATTRIBUTES";
    }
    return body;
}

std::uint32_t number_of(const Json &attribute)
{
    return static_cast<std::uint32_t>(std::stoul(attribute.at("N").get<std::string>()));
}

/// Takes the state from an item of a reply; from nothing, an absent one.
void see(Access &access, const Json &item, bool after)
{
    access.seen = Access::everything;
    access.seen_after = after;
    access.state = {};
    if (!item.empty()) {
        access.state = {number_of(item.at("v")), number_of(item.at("p")), number_of(item.at("n"))};
    }
}

void see_any_order(Operation &operation, const Json &items, bool indexed)
{
    for (std::size_t i = 0; i < operation.access_count; ++i) {
        if (is_indexed(operation.accesses[i].item) == indexed) {
            see(operation.accesses[i], Json(), false);
        }
    }
    for (const Json &item : items) {
        std::size_t found = 0;
        for (std::size_t i = 0; i < operation.access_count; ++i) {
            Access &access = operation.accesses[i];
            const Json key = key_of(access.item);
            const bool same = indexed == is_indexed(access.item) && item.at("pk") == key.at("pk") &&
                              (!indexed || item.at("sk") == key.at("sk"));
            if (same && access.state == State{}) {
                see(access, item, false);
                ++found;
            }
        }
        if (found != 1) {
            throw std::runtime_error("an item that was not asked for, or twice: " + item.dump());
        }
    }
}

void leave_out_unprocessed(Operation &operation, const Json &unprocessed)
{
    for (std::size_t i = 0; i < operation.access_count; ++i) {
        Access &access = operation.accesses[i];
        const Json key = key_of(access.item);
        for (const Json &write : unprocessed.value(table_of(access.item), Json::array())) {
            const Json &named =
                write.contains("PutRequest") ? write.at("PutRequest").at("Item") : write.at("DeleteRequest").at("Key");
            if (named.at("pk") == key.at("pk") && named.value("sk", Json()) == key.value("sk", Json())) {
                access.effect = Effect::none;
            }
        }
    }
}

void observe_success(Operation &operation, const Json &reply)
{
    Access &first = operation.accesses[0];
    switch (operation.kind) {
    case Kind::get:
        see(first, reply.value("Item", Json()), false);
        return;
    case Kind::scan:
    case Kind::query:
    case Kind::index_query:
    case Kind::fetching_query:
        see_any_order(operation, reply.at("Items"), true);
        return;
    case Kind::batch_get:
        for (const char *table : {kPlain, kIndexed}) {
            see_any_order(operation, reply.at("Responses").value(table, Json::array()), table == kIndexed);
        }
        return;
    case Kind::transact_get:
        for (std::size_t i = 0; i < operation.access_count; ++i) {
            see(operation.accesses[i], reply.at("Responses").at(i).value("Item", Json()), false);
        }
        return;
    case Kind::transact_write:
        return;
    case Kind::batch_write:
        leave_out_unprocessed(operation, reply.at("UnprocessedItems"));
        return;
    case Kind::put:
    case Kind::update:
    case Kind::remove:
        if (operation.returns != Returns::none) {
            const bool after = operation.returns == Returns::all_new || operation.returns == Returns::updated_new;
            see(first, reply.value("Attributes", Json()), after);
        }
        return;
    }
}

void observe_failed_condition(const Operation &operation, Access &access, const Json &reply)
{
    access.held = false;
    if (operation.failure_shows_item) {
        see(access, reply.value("Item", Json()), false);
    }
}

void observe_cancelled(Operation &operation, const Json &reply)
{
    const Json &reasons = reply.at("CancellationReasons");
    if (reasons.size() != operation.access_count) {
        throw std::runtime_error("not one reason for each item: " + reply.dump());
    }
    bool conflict = false;
    bool failed = false;
    for (std::size_t i = 0; i < operation.access_count; ++i) {
        const std::string code = reasons.at(i).at("Code").get<std::string>();
        conflict = conflict || code == "TransactionConflict";
        if (code == "ConditionalCheckFailed") {
            failed = true;
            observe_failed_condition(operation, operation.accesses[i], reasons.at(i));
        } else if (code != "None" && code != "TransactionConflict") {
            throw std::runtime_error("an unexpected reason: " + reply.dump());
        }
    }
    if (conflict == failed) {
        throw std::runtime_error("cancelled without a reason, or with two kinds: " + reply.dump());
    }
    operation.outcome = conflict ? Outcome::refused : Outcome::condition_failed;
}

void observe_error(Operation &operation, const Json &reply)
{
    const std::string type = reply.at("__type").get<std::string>();
    const std::string name = type.substr(type.find('#') + 1);
    if (name == "ConditionalCheckFailedException" && operation.accesses[0].condition != Condition::none) {
        operation.outcome = Outcome::condition_failed;
        observe_failed_condition(operation, operation.accesses[0], reply);
    } else if (name == "TransactionCanceledException" && operation.kind == Kind::transact_write) {
        observe_cancelled(operation, reply);
    } else if (name == "TransactionCanceledException" || name == "TransactionConflictException" ||
               name == "TransactionInProgressException" || name == "ThrottlingException") {
        operation.outcome = Outcome::refused;
    } else {
        throw std::runtime_error("an unexpected error: " + reply.dump());
    }
    if (operation.outcome == Outcome::condition_failed) {
        for (Access &access : operation.accesses) {
            access.effect = Effect::none;
        }
    }
}

} // namespace

std::vector<WireRequest> create_requests()
{
    return {{"DynamoDB_20120810.CreateTable", table_request(kPlain).dump()},
            {"DynamoDB_20120810.CreateTable", indexed_table_request().dump()}};
}

WireRequest request_of(const Operation &planned, std::string_view token)
{
    constexpr std::array<const char *, 12> kNames = {"GetItem",
                                                     "BatchGetItem",
                                                     "Scan",
                                                     "Query",
                                                     "Query",
                                                     "Query",
                                                     "BatchWriteItem",
                                                     "PutItem",
                                                     "UpdateItem",
                                                     "DeleteItem",
                                                     "TransactGetItems",
                                                     "TransactWriteItems"};
    const std::string target = std::string("DynamoDB_20120810.") + kNames[static_cast<std::size_t>(planned.kind)];
    const auto item = planned.accesses[0].item;
    switch (planned.kind) {
    case Kind::get:
        return {target, Json{{"TableName", table_of(item)}, {"Key", key_of(item)}, {"ConsistentRead", true}}.dump()};
    case Kind::batch_get:
        return {target, batch_get(planned).dump()};
    case Kind::scan:
    case Kind::query:
    case Kind::index_query:
    case Kind::fetching_query:
        return {target, query(planned.kind).dump()};
    case Kind::batch_write:
        return {target, batch_write(planned).dump()};
    case Kind::put:
    case Kind::update:
    case Kind::remove:
        return {target, single_write(planned).dump()};
    case Kind::transact_get:
        return {target, transact_get(planned).dump()};
    case Kind::transact_write:
        return {target, transact_write(planned, token).dump()};
    }
    return {};
}

Operation observe(const Operation &planned, const Response &response)
{
    Operation operation = planned;
    const Json reply = Json::parse(response.body);
    if (response.status == 200) {
        operation.outcome = Outcome::done;
        observe_success(operation, reply);
    } else {
        observe_error(operation, reply);
    }
    return operation;
}

} // namespace basalt::linearizability

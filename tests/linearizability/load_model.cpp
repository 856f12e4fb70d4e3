#include "linearizability/load_model.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace basalt::linearizability {
namespace {

using Json = nlohmann::json;

constexpr const char *kOwn = "Own";
constexpr const char *kShared = "Shared";
constexpr const char *kIndex = "ByN";
constexpr int kSortKeys = 8;
// Memtables fill, so that reads meet table files, flushes and compactions.
constexpr std::size_t kBallastBytes = 600;

Json text(const std::string &value)
{
    return {{"S", value}};
}

Json number(std::int64_t value)
{
    return {{"N", std::to_string(value)}};
}

std::int64_t number_of(const Json &item, const char *name)
{
    return std::stoll(item.at(name).at("N").get<std::string>());
}

Json shared_key(const std::string &name)
{
    return {{"pk", text(name)}};
}

std::string account(int index)
{
    return "account" + std::to_string(index);
}

Json create_table(const std::string &name)
{
    return {{"TableName", name},
            {"BillingMode", "PAY_PER_REQUEST"},
            {"AttributeDefinitions", {{{"AttributeName", "pk"}, {"AttributeType", "S"}}}},
            {"KeySchema", {{{"AttributeName", "pk"}, {"KeyType", "HASH"}}}}};
}

Json create_own_table()
{
    Json request = create_table(kOwn);
    for (const char *name : {"sk", "n"}) {
        request["AttributeDefinitions"].push_back({{"AttributeName", name}, {"AttributeType", "N"}});
    }
    request["KeySchema"].push_back({{"AttributeName", "sk"}, {"KeyType", "RANGE"}});
    const Json keys = {{{"AttributeName", "pk"}, {"KeyType", "HASH"}}, {{"AttributeName", "n"}, {"KeyType", "RANGE"}}};
    request["LocalSecondaryIndexes"] = {
        {{"IndexName", kIndex}, {"KeySchema", keys}, {"Projection", {{"ProjectionType", "ALL"}}}}};
    return request;
}

Json add_to_account(int index, std::int64_t amount)
{
    Json update = {{"TableName", kShared},
                   {"Key", shared_key(account(index))},
                   {"UpdateExpression", "ADD n :amount"},
                   {"ExpressionAttributeValues", {{":amount", number(amount)}}}};
    if (amount < 0) {
        update["ConditionExpression"] = "n >= :least";
        update["ExpressionAttributeValues"][":least"] = number(-amount);
    }
    return {{"Update", update}};
}

Json read_accounts()
{
    Json reads = Json::array();
    for (int i = 0; i < SharedState::kAccounts; ++i) {
        reads.push_back({{"Get", {{"TableName", kShared}, {"Key", shared_key(account(i))}}}});
    }
    return {{"TransactItems", reads}};
}

void expect_sum(const Json &answer)
{
    std::int64_t sum = 0;
    for (const auto &response : answer.at("Responses")) {
        sum += number_of(response.at("Item"), "n");
    }
    EXPECT_EQ(SharedState::kAccounts * SharedState::kBalance, sum) << answer;
}

/// The name after the '#' of __type.
std::string error_name(const Json &answer)
{
    const auto type = answer.value("__type", "");
    return type.substr(type.find('#') + 1);
}

} // namespace

LoadModel::LoadModel(SharedState &shared, std::size_t number, std::uint64_t seed, bool tables)
    : shared_(shared),
      number_(number),
      tables_(tables),
      partition_("own" + std::to_string(number)),
      random_(seed * 1000 + number)
{}

std::vector<LoadRequest> LoadModel::preparations()
{
    std::vector<LoadRequest> requests = {{"CreateTable", create_own_table()}, {"CreateTable", create_table(kShared)}};
    for (int i = 0; i < SharedState::kAccounts; ++i) {
        Json item = shared_key(account(i));
        item["n"] = number(SharedState::kBalance);
        requests.push_back({"PutItem", {{"TableName", kShared}, {"Item", item}}});
    }
    return requests;
}

int LoadModel::below(int bound)
{
    return static_cast<int>(random_() % static_cast<std::uint64_t>(bound));
}

Json LoadModel::own_key(int sort) const
{
    return {{"pk", text(partition_)}, {"sk", number(sort)}};
}

Json LoadModel::own_item(int sort, std::int64_t n) const
{
    Json item = own_key(sort);
    item["n"] = number(n);
    item["ballast"] = text(std::string(kBallastBytes, static_cast<char>('a' + n % 26)));
    return item;
}

/// As a response shows it: null if there is none.
Json LoadModel::whole_item(const Items &items, int sort) const
{
    const auto found = items.find(sort);
    return found == items.end() ? Json() : own_item(sort, found->second);
}

LoadModel::Items LoadModel::shown_items(const Json &items) const
{
    Items shown;
    for (const auto &item : items) {
        if (item.at("pk").at("S") == partition_) {
            const auto sort = static_cast<int>(number_of(item, "sk"));
            EXPECT_TRUE(shown.emplace(sort, number_of(item, "n")).second) << "twice: " << item;
            EXPECT_EQ(own_item(sort, number_of(item, "n")), item);
        }
    }
    return shown;
}

LoadRequest LoadModel::next()
{
    expect_ = [](const Json &) {};
    refusals_.clear();
    after_.reset();
    if (tables_ && below(2) == 0) {
        return change_table();
    }
    using Choice = LoadRequest (LoadModel::*)();
    static constexpr Choice kChoices[] = {
        &LoadModel::own_write,       &LoadModel::own_write, &LoadModel::own_update,    &LoadModel::own_batch,
        &LoadModel::own_transaction, &LoadModel::own_read,  &LoadModel::own_query,     &LoadModel::scan,
        &LoadModel::increment,       &LoadModel::increment, &LoadModel::transfer,      &LoadModel::transfer,
        &LoadModel::audit,           &LoadModel::audit,     &LoadModel::lock_or_unlock};
    return (this->*kChoices[static_cast<std::size_t>(below(static_cast<int>(std::size(kChoices))))])();
}

LoadRequest LoadModel::own_write()
{
    const int sort = below(kSortKeys);
    after_ = items_;
    expect_ = [this, old = whole_item(items_, sort)](const Json &answer) {
        EXPECT_EQ(old, answer.value("Attributes", Json())) << partition_;
    };
    if (below(3) == 0) {
        after_->erase(sort);
        return {"DeleteItem", {{"TableName", kOwn}, {"Key", own_key(sort)}, {"ReturnValues", "ALL_OLD"}}};
    }
    const std::int64_t n = below(1000);
    (*after_)[sort] = n;
    return {"PutItem", {{"TableName", kOwn}, {"Item", own_item(sort, n)}, {"ReturnValues", "ALL_OLD"}}};
}

LoadRequest LoadModel::own_update()
{
    const int sort = below(kSortKeys);
    const std::int64_t n = below(1000);
    Json request = {{"TableName", kOwn},
                    {"Key", own_key(sort)},
                    {"UpdateExpression", "SET n = :n, ballast = :b"},
                    {"ConditionExpression", "attribute_exists(pk)"},
                    {"ExpressionAttributeValues", {{":n", number(n)}, {":b", own_item(sort, n).at("ballast")}}},
                    {"ReturnValues", "ALL_NEW"}};
    if (!items_.contains(sort)) {
        refusals_ = {"ConditionalCheckFailedException"};
        expect_ = [this](const Json &) { ADD_FAILURE() << partition_ << ": an absent item was updated"; };
        return {"UpdateItem", request};
    }
    after_ = items_;
    (*after_)[sort] = n;
    expect_ = [this, updated = own_item(sort, n)](const Json &answer) {
        EXPECT_EQ(updated, answer.value("Attributes", Json())) << partition_;
    };
    return {"UpdateItem", request};
}

LoadRequest LoadModel::own_batch()
{
    Json writes = Json::array();
    after_ = items_;
    for (int sort = below(2); sort < kSortKeys; sort += 2) {
        if (below(3) == 0) {
            after_->erase(sort);
            writes.push_back({{"DeleteRequest", {{"Key", own_key(sort)}}}});
        } else {
            const std::int64_t n = below(1000);
            (*after_)[sort] = n;
            writes.push_back({{"PutRequest", {{"Item", own_item(sort, n)}}}});
        }
    }
    expect_ = [](const Json &answer) {
        EXPECT_TRUE(answer.value("UnprocessedItems", Json::object()).empty()) << answer;
    };
    return {"BatchWriteItem", {{"RequestItems", {{kOwn, writes}}}}};
}

/// A put, a delete and a check that may fail, all of items of this connection.
LoadRequest LoadModel::own_transaction()
{
    const int put = below(kSortKeys);
    const int deleted = (put + 1) % kSortKeys;
    const int checked = (put + 2) % kSortKeys;
    const std::int64_t n = below(1000);
    const Json items = {
        {{"Put", {{"TableName", kOwn}, {"Item", own_item(put, n)}}}},
        {{"Delete", {{"TableName", kOwn}, {"Key", own_key(deleted)}}}},
        {{"ConditionCheck",
          {{"TableName", kOwn}, {"Key", own_key(checked)}, {"ConditionExpression", "attribute_exists(pk)"}}}}};
    if (items_.contains(checked)) {
        after_ = items_;
        (*after_)[put] = n;
        after_->erase(deleted);
    } else {
        refusals_ = {"TransactionCanceledException"};
        expect_ = [this](const Json &) { ADD_FAILURE() << partition_ << ": a failed check cancelled nothing"; };
    }
    return {
        "TransactWriteItems",
        {{"TransactItems", items}, {"ClientRequestToken", partition_ + "-" + std::to_string(random_() % 100000000)}}};
}

LoadRequest LoadModel::own_read()
{
    const int sort = below(kSortKeys);
    const Json item = whole_item(items_, sort);
    if (below(2) == 0) {
        expect_ = [this, item](const Json &answer) { EXPECT_EQ(item, answer.value("Item", Json())) << partition_; };
        return {"GetItem", {{"TableName", kOwn}, {"Key", own_key(sort)}, {"ConsistentRead", true}}};
    }
    const Json expected = item.is_null() ? Json::array() : Json::array({item});
    expect_ = [this, expected](const Json &answer) {
        EXPECT_EQ(expected, answer.at("Responses").value(kOwn, Json::array())) << partition_;
    };
    const Json keys = Json::array({own_key(sort)});
    const Json shared = Json::array({shared_key("counter"), shared_key(account(0))});
    return {"BatchGetItem",
            {{"RequestItems", {{kOwn, {{"Keys", keys}, {"ConsistentRead", true}}}, {kShared, {{"Keys", shared}}}}}}};
}

LoadRequest LoadModel::own_query()
{
    expect_ = [this, items = items_](const Json &answer) {
        EXPECT_EQ(items, shown_items(answer.at("Items"))) << partition_;
    };
    Json request = {{"TableName", kOwn},
                    {"KeyConditionExpression", "pk = :p"},
                    {"ExpressionAttributeValues", {{":p", text(partition_)}}},
                    {"ConsistentRead", true},
                    {"ScanIndexForward", below(2) == 0}};
    if (below(2) == 0) {
        request["IndexName"] = kIndex;
    }
    return {"Query", request};
}

/// The whole table is one page; what it shows of the other connections may be changing, but not what is this one's.
LoadRequest LoadModel::scan()
{
    if (below(2) == 0) {
        return {"Scan", {{"TableName", kOwn}, {"Limit", 1 + below(50)}, {"IndexName", kIndex}}};
    }
    expect_ = [this, items = items_](const Json &answer) {
        EXPECT_EQ(items, shown_items(answer.at("Items"))) << partition_;
    };
    return {"Scan", {{"TableName", kOwn}, {"ConsistentRead", true}}};
}

LoadRequest LoadModel::increment()
{
    ++shared_.open_increments;
    expect_ = [this](const Json &answer) {
        --shared_.open_increments;
        ++shared_.counted;
        EXPECT_TRUE(shared_.shown.insert(number_of(answer.at("Attributes"), "n")).second) << "shown twice: " << answer;
    };
    return {"UpdateItem",
            {{"TableName", kShared},
             {"Key", shared_key("counter")},
             {"UpdateExpression", "ADD n :one"},
             {"ExpressionAttributeValues", {{":one", number(1)}}},
             {"ReturnValues", "UPDATED_NEW"}}};
}

LoadRequest LoadModel::transfer()
{
    const int from = below(SharedState::kAccounts);
    const int to = (from + 1 + below(SharedState::kAccounts - 1)) % SharedState::kAccounts;
    const std::int64_t amount = 1 + below(SharedState::kBalance);
    refusals_ = {"TransactionCanceledException"};
    expect_ = [this](const Json &) { ++shared_.transfers; };
    return {"TransactWriteItems", {{"TransactItems", {add_to_account(from, -amount), add_to_account(to, amount)}}}};
}

LoadRequest LoadModel::audit()
{
    expect_ = expect_sum;
    return {"TransactGetItems", read_accounts()};
}

LoadRequest LoadModel::lock_or_unlock()
{
    const Json owner = text(partition_);
    if (shared_.holder == number_) {
        shared_.holder.reset();
        return {"DeleteItem",
                {{"TableName", kShared},
                 {"Key", shared_key("lock")},
                 {"ConditionExpression", "holder = :me"},
                 {"ExpressionAttributeValues", {{":me", owner}}}}};
    }
    refusals_ = {"ConditionalCheckFailedException"};
    expect_ = [this](const Json &) {
        EXPECT_FALSE(shared_.holder.has_value()) << partition_ << " got the lock of another connection";
        shared_.holder = number_;
    };
    return {"PutItem",
            {{"TableName", kShared},
             {"Item", {{"pk", text("lock")}, {"holder", owner}}},
             {"ConditionExpression", "attribute_not_exists(pk)"}}};
}

LoadRequest LoadModel::change_table()
{
    const std::string name = "Passing" + std::to_string(number_);
    const Json item = {{"pk", text("x")}, {"ballast", text(std::string(kBallastBytes, 'x'))}};
    switch (table_step_++ % 6) {
    case 0:
        return {"CreateTable", create_table(name)};
    case 1:
        return {"PutItem", {{"TableName", name}, {"Item", item}}};
    case 2:
        expect_ = [item](const Json &answer) { EXPECT_EQ(Json::array({item}), answer.at("Items")); };
        return {"Scan", {{"TableName", name}, {"ConsistentRead", true}}};
    case 3:
        expect_ = [name](const Json &answer) {
            EXPECT_TRUE(std::ranges::count(answer.at("TableNames"), Json(name)) == 1) << answer;
        };
        return {"ListTables", Json::object()};
    case 4:
        return {"DeleteTable", {{"TableName", name}}};
    default:
        refusals_ = {"ResourceNotFoundException"};
        expect_ = [name](const Json &) { ADD_FAILURE() << name << " was deleted and is there"; };
        return {"DescribeTable", {{"TableName", name}}};
    }
}

void LoadModel::answered(int status, std::string_view body)
{
    const auto answer = Json::parse(body);
    if (status == 500 && shared_.stopping) {
        return; // after_ stays: it was made or was not
    }
    if (status == 400 && refusals_.contains(error_name(answer))) {
        after_.reset();
        return;
    }
    ASSERT_EQ(200, status) << body;
    expect_(answer);
    if (after_) {
        items_ = *std::exchange(after_, std::nullopt);
    }
}

void LoadModel::check(const std::function<Json(const LoadRequest &)> &call) const
{
    for (const bool index : {false, true}) {
        Json request = {{"TableName", kOwn},
                        {"KeyConditionExpression", "pk = :p"},
                        {"ExpressionAttributeValues", {{":p", text(partition_)}}}};
        if (index) {
            request["IndexName"] = kIndex;
        }
        const auto shown = shown_items(call({"Query", request}).at("Items"));
        EXPECT_TRUE(shown == items_ || shown == after_)
            << partition_ << (index ? " in the index: " : ": ") << Json(shown) << " is neither " << Json(items_)
            << " nor " << (after_ ? Json(*after_) : Json());
    }
}

void check_shared(const SharedState &shared, const std::function<Json(const LoadRequest &)> &call)
{
    expect_sum(call({"TransactGetItems", read_accounts()}));
    const auto item = call({"GetItem", {{"TableName", kShared}, {"Key", shared_key("counter")}}}).value("Item", Json());
    const auto counter = item.is_null() ? 0 : number_of(item, "n");
    EXPECT_GE(counter, shared.counted);
    EXPECT_LE(counter, shared.counted + shared.open_increments);
    EXPECT_TRUE(shared.shown.empty() || *shared.shown.rbegin() <= counter);
}

} // namespace basalt::linearizability

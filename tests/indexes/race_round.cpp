#include "indexes/race_round.h"

#include "indexes/complete_reading.h"
#include "indexes/connection.h"

#include <chrono>
#include <set>
#include <thread>
#include <vector>

namespace basalt::indexes {
namespace {

constexpr std::size_t kKeys = 40;
constexpr std::size_t kMostIndexes = 6;
constexpr std::size_t kSteps = 8; // changes of indexes and of the table in a round
constexpr std::chrono::seconds kPatience{120};
const std::string kOwnIndex = "by-owner";

/// Of index keys, in all rounds.
const std::map<std::string, std::string> &key_types()
{
    static const std::map<std::string, std::string> types{{"k1", "S"}, {"k2", "S"}, {"k3", "N"}, {"k4", "B"},
                                                          {"k5", "N"}, {"k6", "S"}, {"k7", "B"}, {"k8", "S"}};
    return types;
}

/// What the writers think the table is.
const TableShape &writers_table()
{
    static const TableShape table = [] {
        TableShape shape{"table", {{"p", "S"}}, {}};
        for (const auto &[name, type] : key_types()) {
            shape.indexes.push_back({name, {{name, type}}, {}, "KEYS_ONLY", {}});
        }
        return shape;
    }();
    return table;
}

Json random_key(Random &random)
{
    return {{"p", {{"S", "item-" + std::to_string(random.below(kKeys))}}}};
}

} // namespace

RaceRound::RaceRound(std::uint64_t seed, RaceCounts &counts)
    : random_(seed),
      settings_(settings_of(seed, random_)),
      counts_(counts),
      database_(settings_.backend, settings_.options)
{}

RaceRound::Settings RaceRound::settings_of(std::uint64_t seed, Random &random)
{
    static constexpr BackendKind kBackends[] = {BackendKind::memory, BackendKind::async_files, BackendKind::memory,
                                                BackendKind::synced_files, BackendKind::toy};
    Settings settings;
    settings.backend = kBackends[seed % std::size(kBackends)];
    settings.options.index_wait_ms = 60'000;
    settings.options.transaction_lock_ms = 60'000;
    settings.options.index_lag_ms = random.percent(20) ? 1 + static_cast<std::int64_t>(random.below(20)) : 0;
    if (random.percent(30)) {
        settings.options.change_log_max_bytes = 1000 + random.below(3000);
    }
    settings.writers = 4 + random.below(5);
    return settings;
}

std::string RaceRound::run()
{
    ++counts_.rounds;
    create_table();
    std::vector<std::thread> writers;
    for (std::size_t i = 0; i < settings_.writers && !failed(); ++i) {
        writers.emplace_back([this, i, seed = random_.below(SIZE_MAX)] { write(i, seed); });
    }
    for (std::size_t i = 0; i < kSteps && !failed(); ++i) {
        std::this_thread::sleep_for(std::chrono::microseconds(random_.below(10'000)));
        change_tables();
    }
    stop_ = true;
    for (auto &writer : writers) {
        writer.join();
    }
    if (!failed()) {
        await_active();
        compare();
    }
    return problem_;
}

void RaceRound::fail(const std::string &problem)
{
    const std::lock_guard lock(mutex_);
    if (problem_.empty()) {
        problem_ = to_text(settings_.backend) + ", " + std::to_string(settings_.writers) + " writers, lag of " +
                   std::to_string(settings_.options.index_lag_ms) + " ms, at most " +
                   std::to_string(settings_.options.change_log_max_bytes) + " bytes behind\n" + problem;
    }
    failed_ = true;
}

void RaceRound::write(std::size_t writer, std::uint64_t seed)
{
    Random random(seed);
    for (std::uint64_t version = 0; !stop_ && !failed(); ++version) {
        if (random.percent(15)) {
            write_own(writer, version);
        } else {
            write_once(random);
        }
    }
}

void RaceRound::write_once(Random &random)
{
    const auto &table = writers_table();
    const Habits habits{15, 2};
    const auto dice = random.below(100);
    if (dice < 75) {
        const auto write = random_write(random, table, random_key(random), habits);
        judge_write(operation_of(write), request_of(table, write));
        return;
    }
    std::set<std::string> keys;
    Json list;
    for (std::size_t i = 0; i < 4; ++i) {
        const auto key = random_key(random);
        if (keys.insert(key.dump()).second) {
            list.push_back(dice < 85 ? batched(random_batch_write(random, table, key, {0, 1}))
                                     : transacted(table, random_write(random, table, key, {2, 1})));
        }
    }
    if (dice < 85) {
        judge_write("BatchWriteItem", {{"RequestItems", {{table.name, list}}}});
    } else {
        judge_write("TransactWriteItems", {{"TransactItems", list}});
    }
}

void RaceRound::judge_write(const std::string &operation, const Json &request)
{
    const auto answer = ask(*database_, operation, request);
    ++counts_.writes;
    if (answer.ok()) {
        return;
    }
    ++counts_.refused;
    const bool bounded = settings_.options.change_log_max_bytes < Options{}.change_log_max_bytes;
    if (bounded && (answer.says("ThrottlingException") || answer.says("ThrottlingError"))) {
        ++counts_.throttled;
        return;
    }
    const bool key_refused = answer.says("Index Key") || answer.says("secondary index key") ||
                             answer.says("Size of hashkey") || answer.says("Aggregated size");
    const bool expected =
        answer.error == "ResourceNotFoundException" || answer.error == "ConditionalCheckFailedException" ||
        (answer.error == "ValidationException" && key_refused) ||
        (answer.error == "TransactionCanceledException" && (answer.says("ConditionalCheckFailed") || key_refused));
    if (!expected) {
        fail(operation + " " + request.dump() + " was answered by " + answer.body.dump());
    }
}

void RaceRound::write_own(std::size_t writer, std::uint64_t version)
{
    const auto number = table_number_.load();
    const auto owner = "writer-" + std::to_string(writer);
    const Json item{{"p", {{"S", owner}}}, {"owner", {{"S", owner}}}, {"version", {{"N", std::to_string(version)}}}};
    const auto put = ask(*database_, "PutItem", {{"TableName", "table"}, {"Item", item}});
    if (!put.ok()) {
        if (put.error != "ResourceNotFoundException" && put.error != "ThrottlingException") {
            fail("a put was answered by " + put.body.dump());
        }
        return;
    }
    const auto read = ask(*database_, "Query",
                          {{"TableName", "table"},
                           {"IndexName", kOwnIndex},
                           {"KeyConditionExpression", "#o = :o"},
                           {"ExpressionAttributeNames", {{"#o", "owner"}}},
                           {"ExpressionAttributeValues", {{":o", {{"S", owner}}}}}});
    if (number % 2 == 1 || table_number_.load() != number) {
        return; // perhaps another table, or none
    }
    ++counts_.own_reads;
    if (!read.ok() || read.body.at("Items") != Json::array({item})) {
        fail("after the put of " + item.dump() + " the index says " + read.body.dump());
    }
}

IndexShape RaceRound::some_index(const std::string &name)
{
    return random_index(random_, shape_, name, key_types());
}

void RaceRound::change_tables()
{
    ++counts_.changes;
    if (random_.percent(15)) {
        recreate_table();
    } else {
        change_index();
    }
}

void RaceRound::change_index()
{
    const bool none = shape_.indexes.size() == 1;
    const bool full = shape_.indexes.size() > kMostIndexes;
    if (none || (!full && random_.percent(60))) {
        auto index = some_index("index-" + std::to_string(changes_++));
        const auto request = create_index_request(shape_, index);
        const auto answer = ask(*database_, "UpdateTable", request);
        if (answer.ok()) {
            shape_.indexes.push_back(std::move(index));
        } else if (answer.error == "LimitExceededException") {
            ++counts_.busy; // the one before is not finished
        } else {
            fail("UpdateTable " + request.dump() + " was answered by " + answer.body.dump());
        }
        return;
    }
    const auto place = 1 + random_.below(shape_.indexes.size() - 1);
    const auto answer = ask(*database_, "UpdateTable", delete_index_request(shape_, shape_.indexes[place].name));
    if (answer.ok()) {
        shape_.indexes.erase(shape_.indexes.begin() + static_cast<std::ptrdiff_t>(place));
    } else if (answer.error == "LimitExceededException") {
        ++counts_.busy;
    } else {
        fail("the deletion of " + shape_.indexes[place].name + " was answered by " + answer.body.dump());
    }
}

void RaceRound::recreate_table()
{
    ++table_number_;
    const auto answer = ask(*database_, "DeleteTable", {{"TableName", "table"}});
    if (answer.error == "ResourceInUseException") { // an index is still being filled
        ++counts_.busy;
        --table_number_;
        return;
    }
    if (!answer.ok()) {
        fail("DeleteTable was answered by " + answer.body.dump());
        return;
    }
    ++counts_.tables;
    create_table();
}

void RaceRound::create_table()
{
    shape_ = {"table", {{"p", "S"}}, {}};
    shape_.indexes.push_back({kOwnIndex, {{"owner", "S"}}, {{"version", "N"}}, "ALL", {}});
    const auto count = random_.below(4);
    for (std::size_t i = 0; i < count; ++i) {
        shape_.indexes.push_back(some_index("index-" + std::to_string(changes_++)));
    }
    const auto request = create_table_request(shape_);
    const auto answer = ask(*database_, "CreateTable", request);
    if (!answer.ok()) {
        fail("CreateTable " + request.dump() + " was answered by " + answer.body.dump());
        return;
    }
    ++table_number_;
}

void RaceRound::await_active()
{
    const auto until = std::chrono::steady_clock::now() + kPatience;
    for (;;) {
        const auto answer = ask(*database_, "DescribeTable", {{"TableName", "table"}});
        if (answer.ok() && !answer.says("CREATING")) {
            return;
        }
        if (!answer.ok() || std::chrono::steady_clock::now() > until) {
            fail("an index does not become active: " + answer.body.dump());
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

/// The table is read, and every index has to be what it makes it.
void RaceRound::compare()
{
    const auto scan = ask(*database_, "Scan", {{"TableName", "table"}, {"ConsistentRead", true}});
    if (!scan.ok() || scan.body.contains("LastEvaluatedKey")) {
        fail("the Scan of the table was answered by " + scan.body.dump());
        return;
    }
    Items items;
    for (const auto &item : scan.body.at("Items")) {
        items[shape_.key_of(item).dump()] = item;
    }
    for (const auto &index : shape_.indexes) {
        const auto problem = compare_index(*database_, random_, shape_, index, items);
        if (!problem.empty()) {
            fail(problem);
        }
    }
}

} // namespace basalt::indexes

#include "indexes/table_run.h"

#include "indexes/complete_reading.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace basalt::indexes {
namespace {

constexpr std::size_t kLargeItems = 1300;
constexpr std::size_t kBatch = 25;
constexpr std::size_t kFewIndexes = 5;
constexpr std::size_t kMostIndexes = 20;
constexpr std::chrono::seconds kPatience{120};

} // namespace

TableRun::TableRun(OpenedDatabase &database, Random &random, std::string name, bool large, bool many_indexes)
    : database_(database),
      random_(random),
      large_(large),
      most_indexes_(many_indexes ? kMostIndexes : kFewIndexes)
{
    shape_.name = std::move(name);
}

void TableRun::expect(bool fine, const Answer &answer, const std::string &what) const
{
    if (!fine) {
        throw Fault(shape_.name + ": " + what + " was answered by " + std::to_string(answer.status) + " " +
                    answer.body.dump());
    }
}

void TableRun::expect_sound(const std::string &problem) const
{
    if (!problem.empty()) {
        throw Fault(problem);
    }
}

void TableRun::create()
{
    if (created_) {
        await_active();
        const auto deleted = ask(*database_, "DeleteTable", {{"TableName", shape_.name}});
        expect(deleted.ok(), deleted, "DeleteTable");
        database_.advance_ms(database_.transition_ms() + 1);
    }
    shape_.indexes.clear();
    items_.clear();
    shape_.keys = {{"p", random_.percent(70) ? "S" : "N"}};
    if (random_.percent(70)) {
        shape_.keys.push_back({"r", random_.percent(70) ? "N" : "S"});
    }
    const auto count = random_.below(most_indexes_);
    for (std::size_t i = 0; i < count; ++i) {
        shape_.indexes.push_back(random_index(random_, shape_, unused_name()));
    }
    const auto request = create_table_request(shape_);
    const auto created = ask(*database_, "CreateTable", request);
    expect(created.ok(), created, "CreateTable " + request.dump());
    database_.advance_ms(database_.transition_ms() + 1);
    created_ = true;
    if (large_) {
        fill();
    }
}

void TableRun::fill()
{
    while (items_.size() < kLargeItems) {
        Items puts;
        std::vector<Write> writes;
        while (writes.size() < kBatch) {
            auto write = random_batch_write(random_, shape_, random_key(), {0, 0});
            if (write.kind == Write::Kind::put && puts.emplace(write.key.dump(), Json{}).second &&
                is_legal(shape_, write)) {
                writes.push_back(std::move(write));
            }
        }
        Json request;
        for (const auto &write : writes) {
            request["RequestItems"][shape_.name].push_back(batched(write));
            apply(write, items_);
        }
        const auto answer = ask(*database_, "BatchWriteItem", request);
        expect(answer.ok() && answer.body.at("UnprocessedItems").empty(), answer, "BatchWriteItem");
    }
}

Json TableRun::random_key()
{
    const std::size_t side = large_ ? 60 : 6;
    const bool has_range = shape_.keys.size() == 2;
    const auto value = [&](const KeyAttribute &attribute, std::size_t count) {
        const auto number = std::to_string(random_.below(count));
        return attribute.type == "N" ? Json{{"N", number}} : Json{{"S", "v" + number}};
    };
    Json key{{"p", value(shape_.keys[0], has_range ? side : side * side)}};
    if (has_range) {
        key["r"] = value(shape_.keys[1], side);
    }
    return key;
}

void TableRun::write_one()
{
    const auto write = random_write(random_, shape_, random_key());
    const auto request = request_of(shape_, write);
    const auto answer = ask(*database_, operation_of(write), request);
    const auto what = operation_of(write) + " " + request.dump();
    if (!is_legal(shape_, write)) {
        expect(answer.error == "ValidationException", answer, what);
    } else if (!is_met(write.condition, items_, write.key)) {
        expect(answer.error == "ConditionalCheckFailedException", answer, what);
    } else if (!fits(shape_, write, items_)) {
        expect(answer.error == "ValidationException", answer, what);
    } else {
        expect(answer.ok(), answer, what);
        apply(write, items_);
    }
}

std::string TableRun::unused_name()
{
    for (;;) { // names come again soon
        auto name = "index-" + std::to_string(random_.below(most_indexes_ + 2));
        if (std::none_of(shape_.indexes.begin(), shape_.indexes.end(),
                         [&](const IndexShape &index) { return index.name == name; })) {
            return name;
        }
    }
}

bool TableRun::change_may_be_refused(const Answer &answer) const
{
    return (!building_.empty() || changing_) &&
           (answer.error == "LimitExceededException" || answer.error == "ResourceInUseException");
}

void TableRun::create_index()
{
    auto index = random_index(random_, shape_, unused_name());
    const auto request = create_index_request(shape_, index);
    const auto answer = ask(*database_, "UpdateTable", request);
    if (change_may_be_refused(answer)) {
        return;
    }
    expect(answer.ok(), answer, "UpdateTable " + request.dump());
    building_ = {index.name}; // had there been another, it would have been refused
    changing_ = database_.has_manual_clock();
    shape_.indexes.push_back(std::move(index));
}

void TableRun::delete_index()
{
    const auto place = random_.below(shape_.indexes.size());
    const auto name = shape_.indexes[place].name;
    const auto answer = ask(*database_, "UpdateTable", delete_index_request(shape_, name));
    if (change_may_be_refused(answer)) {
        return;
    }
    expect(answer.ok(), answer, "UpdateTable, deleting " + name);
    shape_.indexes.erase(shape_.indexes.begin() + static_cast<std::ptrdiff_t>(place));
    building_.erase(name);
    changing_ = database_.has_manual_clock();
    const auto read = ask(*database_, "Scan", {{"TableName", shape_.name}, {"IndexName", name}});
    expect(read.error == "ValidationException", read, "Scan of the deleted " + name);
}

void TableRun::create_or_delete_index()
{
    const bool none = shape_.indexes.empty();
    const bool full = shape_.indexes.size() >= most_indexes_;
    if (none || (!full && random_.percent(55))) {
        create_index();
    } else {
        delete_index();
    }
    if (random_.percent(50)) {
        database_.advance_ms(database_.transition_ms() + 1);
        changing_ = false;
    }
}

void TableRun::describe()
{
    const auto answer = ask(*database_, "DescribeTable", {{"TableName", shape_.name}});
    expect(answer.ok(), answer, "DescribeTable");
    const auto &table = answer.body.at("Table");
    std::map<std::string, std::string> types;
    for (const auto &definition : table.at("AttributeDefinitions")) {
        types.emplace(definition.at("AttributeName"), definition.at("AttributeType"));
    }
    const auto expected_types = shape_.types();
    if (changing_) { // a deleted index that is still shown has its attributes there
        std::erase_if(types, [&](const auto &type) { return !expected_types.contains(type.first); });
    }
    expect(types == expected_types, answer, "DescribeTable, to tell the attributes,");
    std::set<std::string> shown;
    for (const auto &index : table.value("GlobalSecondaryIndexes", Json::array())) {
        const auto name = index.at("IndexName").get<std::string>();
        const auto status = index.at("IndexStatus").get<std::string>();
        if (status == "DELETING") {
            expect(changing_, answer, "DescribeTable, with no index being deleted,");
            continue;
        }
        shown.insert(name);
        expect(status == "ACTIVE" || (status == "CREATING" && building_.contains(name)), answer,
               "DescribeTable with an active " + name);
        if (status == "ACTIVE") {
            building_.erase(name);
        }
    }
    std::set<std::string> expected;
    for (const auto &index : shape_.indexes) {
        expected.insert(index.name);
    }
    expect(shown == expected, answer, "DescribeTable, to tell the indexes,");
}

void TableRun::read_building()
{
    for (const auto &index : shape_.indexes) {
        if (!building_.contains(index.name)) {
            continue;
        }
        const auto answer = ask(*database_, "Scan", {{"TableName", shape_.name}, {"IndexName", index.name}});
        if (answer.says("Cannot read from backfilling global secondary index")) {
            return;
        }
        expect(answer.ok(), answer, "Scan of the new " + index.name);
        building_.erase(index.name);
        expect_sound(compare_index(*database_, random_, shape_, index, items_));
        return;
    }
}

void TableRun::compare_some_partition()
{
    if (shape_.indexes.empty()) {
        return;
    }
    const auto &index = random_.one_of(shape_.indexes);
    if (!building_.contains(index.name)) {
        expect_sound(compare_partition(*database_, random_, shape_, index, items_));
    }
}

void TableRun::await_active()
{
    const auto until = std::chrono::steady_clock::now() + kPatience;
    database_.advance_ms(database_.transition_ms() + 1);
    changing_ = false;
    describe();
    while (!building_.empty()) {
        if (std::chrono::steady_clock::now() > until) {
            throw Fault(shape_.name + ": index " + *building_.begin() + " does not become active");
        }
        std::this_thread::sleep_for(std::chrono::microseconds(500));
        describe();
    }
}

void TableRun::compare_everything()
{
    await_active();
    expect_sound(compare_table(*database_, random_, shape_, items_));
    compare_indexes(items_);
}

void TableRun::compare_indexes(const Items &items)
{
    for (const auto &index : shape_.indexes) {
        if (!building_.contains(index.name)) {
            expect_sound(compare_index(*database_, random_, shape_, index, items));
        }
    }
}

} // namespace basalt::indexes

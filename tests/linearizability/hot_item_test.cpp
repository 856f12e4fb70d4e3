// 256 connections change one item through a server with one I/O thread, a cold cache and slow syncs. Whole items are
// rewritten with ReturnValues=ALL_OLD: each answer names the value it replaced, so the answers must link all written
// values into one chain. A counter is incremented: it must end at the sum, and each answer shows another number.
#include "basalt/database.h"
#include "base/log.h"
#include "database_parts.h"
#include "linearizability/load_client.h"
#include "linearizability/slow_syncs.h"
#include "server/server.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <unistd.h>

namespace basalt::linearizability {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kConnections = 256;
constexpr int kWritesEach = 12;
constexpr std::chrono::milliseconds kSyncTakes{5};
// Enough for the store to write its memtables to table files at close, so that the next start finds an empty cache.
constexpr int kFillers = 60;
constexpr std::size_t kFillerBytes = 300'000;

class Directory {
public:
    Directory()
        : path_(std::filesystem::temp_directory_path() / ("basalt-hot-item-" + std::to_string(::getpid())))
    {}
    ~Directory() { std::filesystem::remove_all(path_); }
    Directory(const Directory &) = delete;
    Directory &operator=(const Directory &) = delete;
    [[nodiscard]] const std::filesystem::path &path() const { return path_; }

private:
    std::filesystem::path path_;
};

std::unique_ptr<Database> open(const std::filesystem::path &path, std::shared_ptr<::rocksdb::FileSystem> files)
{
    storage::RocksdbOptions options;
    options.data_dir = path;
    options.file_system = std::move(files);
    auto store = storage::open_rocksdb(options);
    EXPECT_TRUE(store) << store.error().message;
    auto database =
        open_over(Options{}, {std::move(*store), std::make_unique<SystemClock>(), std::make_unique<SystemRandom>()});
    EXPECT_TRUE(database) << database.error().message;
    return std::move(*database);
}

Json call(Database &database, const std::string &operation, const Json &body)
{
    const auto text = body.dump();
    const auto response = database.call(Request{"DynamoDB_20120810." + operation, text, 0});
    EXPECT_EQ(200, response.status) << response.body;
    return Json::parse(response.body);
}

void prepare(const std::filesystem::path &path)
{
    const auto database = open(path, nullptr);
    call(*database, "CreateTable",
         {{"TableName", "Hot"},
          {"BillingMode", "PAY_PER_REQUEST"},
          {"AttributeDefinitions", {{{"AttributeName", "pk"}, {"AttributeType", "S"}}}},
          {"KeySchema", {{{"AttributeName", "pk"}, {"KeyType", "HASH"}}}}});
    call(*database, "PutItem", {{"TableName", "Hot"}, {"Item", {{"pk", {{"S", "hot"}}}, {"v", {{"S", "first"}}}}}});
    for (int i = 0; i < kFillers; ++i) {
        call(*database, "PutItem",
             {{"TableName", "Hot"},
              {"Item",
               {{"pk", {{"S", "filler" + std::to_string(i)}}}, {"v", {{"S", std::string(kFillerBytes, 'x')}}}}}});
    }
}

std::string put(const std::string &value)
{
    const Json body{
        {"TableName", "Hot"}, {"Item", {{"pk", {{"S", "hot"}}}, {"v", {{"S", value}}}}}, {"ReturnValues", "ALL_OLD"}};
    return post("DynamoDB_20120810.PutItem", body.dump());
}

/// Writes kWritesEach values per connection; gives the value that each written one replaced.
std::map<std::string, std::string> rewrite(std::uint16_t port)
{
    std::map<std::string, std::string> replaced;
    std::vector<int> written(kConnections, 0);
    const auto name = [&](std::size_t connection) {
        return std::to_string(connection) + "-" + std::to_string(written[connection]);
    };
    LoadClient client(port, kConnections);
    client.run(
        [&](std::size_t connection) -> std::string {
            if (written[connection] == kWritesEach) {
                return {};
            }
            ++written[connection];
            return put(name(connection));
        },
        [&](std::size_t connection, int status, std::string_view body) {
            ASSERT_EQ(200, status) << body;
            replaced[name(connection)] = Json::parse(body).at("Attributes").at("v").at("S").get<std::string>();
        });
    return replaced;
}

std::string increment()
{
    const Json body{{"TableName", "Hot"},
                    {"Key", {{"pk", {{"S", "hot"}}}}},
                    {"UpdateExpression", "ADD n :one"},
                    {"ExpressionAttributeValues", {{":one", {{"N", "1"}}}}},
                    {"ReturnValues", "UPDATED_NEW"}};
    return post("DynamoDB_20120810.UpdateItem", body.dump());
}

/// Increments the counter kWritesEach times per connection; gives the numbers that the answers showed.
std::set<int> count(std::uint16_t port)
{
    std::set<int> shown;
    std::vector<int> sent(kConnections, 0);
    LoadClient client(port, kConnections);
    client.run([&](std::size_t connection) { return sent[connection]++ == kWritesEach ? std::string() : increment(); },
               [&](std::size_t, int status, std::string_view body) {
                   ASSERT_EQ(200, status) << body;
                   const auto number = std::stoi(Json::parse(body).at("Attributes").at("n").at("N").get<std::string>());
                   EXPECT_TRUE(shown.insert(number).second) << number << " was reached twice";
               });
    return shown;
}

/// A server with one I/O thread on the prepared database.
class HotItem : public testing::Test {
protected:
    void SetUp() override
    {
        prepare(directory_.path());
        database_ = open(directory_.path(), files_);
        server::ServerOptions options;
        options.port = 0;
        options.io_threads = 1;
        auto bound = server::Server::bind(options);
        ASSERT_TRUE(bound) << bound.error().message;
        server_ = std::move(*bound);
        server_->start(*database_);
    }
    void TearDown() override { server_->stop(); }
    Json item()
    {
        return call(*database_, "GetItem", {{"TableName", "Hot"}, {"Key", {{"pk", {{"S", "hot"}}}}}}).at("Item");
    }

    const Directory directory_;
    const std::shared_ptr<SlowSyncs> files_ = std::make_shared<SlowSyncs>(kSyncTakes);
    std::unique_ptr<Database> database_;
    std::unique_ptr<server::Server> server_;
};

TEST_F(HotItem, ValuesFormOneChain)
{
    const auto replaced = rewrite(server_->port());

    ASSERT_EQ(kConnections * kWritesEach, replaced.size());
    std::map<std::string, std::string> successor;
    for (const auto &[value, old] : replaced) {
        EXPECT_TRUE(successor.emplace(old, value).second) << old << " was replaced twice";
    }
    std::string last = "first";
    std::size_t links = 0;
    while (successor.contains(last) && links <= replaced.size()) {
        last = successor.at(last);
        ++links;
    }
    EXPECT_EQ(replaced.size(), links);
    EXPECT_EQ(last, item().at("v").at("S"));
}

TEST_F(HotItem, ACounterEndsAtTheSum)
{
    constexpr int kSum = static_cast<int>(kConnections) * kWritesEach;
    const std::uint64_t syncs_before = files_->log_syncs();
    const auto shown = count(server_->port());
    const std::uint64_t syncs = files_->log_syncs() - syncs_before;

    ASSERT_EQ(static_cast<std::size_t>(kSum), shown.size());
    EXPECT_EQ(1, *shown.begin());
    EXPECT_EQ(kSum, *shown.rbegin());
    EXPECT_EQ(std::to_string(kSum), item().at("n").at("N"));
    // All who are under way share a sync: an increment does not wait for that of the one before it.
    EXPECT_LT(syncs, static_cast<std::uint64_t>(kSum) / 4);
    RecordProperty("increments", kSum);
    RecordProperty("syncs", static_cast<int>(syncs));
}

} // namespace
} // namespace basalt::linearizability

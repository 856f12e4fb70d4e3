// 64 connections send every kind of request at once to a server with small memtables and a small cache, until they are
// done or until the server is stopped under them. Meant for the thread sanitizer, but what the answers say has to be
// right in every build.
#include "basalt/database.h"
#include "database_parts.h"
#include "linearizability/load_client.h"
#include "linearizability/load_model.h"
#include "server/server.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace basalt::linearizability {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kConnections = 64;
constexpr std::size_t kWithTables = 4; // connections that create and delete tables
constexpr int kRequestsEach = 60;
constexpr std::uint64_t kSeed = 20;

constexpr std::size_t kMemtableBytes = std::size_t{256} << 10;
constexpr std::size_t kMemoryBytes = std::size_t{4} << 20;
constexpr std::chrono::milliseconds kLockPatience{60'000}; // no request gives up on a slow machine
constexpr int kIoThreads = 4;

std::string target_of(const std::string &operation)
{
    return "DynamoDB_20120810." + operation;
}

class MixedLoad : public testing::Test {
protected:
    MixedLoad()
    {
        for (std::size_t i = 0; i < kConnections; ++i) {
            models_.emplace_back(shared_, i, kSeed, i < kWithTables);
        }
    }
    void SetUp() override
    {
        open();
        for (const auto &request : LoadModel::preparations()) {
            call(request);
        }
        server::ServerOptions options;
        options.port = 0;
        options.io_threads = kIoThreads;
        auto bound = server::Server::bind(options);
        ASSERT_TRUE(bound) << bound.error().message;
        server_ = std::move(*bound);
        server_->start(*database_);
    }
    void TearDown() override
    {
        server_->stop();
        database_.reset();
        std::filesystem::remove_all(directory_);
    }

    void open()
    {
        storage::RocksdbOptions options;
        options.data_dir = directory_;
        options.memtable_bytes = kMemtableBytes;
        options.memory_budget_bytes = kMemoryBytes;
        options.lock_patience = kLockPatience;
        auto store = storage::open_rocksdb(options);
        ASSERT_TRUE(store) << store.error().message;
        auto database = open_over(
            Options{}, {std::move(*store), std::make_unique<SystemClock>(), std::make_unique<SystemRandom>()});
        ASSERT_TRUE(database) << database.error().message;
        database_ = std::move(*database);
    }
    Json call(const LoadRequest &request)
    {
        const auto body = request.body.dump();
        const auto response = database_->call(Request{target_of(request.operation), body, 0});
        EXPECT_EQ(200, response.status) << request.operation << ": " << response.body;
        return Json::parse(response.body);
    }
    /// Until every connection has sent so many requests, or the connections break while stopping.
    void run(int requests_each)
    {
        std::vector<int> sent(kConnections, 0);
        LoadClient client(server_->port(), kConnections);
        client.run(
            [&](std::size_t connection) -> std::string {
                if (shared_.stopping || sent[connection]++ == requests_each) {
                    return {};
                }
                const auto request = models_[connection].next();
                return post(target_of(request.operation), request.body.dump());
            },
            [&](std::size_t connection, int status, std::string_view body) {
                models_[connection].answered(status, body);
                answers_.fetch_add(1);
            });
    }
    void check_everything()
    {
        const auto ask = [this](const LoadRequest &request) { return call(request); };
        check_shared(shared_, ask);
        for (const auto &model : models_) {
            model.check(ask);
        }
    }

    const std::filesystem::path directory_ =
        std::filesystem::temp_directory_path() / ("basalt-mixed-load-" + std::to_string(::getpid()));
    SharedState shared_;
    std::vector<LoadModel> models_;
    std::atomic<int> answers_ = 0;
    std::unique_ptr<Database> database_;
    std::unique_ptr<server::Server> server_;
};

TEST_F(MixedLoad, EveryAnswerIsRight)
{
    run(kRequestsEach);

    EXPECT_EQ(static_cast<int>(kConnections) * kRequestsEach, answers_.load());
    EXPECT_EQ(0, shared_.open_increments);
    EXPECT_GT(shared_.transfers, 0);
    check_everything();
}

TEST_F(MixedLoad, StoppedUnderLoadItKeepsWhatItAnswered)
{
    constexpr int kStopAfter = 1000;
    std::thread clients([this] {
        try {
            run(1'000'000);
        } catch (const std::runtime_error &failure) {
            EXPECT_TRUE(shared_.stopping) << failure.what();
        }
    });
    while (answers_.load() < kStopAfter && !HasFailure()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    shared_.stopping = true;
    server_->drain(std::chrono::milliseconds(5));
    database_->close();
    server_->stop();
    clients.join();

    database_.reset();
    open();
    check_everything();
}

} // namespace
} // namespace basalt::linearizability

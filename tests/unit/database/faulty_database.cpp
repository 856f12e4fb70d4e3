#include "database/faulty_database.h"

#include <chrono>
#include <thread>
#include <utility>

namespace basalt {
namespace {

std::string target_of(std::string_view operation)
{
    return "DynamoDB_20120810." + std::string(operation);
}

std::string padding(const std::string &value, std::size_t length)
{
    std::string out;
    while (out.size() < length) {
        out += value;
    }
    return out;
}

/// The text of a string attribute in a response.
std::string attribute(const std::string &body, const std::string &name)
{
    const std::string before = "\"" + name + "\":{\"S\":\"";
    const auto begin = body.find(before);
    if (begin == std::string::npos) {
        return {};
    }
    return body.substr(begin + before.size(), body.find('"', begin + before.size()) - begin - before.size());
}

} // namespace

void LateResponse::complete(Response response) noexcept
{
    const std::lock_guard lock(mutex_);
    response_ = std::move(response);
    told_.notify_all();
}

Response LateResponse::wait()
{
    std::unique_lock lock(mutex_);
    told_.wait(lock, [this] { return response_.has_value(); });
    return *response_;
}

bool LateResponse::answered() const
{
    const std::lock_guard lock(mutex_);
    return response_.has_value();
}

FaultyDatabase::FaultyDatabase()
{
    options_.data_dir = directory_.path();
    options_.file_system = files_;
    open_again_ = [this] {
        storage::RocksdbOptions options = options_;
        options.logs = storage::RecoveredLogs::doubted;
        return storage::open_rocksdb(options);
    };
}

FaultyDatabase::~FaultyDatabase()
{
    files_->let_syncs_go();
    files_->let_tables_go();
}

void FaultyDatabase::open()
{
    auto store = storage::open_rocksdb(options_);
    ASSERT_TRUE(store) << store.error().message;
    auto database =
        open_over(Options{}, DatabaseParts{std::move(*store), std::make_unique<SystemClock>(),
                                           std::make_unique<SystemRandom>(), [this] { return open_again_(); }});
    ASSERT_TRUE(database) << database.error().message;
    database_ = std::move(*database);
}

Response FaultyDatabase::call(std::string_view operation, const std::string &body)
{
    const std::string target = target_of(operation);
    return database_->call(Request{target, body});
}

void FaultyDatabase::call_later(std::string_view operation, const std::string &body, LateResponse &response)
{
    const std::string target = target_of(operation);
    database_->call(Request{target, body}, response);
}

int FaultyDatabase::create_table(const std::string &name)
{
    return call("CreateTable", R"({"TableName":")" + name +
                                   R"(","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
                                   R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
                                   R"("BillingMode":"PAY_PER_REQUEST"})")
        .status;
}

int FaultyDatabase::put(const std::string &id, const std::string &value, std::size_t pad)
{
    return call("PutItem", R"({"TableName":"table","Item":{"id":{"S":")" + id + R"("},"value":{"S":")" + value +
                               R"("},"pad":{"S":")" + padding(value, pad) + R"("}}})")
        .status;
}

std::optional<std::string> FaultyDatabase::get(const std::string &id)
{
    const Response response =
        call("GetItem", R"({"TableName":"table","ConsistentRead":true,"Key":{"id":{"S":")" + id + R"("}}})");
    EXPECT_EQ(response.status, 200) << response.body;
    if (response.status != 200 || response.body == "{}") {
        return std::nullopt;
    }
    const std::string value = attribute(response.body, "value");
    const std::string pad = attribute(response.body, "pad");
    EXPECT_EQ(pad, padding(value, pad.size())) << "not whole";
    return value;
}

int FaultyDatabase::put_until_served(const std::string &id, const std::string &value)
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    int status = put(id, value);
    while (status != 200 && std::chrono::steady_clock::now() < deadline) {
        EXPECT_EQ(status, 500);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        status = put(id, value);
    }
    return status;
}

} // namespace basalt

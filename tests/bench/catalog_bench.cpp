// How long CreateTable takes, and how long opening takes, at the largest number of tables: 2,500 tables with one global
// index each on disk, created one after the other by CreateTable, each reply waiting for its fsync.
//
// Usage: bench_catalog [FOLDER]; the database is made in a new folder below FOLDER (the system's folder for temporary
// files by default) and removed again. Prints milliseconds.
#include "basalt/database.h"
#include "base/log.h"
#include "model/limits.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr int kReopenings = 5;

double ms_since(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string request(std::size_t number)
{
    return R"({"TableName":"table-)" + std::to_string(number) + R"(","BillingMode":"PAY_PER_REQUEST",)" +
           R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
           R"({"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"owner","AttributeType":"S"}],)"
           R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
           R"("GlobalSecondaryIndexes":[{"IndexName":"by-owner","KeySchema":[{"AttributeName":"owner","KeyType":"HASH"}],)"
           R"("Projection":{"ProjectionType":"ALL"}}]})";
}

/// Exits with a sentence if the database cannot be opened.
std::unique_ptr<basalt::Database> open(const fs::path &folder)
{
    basalt::Options options;
    options.data_dir = folder;
    auto database = basalt::Database::open(options);
    if (!database) {
        std::fprintf(stderr, "cannot open %s: %s\n", folder.c_str(), database.error().message.c_str());
        std::exit(1);
    }
    return std::move(*database);
}

/// Exits with the response if the call does not succeed.
void must_call(basalt::Database &database, const char *target, const std::string &body)
{
    const auto response = database.call(basalt::Request{target, body, 0});
    if (response.status != 200) {
        std::fprintf(stderr, "%s: %s\n", target, response.body.c_str());
        std::exit(1);
    }
}

void print_percentiles(const char *what, std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) {
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    };
    std::printf("%-12s p50 %8.3f  p99 %8.3f  max %8.3f\n", what, at(0.50), at(0.99), values.back());
}

void create_tables(const fs::path &folder)
{
    const auto database = open(folder);
    std::vector<double> durations;
    for (std::size_t i = 0; i < basalt::model::kMaxTables; ++i) {
        const auto body = request(i);
        const auto start = Clock::now();
        must_call(*database, "DynamoDB_20120810.CreateTable", body);
        durations.push_back(ms_since(start));
    }
    print_percentiles("CreateTable", durations);
    // The last ones alone, to see whether it grows with the number of tables.
    durations.erase(durations.begin(), durations.end() - 250);
    print_percentiles("last 250", durations);
}

void reopen(const fs::path &folder)
{
    std::vector<double> durations;
    for (int i = 0; i < kReopenings; ++i) {
        const auto start = Clock::now();
        const auto database = open(folder);
        must_call(*database, "DynamoDB_20120810.DescribeTable", R"({"TableName":"table-1234"})");
        durations.push_back(ms_since(start));
    }
    std::printf("first reopening %.1f\n", durations.front());
    print_percentiles("reopening", durations);
}

} // namespace

int main(int argc, char **argv)
{
    if (!basalt::start_logging("error")) {
        return 1;
    }
    std::string pattern = (fs::path(argc > 1 ? argv[1] : fs::temp_directory_path().c_str()) / "basalt-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        std::perror(pattern.c_str());
        return 1;
    }
    const fs::path folder(pattern);
    create_tables(folder / "data");
    reopen(folder / "data");
    fs::remove_all(folder);
    return 0;
}

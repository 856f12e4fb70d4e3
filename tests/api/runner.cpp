// Registers every scenario of the data files as a test of its own. Scenarios of one file share an in-memory database;
// one with options has its own. With --store=toy all of them run on the contract's awkward second backend.
#include "api/scenario.h"
#include "base/log.h"
#include "base/random.h"
#include "contract/toy_store.h"
#include "database_parts.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace basalt::api {
namespace {

constexpr std::int64_t kStartMs = 1'700'000'000'123;

bool on_toy_store = false;

template <typename T>
std::unique_ptr<T> must(Result<std::unique_ptr<T>> opened)
{
    if (!opened) {
        throw std::runtime_error(opened.error().message);
    }
    return std::move(*opened);
}

std::unique_ptr<storage::Store> open_store()
{
    if (on_toy_store) {
        return storage::make_toy_store();
    }
    storage::RocksdbOptions options;
    options.in_memory = true;
    return must(storage::open_rocksdb(options));
}

std::unique_ptr<Database> open_shared()
{
    return must(
        open_over(Options{}, {open_store(), std::make_unique<SystemClock>(), std::make_unique<SystemRandom>()}));
}

/// A database of one scenario and the clock that moves it.
struct OwnDatabase {
    ManualClock *clock = nullptr; // the database's
    std::unique_ptr<Database> database;
};

OwnDatabase open_with(const Json &given)
{
    Options options;
    for (const auto &[key, value] : given.items()) {
        if (key == "table_transition_ms") {
            options.table_transition_ms = value.get<std::int64_t>();
        } else if (key == "item_collection_limit_bytes") {
            options.item_collection_limit_bytes = value.get<std::uint64_t>();
        } else {
            throw std::runtime_error("there is no option " + key);
        }
    }
    auto clock = std::make_unique<ManualClock>(kStartMs);
    auto *const kept = clock.get();
    return {kept,
            must(open_over(std::move(options), {open_store(), std::move(clock), std::make_unique<SystemRandom>()}))};
}

class ScenarioSuite : public testing::Test {
public:
    static void SetUpTestSuite() { database_ = open_shared(); }
    static void TearDownTestSuite() { database_.reset(); }

protected:
    static std::unique_ptr<Database> database_;
};
std::unique_ptr<Database> ScenarioSuite::database_;

class ScenarioTest final : public ScenarioSuite {
public:
    explicit ScenarioTest(Scenario scenario)
        : scenario_(std::move(scenario))
    {}
    void TestBody() override
    {
        if (scenario_.body.contains("options")) {
            const auto own = open_with(scenario_.body["options"]);
            EXPECT_EQ("", ScenarioRun(*own.database, own.clock, scenario_).run());
            return;
        }
        ScenarioRun run(*database_, nullptr, scenario_);
        EXPECT_EQ("", run.run());
        run.drop_tables();
    }

private:
    Scenario scenario_;
};

std::string identifier(const std::string &text)
{
    std::string result;
    for (const char c : text) {
        result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    return result;
}

/// One scenario, or one for each of its cases.
std::vector<Scenario> instances(const Json &body, const std::shared_ptr<const Json> &definitions)
{
    const auto name = identifier(body.at("scenario").get<std::string>());
    if (!body.contains("cases")) {
        return {Scenario{name, body, definitions}};
    }
    std::vector<Scenario> list;
    for (const auto &parameters : body["cases"]) {
        list.push_back({name + "_" + std::to_string(list.size()), body, definitions, parameters});
    }
    return list;
}

std::size_t register_file(const std::filesystem::path &path)
{
    std::ifstream in(path);
    const auto content = Json::parse(in);
    const bool has_definitions = content.is_object();
    const auto definitions =
        std::make_shared<const Json>(has_definitions ? content.value("define", Json::object()) : Json::object());
    std::set<std::string> names;
    for (const auto &body : has_definitions ? content.at("scenarios") : content) {
        for (auto &scenario : instances(body, definitions)) {
            if (!names.insert(scenario.name).second) {
                throw std::runtime_error(path.string() + " has two scenarios named " + scenario.name);
            }
            testing::RegisterTest(identifier(path.stem().string()).c_str(), scenario.name.c_str(), nullptr, nullptr,
                                  path.c_str(), 1,
                                  [scenario]() -> ScenarioSuite * { return new ScenarioTest(scenario); });
        }
    }
    return names.size();
}

std::size_t register_all()
{
    std::vector<std::filesystem::path> files;
    for (const auto &entry : std::filesystem::directory_iterator(BASALT_API_CASES)) {
        if (entry.path().extension() == ".json") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    std::size_t count = 0;
    for (const auto &file : files) {
        count += register_file(file);
    }
    return count;
}

} // namespace
} // namespace basalt::api

int main(int argc, char **argv)
{
    testing::InitGoogleTest(&argc, argv);
    basalt::api::on_toy_store = argc > 1 && std::string_view(argv[1]) == "--store=toy";
    if (!basalt::start_logging("error") || basalt::api::register_all() == 0) {
        return 1;
    }
    return RUN_ALL_TESTS();
}

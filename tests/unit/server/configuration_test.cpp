// The configuration: precedence, the sentence for a bad value, and the sample file.
#include "server/configuration.h"
#include "server/settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace basalt::server {
namespace {

using Variables = std::map<std::string, std::string>;

Environment environment(Variables variables = {})
{
    return [variables = std::move(variables)](const std::string &name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
    };
}

Configuration read(const std::vector<std::string> &arguments, Variables variables = {})
{
    auto line = read_configuration(arguments, environment(std::move(variables)));
    EXPECT_TRUE(line) << (line ? "" : line.error().message);
    return line ? line->configuration : Configuration{};
}

std::string failure(const std::vector<std::string> &arguments, Variables variables = {})
{
    const auto line = read_configuration(arguments, environment(std::move(variables)));
    EXPECT_FALSE(line);
    return line ? "" : line.error().message;
}

/// A configuration file that goes away with the test.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string &text)
        : path_(std::filesystem::path(testing::TempDir()) /
                ("basalt-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".toml"))
    {
        std::ofstream(path_) << text;
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile &operator=(const TemporaryFile &) = delete;
    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

std::map<std::string, std::string> shown(const Configuration &configuration)
{
    std::map<std::string, std::string> values;
    for (const Setting &setting : all_settings()) {
        values[file_key(setting)] = setting.show(configuration);
    }
    return values;
}

TEST(Configuration, Defaults)
{
    const Configuration configuration = read({});
    EXPECT_EQ(configuration.server.host, "127.0.0.1");
    EXPECT_EQ(configuration.server.port, 8000);
    EXPECT_EQ(configuration.database.data_dir, "./basalt-data");
    EXPECT_FALSE(configuration.database.in_memory);
    EXPECT_EQ(configuration.database.durability, DurabilityMode::sync);
    EXPECT_EQ(configuration.database.memory_budget_bytes, 256U << 20);
    EXPECT_EQ(configuration.server.body_memory_bytes, 64U << 20);
    EXPECT_EQ(configuration.log_level, "info");
    EXPECT_EQ(configuration.shutdown_grace, std::chrono::seconds(10));
}

TEST(Configuration, EveryWayOfGivingAFlag)
{
    const Configuration configuration = read({"--port",
                                              "1234",
                                              "--host=0.0.0.0",
                                              "--in-memory",
                                              "--data-dir",
                                              "/x y",
                                              "--durability=async",
                                              "--memory-budget-mb",
                                              "64",
                                              "--io-threads",
                                              "3",
                                              "--region",
                                              "eu-west-1",
                                              "--account-id",
                                              "123456789012",
                                              "--table-transition-ms",
                                              "20",
                                              "--log-level",
                                              "warning",
                                              "--compression",
                                              "false"});
    EXPECT_EQ(configuration.server.port, 1234);
    EXPECT_EQ(configuration.server.host, "0.0.0.0");
    EXPECT_TRUE(configuration.database.in_memory);
    EXPECT_EQ(configuration.database.data_dir, "/x y");
    EXPECT_EQ(configuration.database.durability, DurabilityMode::async);
    EXPECT_EQ(configuration.database.memory_budget_bytes, 64U << 20);
    EXPECT_EQ(configuration.server.body_memory_bytes, 32U << 20);
    EXPECT_EQ(configuration.server.io_threads, 3);
    EXPECT_EQ(configuration.database.region, "eu-west-1");
    EXPECT_EQ(configuration.server.region, "eu-west-1");
    EXPECT_EQ(configuration.database.account_id, "123456789012");
    EXPECT_EQ(configuration.database.table_transition_ms, 20);
    EXPECT_EQ(configuration.log_level, "warning");
    EXPECT_FALSE(configuration.server.compress);
}

TEST(Configuration, SwitchesTakeAValueToo)
{
    EXPECT_FALSE(read({"--in-memory=false"}).database.in_memory);
    EXPECT_TRUE(read({"--in-memory", "--port", "1"}).database.in_memory);
    EXPECT_TRUE(read({"--in-memory=true"}).database.in_memory);
    EXPECT_TRUE(read({}, {{"BASALT_IN_MEMORY", "1"}}).database.in_memory);
    EXPECT_FALSE(read({"--in-memory=false"}, {{"BASALT_IN_MEMORY", "1"}}).database.in_memory);
}

TEST(Configuration, FlagBeatsVariableBeatsFile)
{
    const TemporaryFile file(
        "port = 1\nregion = \"eu-west-1\"\nlog_level = \"error\"\n# a comment\nin_memory = true\n");
    const Variables variables = {{"BASALT_PORT", "2"}, {"BASALT_REGION", "eu-west-2"}, {"BASALT_CONFIG", file.path()}};
    const Configuration configuration = read({"--port", "3"}, variables);
    EXPECT_EQ(configuration.server.port, 3);
    EXPECT_EQ(configuration.database.region, "eu-west-2");
    EXPECT_EQ(configuration.log_level, "error");
    EXPECT_TRUE(configuration.database.in_memory);
    EXPECT_EQ(read({"--config", file.path()}, {{"BASALT_CONFIG", "/does/not/exist"}}).server.port, 1);
}

TEST(Configuration, BadValuesAreOneClearSentence)
{
    EXPECT_EQ(failure({"--port", "70000"}), "--port must be a whole number from 0 to 65535, not '70000'");
    EXPECT_EQ(failure({"--port", "8000x"}), "--port must be a whole number from 0 to 65535, not '8000x'");
    EXPECT_EQ(failure({}, {{"BASALT_PORT", ""}}), "BASALT_PORT must be a whole number from 0 to 65535, not ''");
    EXPECT_EQ(failure({"--durability", "maybe"}), "--durability must be sync or async, not 'maybe'");
    EXPECT_EQ(failure({"--in-memory=perhaps"}), "--in-memory must be true or false, not 'perhaps'");
    EXPECT_EQ(failure({"--memory-budget-mb", "1"}),
              "--memory-budget-mb must be a whole number from 32 to 16777216, not '1'");
    EXPECT_EQ(failure({"--log-level", "loud"}),
              "--log-level must be one of trace, debug, info, warning, error, critical, off, not 'loud'");
    EXPECT_EQ(failure({"--account-id", "12"}), "--account-id must be 12 digits, not '12'");
    EXPECT_EQ(failure({"--region", "US EAST"}), "--region must be a region's name, such as us-east-1, not 'US EAST'");
    EXPECT_EQ(failure({"--config", "/does/not/exist"}), "the configuration file /does/not/exist cannot be read");
    EXPECT_NE(failure({"--prot", "8000"}).find("--prot"), std::string::npos);
    EXPECT_NE(failure({"stray"}).find("stray"), std::string::npos);
    EXPECT_NE(failure({"--port"}).find("--port"), std::string::npos);
}

TEST(Configuration, BadFilesAreOneClearSentence)
{
    {
        const TemporaryFile file("port = 1\ncolour = \"blue\"\n");
        EXPECT_EQ(failure({"--config", file.path()}),
                  "'colour' in " + file.path() + " is not a setting that Basalt knows");
    }
    {
        const TemporaryFile file("port = \"many\"\n");
        EXPECT_EQ(failure({"--config", file.path()}),
                  "'port' in " + file.path() + " must be a whole number from 0 to 65535, not 'many'");
    }
    {
        const TemporaryFile file("port = [1, 2]\n");
        EXPECT_EQ(failure({"--config", file.path()}), "'port' in " + file.path() + " must have one value");
    }
}

TEST(Configuration, HelpAndVersion)
{
    const auto help = read_configuration({"--help"}, environment());
    ASSERT_TRUE(help && help->answer);
    for (const Setting &setting : all_settings()) {
        EXPECT_NE(help->answer->find("--" + std::string(setting.name)), std::string::npos) << setting.name;
    }
    const auto version = read_configuration({"--version"}, environment());
    ASSERT_TRUE(version && version->answer);
    EXPECT_EQ(version->answer->substr(0, 7), "basalt ");
    const auto both = read_configuration({"--port", "nonsense", "--help"}, environment());
    EXPECT_TRUE(both && both->answer);
}

TEST(Configuration, VerifyTakesTheFewSettingsThatItNeeds)
{
    const auto line = read_configuration({"--data-dir", "here"}, environment(), Command::verify);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->configuration.database.data_dir, "here");
    const auto from_outside =
        read_configuration({}, environment({{"BASALT_DATA_DIR", "there"}, {"BASALT_PORT", "1"}}), Command::verify);
    ASSERT_TRUE(from_outside);
    EXPECT_EQ(from_outside->configuration.database.data_dir, "there");
    EXPECT_FALSE(read_configuration({"--port", "1"}, environment(), Command::verify));
    EXPECT_FALSE(read_configuration({"here"}, environment(), Command::verify));
    const auto help = read_configuration({"--help"}, environment(), Command::verify);
    ASSERT_TRUE(help && help->answer);
    EXPECT_NE(help->answer->find("basalt verify"), std::string::npos);
    EXPECT_EQ(help->answer->find("--port"), std::string::npos);
}

TEST(Configuration, TheSampleFileSaysTheDefaults)
{
    EXPECT_EQ(shown(read({"--config", BASALT_SAMPLE_CONFIGURATION})), shown(Configuration{}));
    std::ifstream file(BASALT_SAMPLE_CONFIGURATION);
    std::set<std::string> keys;
    for (std::string line; std::getline(file, line);) {
        if (const auto equals = line.find(" = "); equals != std::string::npos && line[0] != '#') {
            keys.insert(line.substr(0, equals));
        }
    }
    for (const Setting &setting : all_settings()) {
        EXPECT_EQ(keys.count(file_key(setting)), 1U) << file_key(setting) << " is missing in the sample";
    }
    EXPECT_EQ(keys.size(), all_settings().size());
}

} // namespace
} // namespace basalt::server

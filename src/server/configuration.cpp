#include "server/configuration.h"

#include "basalt/version.h"
#include "server/settings.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

namespace basalt::server {
namespace {

/// Upper bound for a configuration file; anything larger is a mistake.
constexpr std::uintmax_t kFileLimitBytes = 1 << 20;

Result<void> apply(const Setting &setting, const std::string &source, const std::string &value, Configuration &into)
{
    if (Result<void> applied = setting.apply(into, value); !applied) {
        return fail(ErrorCode::invalid_options, source + " " + applied.error().message);
    }
    return {};
}

Result<void> apply_item(const CLI::ConfigItem &item, const std::string &path, Configuration &into)
{
    if (item.name == "++" || item.name == "--") {
        return {}; // the beginning and the end of a section; its keys carry its name
    }
    const std::string key = item.fullname();
    for (const Setting &setting : all_settings()) {
        if (key != file_key(setting)) {
            continue;
        }
        const std::string source = "'" + key + "' in " + path;
        if (item.inputs.size() != 1) {
            return fail(ErrorCode::invalid_options, source + " must have one value");
        }
        return apply(setting, source, item.inputs.front(), into);
    }
    return fail(ErrorCode::invalid_options, "'" + key + "' in " + path + " is not a setting that Basalt knows");
}

Result<void> apply_file(const std::string &path, Configuration &into)
{
    std::error_code error;
    std::ifstream file;
    if (std::filesystem::is_regular_file(path, error)) { // a pipe could hold up whoever opens it
        file.open(path);
    }
    if (!file.is_open()) {
        return fail(ErrorCode::invalid_options, "the configuration file " + path + " cannot be read");
    }
    if (std::filesystem::file_size(path, error) > kFileLimitBytes || error) {
        return fail(ErrorCode::invalid_options, "the configuration file " + path + " is larger than 1 MiB");
    }
    std::vector<CLI::ConfigItem> items;
    try {
        items = CLI::ConfigTOML().from_config(file);
    } catch (const CLI::Error &failure) {
        return fail(ErrorCode::invalid_options,
                    "the configuration file " + path + " cannot be understood: " + failure.what());
    }
    for (const CLI::ConfigItem &item : items) {
        if (Result<void> applied = apply_item(item, path, into); !applied) {
            return applied;
        }
    }
    return {};
}

/// The values of the command line by setting; and the answer to --help or --version.
struct Parsed {
    std::map<std::string_view, std::string> values;
    std::optional<std::string> config_path;
    std::optional<std::string> answer;
};

constexpr const char *kServeText = "Basalt, a DynamoDB-compatible table server.\nEvery setting is also an environment "
                                   "variable (--data-dir: BASALT_DATA_DIR) and a key of the configuration file "
                                   "(data_dir).";
constexpr const char *kServeFooter =
    "basalt verify checks a database that no server has open; see basalt verify --help.";
constexpr const char *kVerifyText =
    "Checks a database that no server has open, and changes nothing in it: checksums and formats of the files, every "
    "item and every row that follows from items. Prints what it finds. The exit code is 0 when all is well, 1 when "
    "there are errors, 2 when the check could not be made.";

/// The help text of a setting; nothing: the command has no such setting.
std::optional<std::string> help_of(const Setting &setting, Command command)
{
    if (command == Command::serve) {
        return std::string(setting.help);
    }
    if (setting.name == "data-dir") {
        return "Directory of the database";
    }
    if (setting.name == "memory-budget-mb") {
        return "Memory for blocks of the files and for what the logs hold, about";
    }
    return std::nullopt;
}

Result<Parsed> parse(std::vector<std::string> arguments, Command command)
{
    Parsed parsed;
    CLI::App app(command == Command::serve ? kServeText : kVerifyText,
                 command == Command::serve ? "basalt" : "basalt verify");
    app.footer(command == Command::serve ? kServeFooter : "");
    app.set_version_flag("--version", "basalt " + std::string(kVersion));
    std::string config;
    CLI::Option *const config_option =
        app.add_option("--config", config, "Configuration file; a sample with all keys is config/basalt.toml")
            ->type_name("FILE");
    const Configuration defaults;
    std::map<std::string_view, CLI::Option *> options;
    for (const Setting &setting : all_settings()) {
        const std::optional<std::string> help = help_of(setting, command);
        if (!help) {
            continue;
        }
        std::string &value = parsed.values[setting.name];
        CLI::Option *const option = app.add_option("--" + std::string(setting.name), value, *help);
        option->default_str(setting.show(defaults));
        if (setting.value_name.empty()) {
            option->type_name("")->expected(0, 1)->default_str("true");
            option->description(*help);
        } else {
            option->type_name(std::string(setting.value_name));
        }
        options[setting.name] = option;
    }
    try {
        std::reverse(arguments.begin(), arguments.end()); // what CLI11 expects of a vector
        app.parse(arguments);
    } catch (const CLI::CallForHelp &) {
        parsed.answer = app.help();
    } catch (const CLI::CallForVersion &) {
        parsed.answer = "basalt " + std::string(kVersion) + "\n";
    } catch (const CLI::ParseError &failure) {
        return fail(ErrorCode::invalid_options, std::string(failure.what()) + "; --help lists the settings");
    }
    for (const auto &[name, option] : options) {
        if (option->count() == 0) {
            parsed.values.erase(name);
        } else if (parsed.values[name].empty() && option->get_items_expected_min() == 0) {
            parsed.values[name] = "true";
        }
    }
    if (config_option->count() != 0) {
        parsed.config_path = config;
    }
    return parsed;
}

} // namespace

Environment process_environment()
{
    return [](const std::string &name) -> std::optional<std::string> {
        const char *const value = std::getenv(name.c_str());
        return value == nullptr ? std::nullopt : std::optional<std::string>(value);
    };
}

Result<CommandLine> read_configuration(const std::vector<std::string> &arguments, const Environment &environment,
                                       Command command)
{
    Result<Parsed> parsed = parse(arguments, command);
    if (!parsed) {
        return Unexpected{std::move(parsed).error()};
    }
    CommandLine result;
    if (parsed->answer) {
        result.answer = std::move(parsed->answer);
        return result;
    }
    Configuration &configuration = result.configuration;
    const std::optional<std::string> path = parsed->config_path ? parsed->config_path : environment("BASALT_CONFIG");
    if (path) {
        if (Result<void> applied = apply_file(*path, configuration); !applied) {
            return Unexpected{std::move(applied).error()};
        }
    }
    for (const Setting &setting : all_settings()) {
        std::string source = environment_name(setting);
        std::optional<std::string> value = environment(source);
        if (const auto given = parsed->values.find(setting.name); given != parsed->values.end()) {
            source = "--" + std::string(setting.name);
            value = given->second;
        }
        if (!value) {
            continue;
        }
        if (Result<void> applied = apply(setting, source, *value, configuration); !applied) {
            return Unexpected{std::move(applied).error()};
        }
    }
    // A share for the bodies that are being received; the smallest takes two of the largest.
    configuration.server.body_memory_bytes =
        std::max(configuration.database.memory_budget_bytes / 4, std::size_t{32} << 20);
    return result;
}

std::vector<SettingDefault> default_settings()
{
    std::vector<SettingDefault> defaults;
    const Configuration configuration;
    for (const Setting &setting : all_settings()) {
        defaults.push_back({file_key(setting), setting.show(configuration)});
    }
    return defaults;
}

} // namespace basalt::server

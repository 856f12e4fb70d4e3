// What the program can be told: command line, environment variables and a file, in this order of precedence.
#pragma once

#include "basalt/options.h"
#include "basalt/result.h"
#include "server/server.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::server {

struct Configuration {
    Configuration() { database.data_dir = "./basalt-data"; }

    ServerOptions server;
    Options database;
    std::string log_level = "info";
    /// How long requests at hand may take when the program is told to stop.
    std::chrono::milliseconds shutdown_grace{10'000};
};

/// Reads one environment variable; nothing when it is not set.
using Environment = std::function<std::optional<std::string>(const std::string &name)>;
[[nodiscard]] Environment process_environment();

/// What the command line asks for: to serve, or to print something and end.
struct CommandLine {
    Configuration configuration;
    /// --help and --version: what to print instead of serving.
    std::optional<std::string> answer;
};

/// `arguments` are those after the program's name. Error: invalid_options, with one sentence that names the setting and
/// where its value came from.
[[nodiscard]] Result<CommandLine> read_configuration(const std::vector<std::string> &arguments,
                                                     const Environment &environment);

/// Every key of the configuration file with its default, as text. For the documentation and its test.
struct SettingDefault {
    std::string key;
    std::string value;
};
[[nodiscard]] std::vector<SettingDefault> default_settings();

} // namespace basalt::server

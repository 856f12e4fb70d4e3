// What the program can be told: command line, environment variables and a file, in this order of precedence.
#pragma once

#include "basalt/options.h"
#include "basalt/result.h"
#include "server/server.h"

#include <chrono>
#include <cstdint>
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

/// What the program does: `basalt`, or `basalt verify`, which takes few of the settings.
enum class Command : std::uint8_t { serve, verify };

/// What the command line asks for: to run the command, or to print something and end.
struct CommandLine {
    Configuration configuration;
    /// --help and --version: what to print instead.
    std::optional<std::string> answer;
};

/// `arguments` are those after the program's name and the command's. Error: invalid_options, with one sentence that
/// names the setting and where its value came from.
[[nodiscard]] Result<CommandLine> read_configuration(const std::vector<std::string> &arguments,
                                                     const Environment &environment, Command command = Command::serve);

/// Every key of the configuration file with its default, as text. For the documentation and its test.
struct SettingDefault {
    std::string key;
    std::string value;
};
[[nodiscard]] std::vector<SettingDefault> default_settings();

} // namespace basalt::server

// The table of settings: name, help, and how a text becomes a value.
#pragma once

#include "basalt/result.h"

#include <span>
#include <string>
#include <string_view>

namespace basalt::server {

struct Configuration;

struct Setting {
    /// As on the command line, without its dashes: "data-dir". The variable is BASALT_DATA_DIR, the file's key
    /// data_dir.
    std::string_view name;
    /// Name of the value in the help; empty for a switch, which is "true" when it is given without a value.
    std::string_view value_name;
    std::string_view help;
    /// The error's message completes "<where the value came from> ".
    Result<void> (*apply)(Configuration &configuration, std::string_view value);
    /// The value as it would be written.
    std::string (*show)(const Configuration &configuration);
};

[[nodiscard]] std::span<const Setting> all_settings() noexcept;

[[nodiscard]] std::string environment_name(const Setting &setting);
[[nodiscard]] std::string file_key(const Setting &setting);

} // namespace basalt::server

// Requests to a Database and its answers, as JSON.
#pragma once

#include "basalt/database.h"

#include <nlohmann/json.hpp>

#include <string>

namespace basalt::indexes {

struct Answer {
    int status = 0;
    nlohmann::json body;
    /// "ValidationException"; empty when there is none.
    std::string error;

    [[nodiscard]] bool ok() const { return status == 200; }
    [[nodiscard]] bool says(const std::string &part) const { return body.dump().find(part) != std::string::npos; }
};

[[nodiscard]] Answer ask(Database &database, const std::string &operation, const nlohmann::json &request);

} // namespace basalt::indexes

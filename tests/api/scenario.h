// Scenarios as data: requests and the whole responses that they must get. tests/api/README.md describes the format.
#pragma once

#include "basalt/database.h"
#include "base/clock.h"

#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <string>

namespace basalt::api {

using Json = nlohmann::json;

/// A scenario with what its macros refer to.
struct Scenario {
    std::string name;
    Json body;                               // the object of the data file
    std::shared_ptr<const Json> definitions; // "define" of its file
    Json parameters = Json::object();        // the current case
};

/// Runs one scenario's steps in order. Returns what differed first, or nothing. clock may be null.
class ScenarioRun {
public:
    ScenarioRun(Database &database, ManualClock *clock, const Scenario &scenario)
        : database_(database),
          clock_(clock),
          scenario_(scenario)
    {}
    [[nodiscard]] std::string run();
    /// Deletes all tables of the database.
    void drop_tables();

private:
    [[nodiscard]] std::string run_steps(const Json &steps);
    [[nodiscard]] std::string run_step(const Json &step);
    [[nodiscard]] std::string run_call(const Json &step);
    [[nodiscard]] Json expand(const Json &value) const;
    [[nodiscard]] Json expand_macro(const std::string &name, const Json &argument) const;
    [[nodiscard]] Response call(const std::string &operation, const std::string &body);

    Database &database_;
    ManualClock *clock_;
    const Scenario &scenario_;
    std::map<std::string, Json> saved_;
    int iteration_ = 0;
    int step_number_ = 0;
};

/// Where `got` does not match `wanted`, with the path; empty if it does.
[[nodiscard]] std::string difference(const Json &wanted, const Json &got, const std::string &path);

} // namespace basalt::api

#include "api/scenario.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace basalt::api {
namespace {

// Of what happens in the background.
constexpr int kMostTries = 4000;
constexpr std::chrono::milliseconds kPause{5};

std::string shorten(const std::string &text)
{
    constexpr std::size_t kLongest = 600;
    return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

bool is_macro(const Json &value)
{
    return value.is_object() && value.size() == 1 && value.begin().key().starts_with('$');
}

bool is_macro(const Json &value, const char *name)
{
    return is_macro(value) && value.contains(name);
}

void check_members(const Json &object, std::initializer_list<std::string_view> known, std::string_view what)
{
    for (const auto &[key, value] : object.items()) {
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            throw std::runtime_error(std::string(what) + " has no member " + key);
        }
    }
}

std::string numbered(const std::string &prefix, int width, int number)
{
    auto digits = std::to_string(number);
    if (digits.size() < static_cast<std::size_t>(width)) {
        digits.insert(0, static_cast<std::size_t>(width) - digits.size(), '0');
    }
    return prefix + digits;
}

/// The whole error body of [name, message].
Json error_body(const Json &wanted)
{
    if (!wanted.is_array()) {
        return wanted;
    }
    const auto name = wanted.at(0).get<std::string>();
    const std::string prefix =
        name == "ValidationException" ? "com.amazon.coral.validate#" : "com.amazonaws.dynamodb.v20120810#";
    return {{"__type", prefix + name}, {"message", wanted.at(1)}};
}

/// Discarded if the text is no JSON or an object in it has a member twice.
Json parse_response(const std::string &text)
{
    std::vector<std::set<std::string>> open;
    bool repeated = false;
    const auto watch = [&](int, Json::parse_event_t event, Json &parsed) {
        if (event == Json::parse_event_t::object_start) {
            open.emplace_back();
        } else if (event == Json::parse_event_t::object_end) {
            open.pop_back();
        } else if (event == Json::parse_event_t::key) {
            repeated = repeated || !open.back().insert(parsed.get<std::string>()).second;
        }
        return true;
    };
    auto parsed = Json::parse(text, watch, false);
    return repeated ? Json(Json::value_t::discarded) : parsed;
}

std::string unordered_difference(const Json &wanted, const Json &got, const std::string &path)
{
    if (!got.is_array() || got.size() != wanted.size()) {
        return path + ": wanted in any order " + shorten(wanted.dump()) + ", got " + shorten(got.dump());
    }
    std::vector<bool> taken(got.size());
    for (const auto &element : wanted) {
        std::size_t i = 0;
        while (i < got.size() && (taken[i] || !difference(element, got[i], path).empty())) {
            ++i;
        }
        if (i == got.size()) {
            return path + ": " + shorten(element.dump()) + " is not among " + shorten(got.dump());
        }
        taken[i] = true;
    }
    return {};
}

/// got is an object that has at least the members of wanted.
std::string part_difference(const Json &wanted, const Json &got, const std::string &path)
{
    for (const auto &[key, value] : wanted.items()) {
        if (!got.is_object() || !got.contains(key)) {
            return path + "." + key + " is missing";
        }
        if (auto found = difference(value, got[key], path + "." + key); !found.empty()) {
            return found;
        }
    }
    return {};
}

std::string object_difference(const Json &wanted, const Json &got, const std::string &path)
{
    if (auto found = part_difference(wanted, got, path); !found.empty()) {
        return found;
    }
    for (const auto &[key, value] : got.items()) {
        if (!wanted.contains(key)) {
            return path + "." + key + " was not expected: " + shorten(value.dump());
        }
    }
    return {};
}

} // namespace

std::string difference(const Json &wanted, const Json &got, const std::string &path)
{
    if (is_macro(wanted, "$any")) {
        return {};
    }
    if (is_macro(wanted, "$has")) {
        return part_difference(wanted["$has"], got, path);
    }
    if (is_macro(wanted, "$unordered")) {
        return unordered_difference(wanted["$unordered"], got, path);
    }
    if (is_macro(wanted, "$matches")) {
        const auto pattern = testing::MatchesRegex(wanted["$matches"].get<std::string>());
        const bool matches = got.is_string() && testing::Value(got.get<std::string>(), pattern);
        return matches ? std::string()
                       : path + ": " + shorten(got.dump()) + " does not match " + wanted["$matches"].dump();
    }
    if (wanted.is_object() && got.is_object()) {
        return object_difference(wanted, got, path);
    }
    if (wanted.is_array() && got.is_array() && wanted.size() == got.size()) {
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (auto found = difference(wanted[i], got[i], path + "[" + std::to_string(i) + "]"); !found.empty()) {
                return found;
            }
        }
        return {};
    }
    return wanted == got ? std::string() : path + ": wanted " + shorten(wanted.dump()) + ", got " + shorten(got.dump());
}

Response ScenarioRun::call(const std::string &operation, const std::string &body)
{
    const bool whole_target = operation.empty() || operation.find('.') != std::string::npos;
    const auto target = whole_target ? operation : "DynamoDB_20120810." + operation;
    return database_.call(Request{target, body, 0});
}

Json ScenarioRun::expand_macro(const std::string &name, const Json &argument) const
{
    if (name == "$use") {
        return expand(scenario_.definitions->at(argument.get<std::string>()));
    }
    if (name == "$case") {
        return expand(scenario_.parameters.at(argument.get<std::string>()));
    }
    if (name == "$repeat") {
        const auto part = expand(argument.at(0)).get<std::string>();
        std::string text;
        for (int i = 0; i < argument.at(1).get<int>(); ++i) {
            text += part;
        }
        return text;
    }
    if (name == "$concat") {
        std::string text;
        for (const auto &part : argument) {
            text += expand(part).get<std::string>();
        }
        return text;
    }
    if (name == "$merge") {
        Json merged = Json::object();
        for (const auto &part : argument) {
            merged.update(expand(part));
        }
        return merged;
    }
    if (name == "$json") {
        return Json::parse(expand(argument).get<std::string>());
    }
    if (name == "$number") {
        return numbered(argument.at(0).get<std::string>(), argument.at(1).get<int>(), iteration_);
    }
    if (name == "$numbers") {
        auto list = Json::array();
        for (int i = argument.at(2).get<int>(); i < argument.at(3).get<int>(); ++i) {
            list.push_back(numbered(argument.at(0).get<std::string>(), argument.at(1).get<int>(), i));
        }
        return list;
    }
    if (name == "$saved") {
        const auto reference = argument.get<std::string>();
        const auto slash = reference.find('/');
        return saved_.at(reference.substr(0, slash)).at(Json::json_pointer(reference.substr(slash)));
    }
    if (name == "$any" || name == "$matches" || name == "$unordered" || name == "$has") {
        return {{name, expand(argument)}};
    }
    throw std::runtime_error("there is no macro " + name);
}

Json ScenarioRun::expand(const Json &value) const
{
    if (is_macro(value)) {
        return expand_macro(value.begin().key(), value.begin().value());
    }
    if (value.is_object()) {
        Json result = Json::object();
        for (const auto &[key, member] : value.items()) {
            result[key] = expand(member);
        }
        return result;
    }
    if (value.is_array()) {
        Json result = Json::array();
        for (const auto &element : value) {
            result.push_back(expand(element));
        }
        return result;
    }
    return value;
}

std::string ScenarioRun::run_call(const Json &step)
{
    const auto operation = expand(step.at("call")).get<std::string>();
    const auto body = step.contains("raw") ? expand(step["raw"]).get<std::string>()
                                           : expand(step.value("with", Json::object())).dump();
    const auto response = call(operation, body);
    const bool fails = step.contains("error");
    const int status = step.value("status", fails ? 400 : 200);
    if (response.status != status) {
        return operation + ": status " + std::to_string(response.status) + ", wanted " + std::to_string(status) + ": " +
               shorten(response.body);
    }
    if (step.contains("gives") && step["gives"] == "") {
        return response.body.empty() ? std::string() : operation + ": wanted nothing, got " + shorten(response.body);
    }
    const auto got = parse_response(response.body);
    if (got.is_discarded()) {
        return operation + ": the response is not JSON with distinct members: " + shorten(response.body);
    }
    if (step.contains("save")) {
        saved_[step["save"].get<std::string>()] = got;
    }
    if (fails) {
        return difference(error_body(expand(step["error"])), got, operation);
    }
    return step.contains("gives") ? difference(expand(step["gives"]), got, operation) : std::string();
}

std::string ScenarioRun::run_step(const Json &step)
{
    if (step.contains("advance_ms")) {
        check_members(step, {"advance_ms"}, "a step that moves the clock");
        if (clock_ == nullptr) {
            throw std::runtime_error("only a database with options has a clock to move");
        }
        clock_->advance_ms(step["advance_ms"].get<std::int64_t>());
        return {};
    }
    check_members(step, {"call", "with", "raw", "gives", "error", "status", "save", "times", "eventually"}, "a step");
    std::string found;
    if (step.value("eventually", false)) {
        found = run_call(step);
        for (int tries = 1; tries < kMostTries && !found.empty(); ++tries) {
            std::this_thread::sleep_for(kPause);
            found = run_call(step);
        }
        return found;
    }
    for (iteration_ = 0; iteration_ < step.value("times", 1) && found.empty(); ++iteration_) {
        found = run_call(step);
    }
    iteration_ = 0;
    return found;
}

std::string ScenarioRun::run_steps(const Json &steps)
{
    for (const auto &step : steps) {
        if (is_macro(step, "$use")) {
            const auto &used = scenario_.definitions->at(step["$use"].get<std::string>());
            if (auto found = run_steps(used.is_array() ? used : Json::array({used})); !found.empty()) {
                return found;
            }
            continue;
        }
        ++step_number_;
        if (auto found = run_step(step); !found.empty()) {
            return "step " + std::to_string(step_number_) + ": " + found;
        }
    }
    return {};
}

std::string ScenarioRun::run()
{
    check_members(scenario_.body, {"scenario", "steps", "why", "cases", "options"}, "a scenario");
    return run_steps(scenario_.body.at("steps"));
}

void ScenarioRun::drop_tables()
{
    while (true) {
        const auto names = Json::parse(call("ListTables", "{}").body).at("TableNames");
        if (names.empty()) {
            return;
        }
        for (const auto &name : names) {
            const auto request = Json{{"TableName", name}}.dump();
            auto response = call("DeleteTable", request);
            for (int tries = 1; tries < kMostTries && response.status != 200; ++tries) { // an index is being built
                std::this_thread::sleep_for(kPause);
                response = call("DeleteTable", request);
            }
            if (response.status != 200) {
                throw std::runtime_error("a table was left behind: " + response.body);
            }
        }
    }
}

} // namespace basalt::api

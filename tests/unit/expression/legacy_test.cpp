// The legacy parameters: what they refuse, by the order of the checks, and what they mean.
#include "expression/legacy.h"
#include "unit/expression/json_values.h"
#include "unit/expression/request_placeholders.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::expression {
namespace {

const std::string kInvalid = "One or more parameter values were invalid: ";

/// Expected, QueryFilter, ScanFilter or KeyConditions as a request has it, in DynamoDB JSON.
class Legacy {
public:
    explicit Legacy(std::string_view json)
    {
        const auto entries = nlohmann::ordered_json::parse(json);
        for (const auto &[name, entry] : entries.items()) {
            LegacyCondition condition{.attribute = texts_.emplace_back(name)};
            if (entry.contains("Value")) {
                condition.value = value(entry["Value"]);
            }
            if (entry.contains("Exists")) {
                condition.exists = entry["Exists"].get<bool>();
            }
            if (entry.contains("ComparisonOperator")) {
                condition.comparison_operator = texts_.emplace_back(entry["ComparisonOperator"].get<std::string>());
            }
            if (entry.contains("AttributeValueList")) {
                condition.values.emplace();
                for (const auto &element : entry["AttributeValueList"]) {
                    condition.values->push_back(value(element));
                }
            }
            conditions_.push_back(std::move(condition));
        }
    }

    [[nodiscard]] std::span<const LegacyCondition> operator*() const { return conditions_; }

private:
    model::ValueView value(const nlohmann::ordered_json &json)
    {
        return values_.emplace_back(R"({"v":)" + json.dump() + "}")["v"];
    }

    std::list<std::string> texts_;
    std::list<JsonAttributes> values_;
    std::vector<LegacyCondition> conditions_;
};

std::string refusal(std::string_view json, LegacyParameter parameter)
{
    const Legacy legacy(json);
    const auto checked = check_legacy_conditions(*legacy, parameter);
    if (checked) {
        return "";
    }
    EXPECT_EQ(checked.error().code, ErrorCode::validation);
    return checked.error().message;
}

TEST(LegacyExpected, Refused)
{
    const std::string count = kInvalid + "Invalid number of argument(s) for the ";
    const std::pair<const char *, std::string> cases[] = {
        {R"({"a":{}})", kInvalid + "Value must be provided when Exists is null for Attribute: a"},
        {R"({"a":{"Exists":true}})", kInvalid + "Value must be provided when Exists is true for Attribute: a"},
        {R"({"a":{"Exists":false,"Value":{"S":"x"}}})",
         kInvalid + "Value cannot be used when Exists is false for Attribute: a"},
        {R"({"a":{"ComparisonOperator":"LT"}})",
         kInvalid + "Value or AttributeValueList must be used with ComparisonOperator: LT for Attribute: a"},
        {R"({"a":{"Exists":true,"ComparisonOperator":"LT"}})",
         kInvalid + "Exists and ComparisonOperator cannot be used together for Attribute: a"},
        {R"({"a":{"AttributeValueList":[{"S":"x"}],"Value":{"S":"x"},"ComparisonOperator":"LT","Exists":true}})",
         kInvalid + "Value and AttributeValueList cannot be used together for Attribute: a"},
        {R"({"a":{"AttributeValueList":[{"S":"x"}]}})",
         kInvalid + "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
        {R"({"a":{"Exists":true,"AttributeValueList":[{"S":"x"}]}})",
         kInvalid + "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
        {R"({"a":{"AttributeValueList":[],"ComparisonOperator":"EQ"}})", count + "EQ ComparisonOperator"},
        {R"({"a":{"AttributeValueList":[{"S":"x"}],"ComparisonOperator":"NULL"}})", count + "NULL ComparisonOperator"},
        {R"({"a":{"AttributeValueList":[],"ComparisonOperator":"IN"}})", count + "IN ComparisonOperator"},
        {R"({"a":{"AttributeValueList":[{"N":"1"},{"N":"2"},{"S":"3"}],"ComparisonOperator":"BETWEEN"}})",
         count + "BETWEEN ComparisonOperator"},
        {R"({"a":{"Value":{"S":"x"},"ComparisonOperator":"NOT_NULL"}})", count + "NOT_NULL ComparisonOperator"},
        {R"({"a":{"Value":{"S":"x"},"ComparisonOperator":"BETWEEN"}})", count + "BETWEEN ComparisonOperator"},
        {R"({"a":{"AttributeValueList":[{"N":"1"},{"S":"1"}],"ComparisonOperator":"BETWEEN"}})",
         kInvalid + "AttributeValues inside AttributeValueList must be of same type"},
        {R"({"a":{"Value":{"BOOL":true},"ComparisonOperator":"LT"}})",
         kInvalid + "ComparisonOperator LT is not valid for BOOL AttributeValue type"},
        {R"({"a":{"AttributeValueList":[{"N":"10"},{"N":"9"}],"ComparisonOperator":"BETWEEN"}})",
         "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"},
        {R"({"a":{"Value":{"S":"x"}},"b":{"Exists":false},"c":{}})",
         kInvalid + "Value must be provided when Exists is null for Attribute: c"},
        {R"({"b":{"ComparisonOperator":"EQ"},"a":{}})",
         kInvalid + "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: b"},
    };
    for (const auto &[json, expected] : cases) {
        EXPECT_EQ(refusal(json, LegacyParameter::expected), expected) << json;
    }
}

TEST(LegacyExpected, Accepted)
{
    for (const char *json : {
             R"({"a":{"Value":{"S":"x"}}})",
             R"({"a":{"Exists":true,"Value":{"L":[]}}})",
             R"({"a":{"Exists":false}})",
             R"({"a":{"ComparisonOperator":"NULL"},"b":{"ComparisonOperator":"NOT_NULL"}})",
             R"({"a":{"ComparisonOperator":"NULL","AttributeValueList":[]}})",
             R"({"a":{"ComparisonOperator":"EQ","Value":{"M":{}}}})",
             R"({"a":{"ComparisonOperator":"IN","AttributeValueList":[{"S":"x"},{"S":"y"}]}})",
             R"({})",
         }) {
        EXPECT_EQ(refusal(json, LegacyParameter::expected), "") << json;
    }
}

TEST(LegacyFilter, ArgumentCounts)
{
    const std::string one = R"({"S":"x"})";
    for (const auto &[name, counts] : {std::pair{"EQ", "1"},
                                       {"NE", "1"},
                                       {"LT", "1"},
                                       {"LE", "1"},
                                       {"GT", "1"},
                                       {"GE", "1"},
                                       {"NULL", "0"},
                                       {"NOT_NULL", "0"},
                                       {"CONTAINS", "1"},
                                       {"NOT_CONTAINS", "1"},
                                       {"BEGINS_WITH", "1"},
                                       {"IN", "123"},
                                       {"BETWEEN", "2"}}) {
        std::string list;
        for (char count = '0'; count <= '3'; ++count) {
            for (const auto parameter : {LegacyParameter::filter, LegacyParameter::key_conditions}) {
                const std::string json = std::string(R"({"a":{"ComparisonOperator":")")
                                             .append(name)
                                             .append(R"(","AttributeValueList":[)")
                                             .append(list)
                                             .append("]}}");
                const bool accepted = std::string_view(counts).find(count) != std::string_view::npos;
                EXPECT_EQ(refusal(json, parameter),
                          accepted ? ""
                                   : kInvalid + "Invalid number of argument(s) for the " + name + " ComparisonOperator")
                    << json;
            }
            list.append(list.empty() ? "" : ",").append(one);
        }
        const bool none = std::string_view(counts) == "0";
        EXPECT_EQ(refusal(std::string(R"({"a":{"ComparisonOperator":")").append(name).append(R"("}})"),
                          LegacyParameter::filter)
                      .empty(),
                  none)
            << name;
    }
}

TEST(LegacyFilter, ArgumentTypes)
{
    const std::pair<std::string, const char *> values[] = {
        {"S", R"({"S":"x"})"},        {"N", R"({"N":"1"})"},        {"B", R"({"B":"x"})"},
        {"BOOL", R"({"BOOL":true})"}, {"NULL", R"({"NULL":true})"}, {"SS", R"({"SS":["x"]})"},
        {"NS", R"({"NS":["1"]})"},    {"BS", R"({"BS":["x"]})"},    {"M", R"({"M":{}})"},
        {"L", R"({"L":[]})"},
    };
    const std::string all = " S N B BOOL NULL SS NS BS M L ";
    const std::string ordered = " S N B ";
    const std::string scalar = " S N B BOOL NULL ";
    for (const auto &[name, accepted] : {std::pair{"EQ", all},
                                         {"NE", all},
                                         {"LT", ordered},
                                         {"LE", ordered},
                                         {"GT", ordered},
                                         {"GE", ordered},
                                         {"CONTAINS", scalar},
                                         {"NOT_CONTAINS", scalar},
                                         {"BEGINS_WITH", std::string(" S B ")},
                                         {"IN", ordered},
                                         {"BETWEEN", ordered}}) {
        for (const auto &[type, value] : values) {
            std::string list = value;
            if (std::string_view(name) == "BETWEEN") {
                list.append(",").append(value);
            }
            const std::string json = std::string(R"({"a":{"ComparisonOperator":")")
                                         .append(name)
                                         .append(R"(","AttributeValueList":[)")
                                         .append(list)
                                         .append("]}}");
            const bool ok = accepted.find(" " + type + " ") != std::string::npos;
            EXPECT_EQ(refusal(json, LegacyParameter::filter), ok ? ""
                                                                 : kInvalid + "ComparisonOperator " + name +
                                                                       " is not valid for " + type +
                                                                       " AttributeValue type")
                << json;
        }
    }
}

TEST(LegacyFilter, TypesAndBounds)
{
    EXPECT_EQ(refusal(R"({"a":{"ComparisonOperator":"IN","AttributeValueList":[{"S":"b"},{"N":"1"}]}})",
                      LegacyParameter::key_conditions),
              kInvalid + "AttributeValues inside AttributeValueList must be of same type");
    EXPECT_EQ(refusal(R"({"a":{"ComparisonOperator":"IN","AttributeValueList":[{"SS":["b"]},{"N":"1"}]}})",
                      LegacyParameter::filter),
              kInvalid + "AttributeValues inside AttributeValueList must be of same type");
    for (const char *list : {R"({"S":"b"},{"S":"a"})", R"({"N":"10"},{"N":"9"})", R"({"B":"b"},{"B":"a"})"}) {
        EXPECT_EQ(refusal(std::string(R"({"a":{"ComparisonOperator":"BETWEEN","AttributeValueList":[)") + list + "]}}",
                          LegacyParameter::filter),
                  "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
    }
    EXPECT_EQ(refusal(R"({"a":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"9"},{"N":"9.0"}]}})",
                      LegacyParameter::filter),
              "");
}

TEST(LegacyFilter, AmountIsBounded)
{
    const JsonAttributes value(R"({"v":{"S":"x"}})");
    const std::vector<LegacyCondition> many(301, LegacyCondition{.attribute = "a", .comparison_operator = "NOT_NULL"});
    EXPECT_TRUE(check_legacy_conditions(std::span(many).first(300), LegacyParameter::filter));
    EXPECT_FALSE(check_legacy_conditions(many, LegacyParameter::filter));

    LegacyCondition in{.attribute = "a", .comparison_operator = "IN"};
    in.values.emplace(50'000, value["v"]);
    const std::vector<LegacyCondition> one(1, in);
    ASSERT_TRUE(check_legacy_conditions(one, LegacyParameter::filter));
    EXPECT_TRUE(condition_of_legacy(one, false).holds(*JsonAttributes(R"({"a":{"S":"x"}})")));
    EXPECT_FALSE(condition_of_legacy(one, false).holds(*JsonAttributes(R"({"a":{"S":"y"}})")));
    const auto message_of = [](const std::vector<LegacyCondition> &conditions) {
        const auto checked = check_legacy_conditions(conditions, LegacyParameter::filter);
        return checked ? "" : checked.error().message;
    };
    const std::string too_many = "The expression contains too many operators; operator count: ";
    EXPECT_EQ(message_of(std::vector(2, in)), too_many + "100000");
    in.values->resize(25'000, value["v"]);
    EXPECT_EQ(message_of(std::vector(2, in)), "");
    in.values->push_back(value["v"]);
    EXPECT_EQ(message_of(std::vector(2, in)), too_many + "50002");
    in.values->resize(50'001, value["v"]);
    EXPECT_EQ(message_of(std::vector(1, in)), too_many + "50001");
}

TEST(LegacyFilter, LongListsAreLookedUp)
{
    std::string list = R"({"a":{"L":[)";
    for (int i = 0; i < 30'000; ++i) {
        list += (i == 0 ? "" : ",") + std::string(R"({"N":")") + std::to_string(2 * ((i * 7919) % 30'000)) + "\"}";
    }
    const JsonAttributes values(list + "]}}");
    LegacyCondition in{.attribute = "a", .comparison_operator = "IN"};
    in.values.emplace();
    for (const model::ValueView value : values["a"].list()) {
        in.values->push_back(value);
    }
    const std::vector<LegacyCondition> one(1, in);
    ASSERT_TRUE(check_legacy_conditions(one, LegacyParameter::filter));
    const Condition condition = condition_of_legacy(one, false);
    // Looking at each operand in turn would take minutes.
    for (int i = 0; i < 60'000; ++i) {
        const JsonAttributes item(R"({"a":{"N":")" + std::to_string(i) + "\"}}");
        ASSERT_EQ(condition.holds(*item), i % 2 == 0) << i;
    }
    EXPECT_FALSE(condition.holds(*JsonAttributes(R"({"a":{"S":"2"}})")));
    EXPECT_FALSE(condition.holds(*JsonAttributes(R"({"a":{"NS":["2"]}})")));
    EXPECT_FALSE(condition.holds(*JsonAttributes(R"({"b":{"N":"2"}})")));
}

constexpr std::string_view kItem = R"({
    "s": {"S": "hello"}, "n": {"N": "5"}, "b": {"B": "hello"}, "t": {"BOOL": true}, "z": {"NULL": true},
    "ss": {"SS": ["a", "b"]}, "ns": {"NS": ["1", "2"]}, "bs": {"BS": ["x", "y"]}, "l": {"L": [{"S": "a"}, {"N": "1"}]},
    "m": {"M": {"k": {"S": "v"}}}, "m.k": {"S": "dotted"}
})";

bool holds(std::string_view json, LegacyParameter parameter, bool any = false, std::string_view item = kItem)
{
    const Legacy legacy(json);
    const auto checked = check_legacy_conditions(*legacy, parameter);
    EXPECT_TRUE(checked) << json << "   " << checked.error().message;
    const Condition condition = condition_of_legacy(*legacy, any);
    std::vector<std::string_view> names;
    condition.for_each_attribute([&](std::string_view name) { names.push_back(name); });
    EXPECT_GE(names.size(), (*legacy).size());
    EXPECT_EQ(names.front(), (*legacy).front().attribute);
    return condition.holds(*JsonAttributes(item));
}

/// '<attribute> <operator> <arguments>', as an entry of ScanFilter.
std::string entry(std::string_view line)
{
    const std::size_t first = line.find(' ');
    const std::size_t second = std::min(line.find(' ', first + 1), line.size());
    std::string json = R"({")";
    json.append(line.substr(0, first)).append(R"(":{"ComparisonOperator":")");
    json.append(line.substr(first + 1, second - first - 1)).append(R"(","AttributeValueList":[)");
    return json.append(line.substr(std::min(second + 1, line.size()))).append("]}}");
}

TEST(LegacyCondition, Holds)
{
    for (const char *line : {
             R"(s EQ {"S":"hello"})",
             R"(n EQ {"N":"5.0"})",
             R"(t EQ {"BOOL":true})",
             R"(z EQ {"NULL":true})",
             R"(ss EQ {"SS":["b","a"]})",
             R"(m EQ {"M":{"k":{"S":"v"}}})",
             R"(l EQ {"L":[{"S":"a"},{"N":"1"}]})",
             R"(m.k EQ {"S":"dotted"})",
             R"(s NE {"S":"other"})",
             R"(s NE {"N":"5"})",
             R"(gone NE {"S":"x"})",
             R"(n LT {"N":"10"})",
             R"(n LE {"N":"5"})",
             R"(n GT {"N":"4.9"})",
             R"(n GE {"N":"5"})",
             R"(s GT {"S":"he"})",
             R"(b LT {"B":"i"})",
             "s NOT_NULL ",
             "z NOT_NULL ",
             "gone NULL ",
             R"(s CONTAINS {"S":"ell"})",
             R"(b CONTAINS {"B":"ell"})",
             R"(ss CONTAINS {"S":"a"})",
             R"(ns CONTAINS {"N":"2.0"})",
             R"(bs CONTAINS {"B":"x"})",
             R"(l CONTAINS {"N":"1"})",
             R"(s NOT_CONTAINS {"S":"x"})",
             R"(n NOT_CONTAINS {"S":"5"})",
             R"(ss NOT_CONTAINS {"S":"c"})",
             R"(s BEGINS_WITH {"S":"he"})",
             R"(b BEGINS_WITH {"B":"he"})",
             R"(n IN {"N":"1"},{"N":"5"})",
             R"(n BETWEEN {"N":"5"},{"N":"6"})",
         }) {
        EXPECT_TRUE(holds(entry(line), LegacyParameter::filter)) << line;
    }
}

TEST(LegacyCondition, HoldsNot)
{
    for (const char *line : {
             R"(s EQ {"S":"Hello"})",
             R"(s EQ {"B":"hello"})",
             R"(gone EQ {"S":"x"})",
             R"(s NE {"S":"hello"})",
             R"(ss NE {"SS":["b","a"]})",
             R"(n LT {"N":"5"})",
             R"(s LT {"N":"9"})",
             R"(gone LT {"N":"9"})",
             R"(n LE {"N":"4"})",
             R"(n GT {"N":"5"})",
             R"(n GE {"N":"6"})",
             "s NULL ",
             "z NULL ",
             "gone NOT_NULL ",
             R"(s CONTAINS {"S":"x"})",
             R"(n CONTAINS {"N":"5"})",
             R"(gone CONTAINS {"S":"x"})",
             R"(s NOT_CONTAINS {"S":"ell"})",
             R"(l NOT_CONTAINS {"S":"a"})",
             R"(gone NOT_CONTAINS {"S":"x"})",
             R"(s BEGINS_WITH {"S":"ell"})",
             R"(gone BEGINS_WITH {"S":"x"})",
             R"(n IN {"N":"1"},{"N":"2"})",
             R"(gone IN {"N":"1"})",
             R"(n BETWEEN {"N":"6"},{"N":"7"})",
             R"(s BETWEEN {"N":"1"},{"N":"9"})",
         }) {
        EXPECT_FALSE(holds(entry(line), LegacyParameter::filter)) << line;
    }
}

TEST(LegacyCondition, Expected)
{
    const auto expected = [](std::string_view json) { return holds(json, LegacyParameter::expected); };
    EXPECT_TRUE(expected(R"({"s":{"Value":{"S":"hello"}}})"));
    EXPECT_FALSE(expected(R"({"s":{"Value":{"S":"x"}}})"));
    EXPECT_TRUE(expected(R"({"s":{"Exists":true,"Value":{"S":"hello"}}})"));
    EXPECT_FALSE(expected(R"({"s":{"Exists":true,"Value":{"S":"x"}}})"));
    EXPECT_TRUE(expected(R"({"gone":{"Exists":false}})"));
    EXPECT_FALSE(expected(R"({"s":{"Exists":false}})"));
    EXPECT_TRUE(expected(R"({"n":{"ComparisonOperator":"GE","Value":{"N":"5"}}})"));
    EXPECT_FALSE(expected(R"({"n":{"ComparisonOperator":"GT","Value":{"N":"5"}}})"));
    EXPECT_TRUE(holds(R"({"pk":{"Exists":false}})", LegacyParameter::expected, false, "{}"));
    EXPECT_FALSE(holds(R"({"pk":{"Value":{"S":"a"}}})", LegacyParameter::expected, false, "{}"));
}

TEST(LegacyCondition, AllOrAny)
{
    constexpr std::string_view kYes = R"("s":{"Value":{"S":"hello"}},"gone":{"Exists":false})";
    constexpr std::string_view kMixed = R"("n":{"Value":{"N":"6"}},"s":{"Value":{"S":"hello"}})";
    constexpr std::string_view kNo = R"("n":{"Value":{"N":"6"}},"s":{"Exists":false})";
    for (const auto &[entries, all, any] : {std::tuple{kYes, true, true}, {kMixed, false, true}, {kNo, false, false}}) {
        const std::string json = "{" + std::string(entries) + "}";
        EXPECT_EQ(holds(json, LegacyParameter::expected, false), all) << json;
        EXPECT_EQ(holds(json, LegacyParameter::expected, true), any) << json;
    }
}

TEST(LegacyKeyConditions, Clauses)
{
    const auto clauses_of = [](std::string_view json) {
        const Legacy legacy(json);
        EXPECT_TRUE(check_legacy_conditions(*legacy, LegacyParameter::key_conditions)) << json;
        const auto clauses = key_clauses_of_legacy(*legacy);
        if (!clauses) {
            return clauses.error().message;
        }
        std::string out;
        for (const KeyClause &clause : *clauses) {
            out.append(clause.attribute).append(" ").append(std::to_string(static_cast<int>(clause.op)));
            if (clause.op != KeyOperator::not_indexable) {
                out.append(" ").append(describe(clause.value));
            }
            out.append(clause.upper ? " " + describe(*clause.upper) + "; " : "; ");
        }
        return out;
    };
    const auto number = [](KeyOperator op) { return std::to_string(static_cast<int>(op)); };
    EXPECT_EQ(clauses_of(R"({"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]},
                             "sk":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"1"},{"N":"2"}]}})"),
              "pk " + number(KeyOperator::equal) + " S:a; sk " + number(KeyOperator::between) + " N:1 N:2; ");
    for (const auto &[name, op] : {std::pair{"EQ", KeyOperator::equal},
                                   {"LT", KeyOperator::less},
                                   {"LE", KeyOperator::less_or_equal},
                                   {"GT", KeyOperator::greater},
                                   {"GE", KeyOperator::greater_or_equal},
                                   {"BEGINS_WITH", KeyOperator::begins_with}}) {
        EXPECT_EQ(clauses_of(entry(std::string("sk ") + name + R"( {"S":"x"})")), "sk " + number(op) + " S:x; ");
    }
    for (const char *line : {"sk NULL ", "sk NOT_NULL ", R"(sk NE {"S":"x"})", R"(sk CONTAINS {"S":"x"})",
                             R"(sk NOT_CONTAINS {"S":"x"})", R"(sk IN {"S":"x"},{"S":"y"})"}) {
        EXPECT_EQ(clauses_of(entry(line)), "sk " + number(KeyOperator::not_indexable) + "; ") << line;
    }
    EXPECT_EQ(clauses_of("{}"), "Conditions can be of length 1 or 2 only");
    std::string nine = "{";
    for (char name = 'a'; name <= 'i'; ++name) {
        nine.append(name == 'a' ? "\"" : ",\"").append(1, name).append(R"(":{"ComparisonOperator":"NULL"})");
    }
    EXPECT_EQ(clauses_of(nine + "}"), "Conditions can be of length 1 or 2 only");
}

TEST(AttributeUpdates, Refused)
{
    using Action = AttributeUpdate::Action;
    const JsonAttributes values(R"({"S":{"S":"x"},"N":{"N":"1"},"B":{"B":"x"},"BOOL":{"BOOL":true},"NULL":{"NULL":true},
                                    "SS":{"SS":["x"]},"NS":{"NS":["1"]},"BS":{"BS":["x"]},"M":{"M":{}},"L":{"L":[]}})");
    const auto message = [](Action action, std::optional<model::ValueView> value) {
        const AttributeUpdate updates[] = {{.attribute = "ok", .action = Action::remove, .value = std::nullopt},
                                           {.attribute = "a", .action = action, .value = value}};
        const auto checked = check_attribute_updates(updates);
        return checked ? "" : checked.error().message;
    };
    const std::string no_value = kInvalid + "Only DELETE action is allowed when no attribute value is specified";
    EXPECT_EQ(message(Action::put, std::nullopt), no_value);
    EXPECT_EQ(message(Action::add, std::nullopt), no_value);
    EXPECT_EQ(message(Action::remove, std::nullopt), "");
    for (const auto &[type, value] : *values) {
        const std::string name(type);
        const bool set = name == "SS" || name == "NS" || name == "BS";
        EXPECT_EQ(message(Action::put, value), "") << name;
        EXPECT_EQ(message(Action::remove, value),
                  set ? "" : kInvalid + "DELETE action with value is not supported for the type " + name);
        EXPECT_EQ(message(Action::add, value), set || name == "N" || name == "L"
                                                   ? ""
                                                   : kInvalid + "ADD action is not supported for the type " + name);
    }
}

} // namespace
} // namespace basalt::expression

// Model constraints: the service's known answers, and every constraint of the model once.
#include "protocol/document.h"
#include "protocol/value_text.h"
#include "unit/protocol/decoded_request.h"
#include "unit/protocol/model_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace basalt::protocol {
namespace {

using Type = Shape::Type;
using testing::EndsWith;
using testing::StartsWith;

constexpr std::string_view kOne = "1 validation error detected: ";

std::string bound(const Shape &shape, bool is_min)
{
    const bool number = shape.type == Type::integer || shape.type == Type::long_integer;
    return std::string("Member must have ") + (number ? "value " : "length ") +
           (is_min ? "greater than or equal to " + std::to_string(shape.min)
                   : "less than or equal to " + std::to_string(shape.max));
}

std::string enum_set(const Shape &shape)
{
    std::string text = "Member must satisfy enum value set: [";
    for (std::size_t i = 0; i < shape.enum_values.size(); ++i) {
        text += (i == 0 ? "" : ", ") + std::string(shape.enum_values[i]);
    }
    return text + "]";
}

std::string pattern(const Shape &shape)
{
    return "Member must satisfy regular expression pattern: " + std::string(shape.pattern);
}

std::string composite(const Shape &shape)
{
    std::vector<std::string> parts;
    if (shape.max != Shape::kNoMax) {
        parts.push_back(bound(shape, false));
    }
    if (shape.min != Shape::kNoMin) {
        parts.push_back(bound(shape, true));
    }
    if (!shape.pattern.empty()) {
        parts.push_back(pattern(shape));
    }
    if (!shape.enum_values.empty()) {
        parts.push_back(enum_set(shape));
    }
    std::string text = "[";
    for (std::size_t i = 0; i < parts.size(); ++i) {
        text += (i == 0 ? "" : ", ") + parts[i];
    }
    return text + "]";
}

/// Texts that break at least one constraint of a string shape.
std::vector<std::string> broken_texts(const Shape &shape)
{
    std::vector<std::string> texts;
    if (!shape.enum_values.empty()) {
        texts = {"", "hi"};
    }
    if (shape.min > 0) {
        texts.push_back(valid_text(shape).substr(0, static_cast<std::size_t>(shape.min - 1)));
    }
    if (shape.max != Shape::kNoMax) {
        texts.emplace_back(static_cast<std::size_t>(shape.max + 1), 'a');
    }
    if (!shape.pattern.empty()) {
        const auto min = static_cast<std::size_t>(std::max<std::int64_t>(shape.min, 1));
        for (const char c : {';', '$', 'x', ',', '~'}) {
            if (const std::string text(min, c); !matches_pattern(shape, text)) {
                texts.push_back(text);
                break;
            }
        }
    }
    return texts;
}

/// The constraints that a text breaks, in reporting order.
std::vector<std::string> broken_constraints(const Shape &shape, const std::string &text)
{
    std::vector<std::string> broken;
    if (!shape.enum_values.empty() && std::ranges::find(shape.enum_values, text) == shape.enum_values.end()) {
        broken.push_back(enum_set(shape));
    }
    if (!matches_pattern(shape, text)) {
        broken.push_back(pattern(shape));
    }
    if (shape.min != Shape::kNoMin && std::ssize(text) < shape.min) {
        broken.push_back(bound(shape, true));
    }
    if (shape.max != Shape::kNoMax && std::ssize(text) > shape.max) {
        broken.push_back(bound(shape, false));
    }
    return broken;
}

std::string failure(const std::string &value, const std::string &path, const std::string &constraint)
{
    return "Value '" + value.substr(0, kMaxValueTextBytes) + "' at '" + path +
           "' failed to satisfy constraint: " + constraint;
}

int check_string(const ModelValue &value)
{
    const Shape &shape = *value.shape;
    int checked = 0;
    for (const auto &text : broken_texts(shape)) {
        const DecodedRequest request(*value.operation, value.body('"' + text + '"'));
        ++checked;
        if (value.position == Position::member) {
            if (shape.name_rule == Shape::NameRule::control) {
                continue; // known answers below
            }
            const auto constraints = broken_constraints(shape, text);
            std::string expected = std::to_string(constraints.size()) +
                                   (constraints.size() == 1 ? " validation error" : " validation errors") +
                                   " detected: ";
            for (std::size_t i = 0; i < constraints.size(); ++i) {
                expected += (i == 0 ? "" : "; ") + failure(text, value.path, constraints[i]);
            }
            EXPECT_EQ(request.message(), expected);
        } else {
            const std::string_view kind = value.position == Position::map_key     ? "Map keys"
                                          : value.position == Position::map_value ? "Map value"
                                                                                  : "Member";
            const auto message = request.message();
            EXPECT_THAT(message, StartsWith(std::string(kOne) + "Value '"));
            EXPECT_THAT(message, EndsWith("' at '" + value.parent_path + "' failed to satisfy constraint: " +
                                          std::string(kind) + " must satisfy constraint: " + composite(shape)));
        }
    }
    return checked;
}

int check_number(const ModelValue &value)
{
    int checked = 0;
    const auto check = [&](std::int64_t number, bool is_min) {
        const DecodedRequest request(*value.operation, value.body(std::to_string(number)));
        const bool bare = value.member != nullptr && value.member->bare == Member::BareBound::min && is_min;
        EXPECT_EQ(request.message(),
                  std::string(kOne) + (bare
                                           ? "Value at '" + std::string(value.member->name) +
                                                 "' failed to satisfy constraint: " + bound(*value.shape, is_min)
                                           : failure(std::to_string(number), value.path, bound(*value.shape, is_min))));
        ++checked;
    };
    if (value.shape->min != Shape::kNoMin) {
        check(value.shape->min - 1, true);
    }
    if (value.shape->max != Shape::kNoMax) {
        check(value.shape->max + 1, false);
    }
    return checked;
}

int check_list(const ModelValue &value)
{
    const Shape &shape = *value.shape;
    int checked = 0;
    const auto check = [&](std::int64_t count, bool is_min) {
        std::string json = "[";
        for (std::int64_t i = 0; i < count; ++i) {
            json += (i == 0 ? "" : ",") + valid_json(*shape.element);
        }
        const auto message = DecodedRequest(*value.operation, value.body(json + "]")).message();
        ++checked;
        EXPECT_THAT(message, StartsWith(std::string(kOne) + "Value "));
        if (value.position == Position::map_value) {
            EXPECT_THAT(message, EndsWith("' at '" + value.parent_path +
                                          "' failed to satisfy constraint: Map value must satisfy constraint: " +
                                          composite(shape)));
        } else if (value.member->bare == Member::BareBound::max && !is_min) {
            EXPECT_EQ(message, std::string(kOne) + "Value at 'RequestItems.aaa.member.Keys' failed to satisfy "
                                                   "constraint: Member must have length less than or equal to 100");
        } else {
            EXPECT_THAT(message, testing::HasSubstr("' at '" + value.path + "' failed to satisfy constraint: "));
            EXPECT_THAT(message, EndsWith(bound(shape, is_min)));
        }
    };
    if (shape.min > 0) {
        check(shape.min - 1, true);
    }
    if (shape.max != Shape::kNoMax) {
        check(shape.max + 1, false);
    }
    return checked;
}

TEST(Constraints, ValidRequestsPassForEveryOperation)
{
    EXPECT_EQ(operations().size(), 61U);
    for (const auto &model : operations()) {
        EXPECT_EQ(DecodedRequest(model, valid_json(*model.input)).message(), "") << model.name;
        EXPECT_EQ(find_operation(model.target), &model);
    }
    for_each_value([](const ModelValue &value) {
        const std::string json =
            value.position == Position::map_key ? '"' + valid_text(*value.shape) + '"' : valid_json(*value.shape);
        EXPECT_EQ(DecodedRequest(*value.operation, value.body(json)).message(), "")
            << value.operation->name << ' ' << value.path;
    });
}

TEST(Constraints, EveryConstraintOfTheModel)
{
    int checked = 0;
    for_each_value([&](const ModelValue &value) {
        switch (value.shape->type) {
        case Type::string:
            checked += check_string(value);
            break;
        case Type::integer:
        case Type::long_integer:
            checked += check_number(value);
            break;
        case Type::list:
            checked += check_list(value);
            break;
        default:
            break;
        }
    });
    EXPECT_GT(checked, 500);
}

TEST(Constraints, EveryRequiredMember)
{
    int checked = 0;
    for_each_value([&](const ModelValue &value) {
        if (value.member == nullptr || !value.member->required) {
            return;
        }
        ++checked;
        const bool control = value.shape->name_rule == Shape::NameRule::control;
        for (const auto *json : {"", "null"}) {
            EXPECT_EQ(DecodedRequest(*value.operation, value.body(json)).message(),
                      control ? "The parameter 'TableName' is required but was not present in the request"
                              : std::string(kOne) + "Value null at '" + value.path +
                                    "' failed to satisfy constraint: Member must not be null");
        }
    });
    EXPECT_GT(checked, 150);
}

TEST(Constraints, NullElements)
{
    EXPECT_EQ(message_of("CreateTable", R"({"TableName":"abc","KeySchema":[null]})"),
              "1 validation error detected: Value null at 'keySchema.1.member' failed to satisfy constraint: Member "
              "must not be null");
    EXPECT_EQ(message_of("BatchGetItem", R"({"RequestItems":{"abc":null}})"),
              "1 validation error detected: Value null at 'requestItems.abc.member' failed to satisfy constraint: "
              "Member must not be null");
}

} // namespace
} // namespace basalt::protocol

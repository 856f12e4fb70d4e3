// Visits every value that the inputs of all operations can hold.
#include "unit/protocol/model_walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace basalt::protocol {
namespace {

using Body = std::function<std::string(const std::string &)>;
using Type = Shape::Type;

std::string lower_first(std::string_view name)
{
    std::string text(name);
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

std::string in_quotes(std::string_view text)
{
    return '"' + std::string(text) + '"';
}

/// A structure with its required members, where one of them is replaced (left out when empty).
std::string structure_json(const Shape &shape, const Member *replaced, const std::string &json)
{
    std::string text;
    for (const auto &member : shape.members) {
        const bool here = &member == replaced;
        if (here ? json.empty() : !member.required) {
            continue;
        }
        text += (text.empty() ? "" : ",") + in_quotes(member.name) + ':' + (here ? json : valid_json(*member.shape));
    }
    return '{' + text + '}';
}

class Walk {
public:
    Walk(const OperationModel &operation, const std::function<void(const ModelValue &)> &visit)
        : operation_(operation),
          visit_(visit)
    {
        inside(*operation.input, "", [](const std::string &json) { return json; });
    }

private:
    void inside(const Shape &shape, const std::string &path, const Body &body)
    {
        if (shape.type == Type::structure) {
            structure(shape, path, body);
        } else if (shape.type == Type::list) {
            const auto list_body = [body](const std::string &json) { return body('[' + json + ']'); };
            value({&operation_, shape.element, &shape, nullptr, Position::list_element, path + ".1.member", path,
                   list_body});
        } else if (shape.type == Type::map) {
            map(shape, path, body);
        }
    }

    void structure(const Shape &shape, const std::string &path, const Body &body)
    {
        for (const auto &member : shape.members) {
            const auto member_body = [&shape, &member, body](const std::string &json) {
                return body(structure_json(shape, &member, json));
            };
            const auto name = lower_first(member.name);
            value({&operation_, member.shape, &shape, &member, Position::member,
                   path.empty() ? name : path + '.' + name, path, member_body});
        }
    }

    void map(const Shape &shape, const std::string &path, const Body &body)
    {
        const auto key = valid_text(*shape.key);
        const auto key_body = [&shape, body](const std::string &json) {
            return body('{' + json + ':' + valid_json(*shape.element) + '}');
        };
        visit_({&operation_, shape.key, &shape, nullptr, Position::map_key, path, path, key_body});
        const auto value_body = [key, body](const std::string &json) {
            return body('{' + in_quotes(key) + ':' + json + '}');
        };
        value({&operation_, shape.element, &shape, nullptr, Position::map_value, path + '.' + key + ".member", path,
               value_body});
    }

    void value(const ModelValue &value)
    {
        visit_(value);
        inside(*value.shape, value.path, value.body);
    }

    const OperationModel &operation_;
    const std::function<void(const ModelValue &)> &visit_;
};

} // namespace

std::string valid_text(const Shape &shape)
{
    if (!shape.enum_values.empty()) {
        return std::string(shape.enum_values.front());
    }
    const auto min = static_cast<std::size_t>(std::max<std::int64_t>(shape.min, 3));
    for (std::string text : {std::string(min, 'a'), std::string(","), std::string(12, '1')}) {
        if (matches_pattern(shape, text) && (shape.max == Shape::kNoMax || std::ssize(text) <= shape.max)) {
            return text;
        }
    }
    ADD_FAILURE() << "no valid text for " << shape.name;
    return {};
}

std::string valid_json(const Shape &shape)
{
    switch (shape.type) {
    case Type::string:
        return in_quotes(valid_text(shape));
    case Type::integer:
    case Type::long_integer:
        return std::to_string(std::max<std::int64_t>(shape.min, 0));
    case Type::double_number:
    case Type::timestamp:
        return "1.5";
    case Type::boolean:
        return "true";
    case Type::blob:
        return "\"AAAA\"";
    case Type::attribute_value:
        return R"({"S":"x"})";
    case Type::structure:
        return structure_json(shape, nullptr, {});
    case Type::list: {
        std::string text;
        for (std::int64_t i = 0; i < std::max<std::int64_t>(shape.min, 0); ++i) {
            text += (i == 0 ? "" : ",") + valid_json(*shape.element);
        }
        return '[' + text + ']';
    }
    case Type::map:
        return shape.min < 1 ? "{}" : '{' + in_quotes(valid_text(*shape.key)) + ':' + valid_json(*shape.element) + '}';
    }
    return {};
}

void for_each_value(const std::function<void(const ModelValue &)> &visit)
{
    for (const auto &operation : operations()) {
        const Walk walk(operation, visit);
    }
}

} // namespace basalt::protocol

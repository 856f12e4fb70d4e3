// From JSON to encoded values.
#include "unit/expression/json_values.h"

#include "base/check.h"
#include "codec/item_encoding.h"
#include "model/decimal.h"

#include <nlohmann/json.hpp>

namespace basalt::expression {

namespace {

using Json = nlohmann::ordered_json;

void write_map(codec::ItemWriter &writer, const Json &map);

model::Decimal number(const Json &text)
{
    return model::Decimal::parse(text.get<std::string>()).value();
}

void write_set(codec::ItemWriter &writer, model::AttributeType type, const Json &members)
{
    writer.begin_set(type);
    for (const Json &member : members) {
        if (type == model::AttributeType::number_set) {
            writer.member(number(member));
        } else {
            writer.member(std::string_view(member.get_ref<const std::string &>()));
        }
    }
    writer.end();
}

/// json: an object of one member, the type.
void write_value(codec::ItemWriter &writer, const Json &json)
{
    const auto type = model::type_from_name(json.begin().key());
    BASALT_CHECK(json.size() == 1 && type.has_value());
    const Json &content = *json.begin();
    switch (*type) {
    case model::AttributeType::string:
        return writer.string(content.get<std::string>());
    case model::AttributeType::number:
        return writer.number(number(content));
    case model::AttributeType::binary:
        return writer.binary(content.get<std::string>());
    case model::AttributeType::boolean:
        return writer.boolean(content.get<bool>());
    case model::AttributeType::null:
        return writer.null();
    case model::AttributeType::map:
        return write_map(writer, content);
    case model::AttributeType::list:
        writer.begin_list();
        for (const Json &element : content) {
            write_value(writer, element);
        }
        return writer.end();
    default:
        return write_set(writer, *type, content);
    }
}

void write_map(codec::ItemWriter &writer, const Json &map)
{
    writer.begin_map();
    for (const auto &[name, value] : map.items()) {
        writer.name(name);
        write_value(writer, value);
    }
    writer.end();
}

std::string encode(const Json &map)
{
    std::string bytes;
    codec::ItemWriter writer(bytes);
    write_map(writer, map);
    return bytes;
}

/// Moves the names from the object into texts and names.
std::string encode_values(std::string_view text, std::list<std::string> &texts, std::vector<NameSubstitution> &names)
{
    const Json placeholders = Json::parse(text);
    Json values = Json::object();
    for (const auto &[key, value] : placeholders.items()) {
        if (value.is_string()) {
            const std::string &placeholder = texts.emplace_back(key);
            names.push_back({placeholder, texts.emplace_back(value.get<std::string>())});
        } else {
            values[key] = value;
        }
    }
    return encode(values);
}

} // namespace

JsonAttributes::JsonAttributes(std::string_view json)
    : bytes_(encode(Json::parse(json)))
{}

model::ValueView JsonAttributes::operator[](std::string_view name) const
{
    const auto value = (**this).find(name);
    BASALT_CHECK(value.has_value());
    return *value;
}

JsonPlaceholders::JsonPlaceholders(std::string_view json)
    : values_(encode_values(json, texts_, names_)),
      placeholders_(names_, model::ValueView(values_).map())
{}

} // namespace basalt::expression

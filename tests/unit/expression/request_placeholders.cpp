// Reads the line and encodes its values.
#include "unit/expression/request_placeholders.h"

#include "base/check.h"
#include "codec/item_encoding.h"

namespace basalt::expression {

namespace {

void write_value(codec::ItemWriter &writer, std::string_view type_text, std::string_view text)
{
    const auto type = model::type_from_name(type_text);
    BASALT_CHECK(type.has_value());
    switch (*type) {
    case model::AttributeType::string:
        return writer.string(text);
    case model::AttributeType::number:
        return writer.number(model::Decimal::parse(text).value());
    case model::AttributeType::binary:
        return writer.binary(text);
    case model::AttributeType::boolean:
        return writer.boolean(true);
    case model::AttributeType::null:
        return writer.null();
    case model::AttributeType::map:
        writer.begin_map();
        writer.name("1");
        writer.null();
        return writer.end();
    case model::AttributeType::list:
        writer.begin_list();
        writer.null();
        return writer.end();
    default:
        writer.begin_set(*type);
        writer.member(std::string_view("1"));
        return writer.end();
    }
}

std::string encode(std::string_view line, std::vector<NameSubstitution> &names)
{
    std::string bytes;
    codec::ItemWriter writer(bytes);
    writer.begin_map();
    while (!line.empty()) {
        const std::string_view entry = line.substr(0, line.find(' '));
        line.remove_prefix(std::min(entry.size() + 1, line.size()));
        const std::size_t equals = entry.find('=');
        const std::string_view left = entry.substr(0, equals);
        const std::string_view right = entry.substr(equals + 1);
        if (left.starts_with('#')) {
            names.push_back({left, right});
        } else {
            writer.name(left);
            const std::size_t colon = std::min(right.find(':'), right.size());
            write_value(writer, right.substr(0, colon), right.substr(std::min(colon + 1, right.size())));
        }
    }
    writer.end();
    return bytes;
}

} // namespace

RequestPlaceholders::RequestPlaceholders(std::string_view line)
    : line_(line),
      values_(encode(line_, names_)),
      placeholders_(names_, model::ValueView(values_).map())
{}

std::string describe(model::ValueView value)
{
    std::string text(model::type_name(value.type()));
    switch (value.type()) {
    case model::AttributeType::string:
    case model::AttributeType::number:
    case model::AttributeType::binary:
        return text.append(":").append(value.text());
    default:
        return text;
    }
}

} // namespace basalt::expression

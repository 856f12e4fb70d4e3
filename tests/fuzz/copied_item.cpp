// The walk over all views of an item.
#include "fuzz/copied_item.h"

#include "model/decimal.h"

namespace basalt::fuzz {

namespace {

using model::AttributeType;

void copy_attributes(model::MapView attributes, codec::ItemWriter &writer)
{
    for (const model::Attribute attribute : attributes) {
        writer.name(attribute.name);
        copy_value(attribute.value, writer);
    }
}

void copy_set(model::ValueView value, codec::ItemWriter &writer)
{
    writer.begin_set(value.type());
    for (const Bytes member : value.set()) {
        if (value.type() == AttributeType::number_set) {
            writer.member(model::Decimal::parse(member).value());
        } else {
            writer.member(member);
        }
    }
    writer.end();
}

} // namespace

void copy_value(model::ValueView value, codec::ItemWriter &writer)
{
    switch (value.type()) {
    case AttributeType::string:
        return writer.string(value.text());
    case AttributeType::number:
        return writer.number(model::Decimal::parse(value.text()).value());
    case AttributeType::binary:
        return writer.binary(value.text());
    case AttributeType::boolean:
        return writer.boolean(value.boolean());
    case AttributeType::null:
        return writer.null();
    case AttributeType::map:
        writer.begin_map();
        copy_attributes(value.map(), writer);
        return writer.end();
    case AttributeType::list:
        writer.begin_list();
        for (const model::ValueView element : value.list()) {
            copy_value(element, writer);
        }
        return writer.end();
    case AttributeType::string_set:
    case AttributeType::number_set:
    case AttributeType::binary_set:
        return copy_set(value, writer);
    }
}

std::string copied(model::ItemView item)
{
    std::string bytes;
    codec::ItemWriter writer(bytes);
    writer.begin_item();
    copy_attributes(item.attributes(), writer);
    writer.end();
    return bytes;
}

std::string item_of(std::string_view name, model::ValueView value)
{
    std::string bytes;
    codec::ItemWriter writer(bytes);
    writer.begin_item();
    writer.name(name);
    writer.value(value);
    writer.end();
    return bytes;
}

} // namespace basalt::fuzz

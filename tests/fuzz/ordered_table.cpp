// One order for each member.
#include "fuzz/ordered_table.h"

#include <optional>

namespace basalt::fuzz {

namespace {

using model::AttributeType;

constexpr std::uint8_t kMaxElements = 4;

AttributeType key_type(Orders &orders)
{
    return static_cast<AttributeType>(1 + orders.byte() % 3);
}

template <typename Element>
std::vector<Element> named_types(Orders &orders, std::uint8_t count)
{
    std::vector<Element> elements;
    for (; count != 0; --count) {
        std::string name = orders.text();
        elements.push_back({std::move(name), key_type(orders)});
    }
    return elements;
}

std::optional<model::Units> units(Orders &orders)
{
    if (!orders.flag()) {
        return std::nullopt;
    }
    const std::int64_t read = orders.integer();
    return model::Units{read, orders.integer()};
}

model::IndexDescription index(Orders &orders)
{
    model::IndexDescription made;
    made.name = orders.text();
    made.keys.hash = named_types<model::KeyElement>(orders, orders.byte() % (kMaxElements + 1));
    made.keys.range = named_types<model::KeyElement>(orders, orders.byte() % (kMaxElements + 1));
    made.projection = static_cast<model::ProjectionType>(orders.byte() % 3);
    for (std::uint8_t count = orders.byte() % kMaxElements; count != 0; --count) {
        made.non_key_attributes.push_back(orders.text());
    }
    made.keyspace = static_cast<std::uint32_t>(orders.integer());
    made.provisioned = units(orders).value_or(model::Units{0, 0});
    made.on_demand = units(orders);
    made.warm = units(orders);
    return made;
}

std::vector<model::IndexDescription> indexes(Orders &orders)
{
    std::vector<model::IndexDescription> made;
    for (std::uint8_t count = orders.byte() % kMaxElements; count != 0; --count) {
        made.push_back(index(orders));
    }
    return made;
}

void order_settings(Orders &orders, model::TableDescription &table)
{
    table.billing_mode = orders.flag() ? model::BillingMode::pay_per_request : model::BillingMode::provisioned;
    table.billing_mode_shown = orders.flag();
    table.provisioned = units(orders).value_or(model::Units{0, 0});
    table.on_demand = units(orders);
    table.warm = units(orders);
    table.created_ms = orders.integer();
    table.active_from_ms = orders.integer();
    table.gone_from_ms = orders.integer();
    table.deletion_protection = orders.flag();
    table.stream_view_type = orders.text();
    table.stream_since_ms = orders.integer();
    table.table_class = orders.text();
    table.sse_kms = orders.flag();
    table.sse_key_arn = orders.text();
    table.resource_policy = orders.text();
}

} // namespace

model::TableDescription ordered_table(Orders &orders)
{
    model::TableDescription table;
    table.name = orders.text();
    table.id = orders.text();
    table.keyspace = static_cast<std::uint32_t>(orders.integer());
    table.attributes = named_types<model::AttributeDefinition>(orders, orders.byte() % (kMaxElements + 1));
    table.keys.hash = named_types<model::KeyElement>(orders, 1);
    table.keys.range = named_types<model::KeyElement>(orders, orders.byte() % 2);
    table.local_indexes = indexes(orders);
    table.collections_keyspace = table.local_indexes.empty() ? 0 : 1U + orders.byte();
    table.global_indexes = indexes(orders);
    table.log_keyspace = table.global_indexes.empty() ? 0 : 1U + orders.byte();
    order_settings(orders, table);
    for (std::uint8_t count = orders.byte() % kMaxElements; count != 0; --count) {
        std::string key = orders.text();
        table.tags.push_back({std::move(key), orders.text()});
    }
    return table;
}

} // namespace basalt::fuzz

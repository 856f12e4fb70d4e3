#include "codec/table_encoding.h"

#include "codec/item_encoding.h"

#include <charconv>
#include <string_view>

namespace basalt::codec {
namespace {

using model::AttributeType;

// --- writing ---

void put_text(ItemWriter &out, std::string_view name, std::string_view text)
{
    out.name(name);
    out.string(text);
}

void put_integer(ItemWriter &out, std::string_view name, std::int64_t value)
{
    out.name(name);
    out.number(model::Decimal(value));
}

void put_units(ItemWriter &out, std::string_view name, const model::Units &units)
{
    out.name(name);
    out.begin_map();
    put_integer(out, "Read", units.read);
    put_integer(out, "Write", units.write);
    out.end();
}

void put_key_elements(ItemWriter &out, std::string_view name, const std::vector<model::KeyElement> &elements)
{
    out.name(name);
    out.begin_list();
    for (const auto &element : elements) {
        out.begin_map();
        put_text(out, "Name", element.name);
        put_text(out, "Type", model::type_name(element.type));
        out.end();
    }
    out.end();
}

void put_texts(ItemWriter &out, std::string_view name, const std::vector<std::string> &texts)
{
    out.name(name);
    out.begin_list();
    for (const auto &text : texts) {
        out.string(text);
    }
    out.end();
}

void put_changes(ItemWriter &out, const model::ThroughputChanges &changes)
{
    out.name("Changes");
    out.begin_map();
    put_integer(out, "LastIncrease", changes.last_increase_ms);
    put_integer(out, "LastDecrease", changes.last_decrease_ms);
    put_integer(out, "Decreases", changes.decreases);
    out.end();
}

void put_index(ItemWriter &out, const model::IndexDescription &index)
{
    out.begin_map();
    put_text(out, "Name", index.name);
    put_key_elements(out, "Hash", index.keys.hash);
    put_key_elements(out, "Range", index.keys.range);
    put_integer(out, "Projection", static_cast<std::int64_t>(index.projection));
    put_texts(out, "NonKeyAttributes", index.non_key_attributes);
    put_integer(out, "Keyspace", index.keyspace);
    put_units(out, "Provisioned", index.provisioned);
    if (index.on_demand) {
        put_units(out, "OnDemand", *index.on_demand);
    }
    if (index.warm) {
        put_units(out, "Warm", *index.warm);
    }
    put_changes(out, index.changes);
    out.name("Building");
    out.boolean(index.building);
    put_integer(out, "GoneFrom", index.gone_from_ms);
    out.end();
}

void put_indexes(ItemWriter &out, std::string_view name, const std::vector<model::IndexDescription> &indexes)
{
    out.name(name);
    out.begin_list();
    for (const auto &index : indexes) {
        put_index(out, index);
    }
    out.end();
}

void put_settings(ItemWriter &out, const model::TableDescription &table)
{
    put_integer(out, "BillingMode", static_cast<std::int64_t>(table.billing_mode));
    out.name("BillingModeShown");
    out.boolean(table.billing_mode_shown);
    put_units(out, "Provisioned", table.provisioned);
    if (table.on_demand) {
        put_units(out, "OnDemand", *table.on_demand);
    }
    if (table.warm) {
        put_units(out, "Warm", *table.warm);
    }
    put_changes(out, table.changes);
    put_integer(out, "OnDemandFrom", table.on_demand_from_ms);
    put_integer(out, "Created", table.created_ms);
    put_integer(out, "ActiveFrom", table.active_from_ms);
    put_integer(out, "UpdatedFrom", table.updated_from_ms);
    put_integer(out, "GoneFrom", table.gone_from_ms);
    out.name("DeletionProtection");
    out.boolean(table.deletion_protection);
    put_text(out, "StreamViewType", table.stream_view_type);
    put_integer(out, "StreamSince", table.stream_since_ms);
    put_text(out, "TableClass", table.table_class);
    out.name("SseKms");
    out.boolean(table.sse_kms);
    put_text(out, "SseKeyArn", table.sse_key_arn);
    put_text(out, "ResourcePolicy", table.resource_policy);
}

// --- reading ---

/// Reads members of one map; the first one that is missing or of another type makes it fail for good.
class MapReader {
public:
    explicit MapReader(model::MapView map)
        : map_(map)
    {}

    [[nodiscard]] bool ok() const { return ok_; }
    void fail_if(bool bad) { ok_ = ok_ && !bad; }

    std::optional<model::ValueView> get(std::string_view name, AttributeType type)
    {
        const auto value = map_.find(name);
        if (!value || value->type() != type) {
            ok_ = false;
            return std::nullopt;
        }
        return value;
    }
    std::string text(std::string_view name)
    {
        const auto value = get(name, AttributeType::string);
        return value ? std::string(value->text()) : std::string();
    }
    bool boolean(std::string_view name)
    {
        const auto value = get(name, AttributeType::boolean);
        return value && value->boolean();
    }
    std::int64_t integer(std::string_view name)
    {
        const auto value = get(name, AttributeType::number);
        std::int64_t number = 0;
        if (value) {
            const auto text = value->text();
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            fail_if(error != std::errc() || end != text.data() + text.size());
        }
        return number;
    }
    template <typename Enum>
    Enum enumerator(std::string_view name, Enum last)
    {
        const auto number = integer(name);
        fail_if(number < 0 || number > static_cast<std::int64_t>(last));
        return ok_ ? static_cast<Enum>(number) : Enum{};
    }
    std::uint32_t keyspace(std::string_view name) { return static_cast<std::uint32_t>(integer(name)); }

    model::Units units(std::string_view name)
    {
        const auto value = get(name, AttributeType::map);
        if (!value) {
            return {};
        }
        MapReader members(value->map());
        const model::Units units{members.integer("Read"), members.integer("Write")};
        fail_if(!members.ok());
        return units;
    }
    std::optional<model::Units> optional_units(std::string_view name)
    {
        return map_.find(name) ? std::optional(units(name)) : std::nullopt;
    }

    model::ThroughputChanges changes()
    {
        const auto value = get("Changes", AttributeType::map);
        if (!value) {
            return {};
        }
        MapReader members(value->map());
        const model::ThroughputChanges changes{members.integer("LastIncrease"), members.integer("LastDecrease"),
                                               members.integer("Decreases")};
        fail_if(!members.ok());
        return changes;
    }

    /// Calls each with a reader of every map in a list.
    template <typename Each>
    void maps(std::string_view name, Each each)
    {
        const auto value = get(name, AttributeType::list);
        if (!value) {
            return;
        }
        for (const auto element : value->list()) {
            if (element.type() != AttributeType::map) {
                ok_ = false;
                return;
            }
            MapReader reader(element.map());
            each(reader);
            fail_if(!reader.ok());
        }
    }
    std::vector<std::string> texts(std::string_view name)
    {
        std::vector<std::string> result;
        const auto value = get(name, AttributeType::list);
        if (!value) {
            return result;
        }
        for (const auto element : value->list()) {
            if (element.type() != AttributeType::string) {
                ok_ = false;
                return result;
            }
            result.emplace_back(element.text());
        }
        return result;
    }
    AttributeType key_type(std::string_view name)
    {
        const auto type = model::type_from_name(text(name));
        fail_if(!type);
        return type.value_or(AttributeType::string);
    }

private:
    model::MapView map_;
    bool ok_ = true;
};

std::vector<model::KeyElement> get_key_elements(MapReader &in, std::string_view name)
{
    std::vector<model::KeyElement> elements;
    in.maps(name, [&](MapReader &element) { elements.push_back({element.text("Name"), element.key_type("Type")}); });
    return elements;
}

std::vector<model::IndexDescription> get_indexes(MapReader &in, std::string_view name)
{
    std::vector<model::IndexDescription> indexes;
    in.maps(name, [&](MapReader &element) {
        model::IndexDescription index;
        index.name = element.text("Name");
        index.keys.hash = get_key_elements(element, "Hash");
        index.keys.range = get_key_elements(element, "Range");
        index.projection = element.enumerator("Projection", model::ProjectionType::include);
        index.non_key_attributes = element.texts("NonKeyAttributes");
        index.keyspace = element.keyspace("Keyspace");
        index.provisioned = element.units("Provisioned");
        index.on_demand = element.optional_units("OnDemand");
        index.warm = element.optional_units("Warm");
        index.changes = element.changes();
        index.building = element.boolean("Building");
        index.gone_from_ms = element.integer("GoneFrom");
        indexes.push_back(std::move(index));
    });
    return indexes;
}

void get_settings(MapReader &in, model::TableDescription &table)
{
    table.billing_mode = in.enumerator("BillingMode", model::BillingMode::pay_per_request);
    table.billing_mode_shown = in.boolean("BillingModeShown");
    table.provisioned = in.units("Provisioned");
    table.on_demand = in.optional_units("OnDemand");
    table.warm = in.optional_units("Warm");
    table.changes = in.changes();
    table.on_demand_from_ms = in.integer("OnDemandFrom");
    table.created_ms = in.integer("Created");
    table.active_from_ms = in.integer("ActiveFrom");
    table.updated_from_ms = in.integer("UpdatedFrom");
    table.gone_from_ms = in.integer("GoneFrom");
    table.deletion_protection = in.boolean("DeletionProtection");
    table.stream_view_type = in.text("StreamViewType");
    table.stream_since_ms = in.integer("StreamSince");
    table.table_class = in.text("TableClass");
    table.sse_kms = in.boolean("SseKms");
    table.sse_key_arn = in.text("SseKeyArn");
    table.resource_policy = in.text("ResourcePolicy");
}

} // namespace

std::string encode_table(const model::TableDescription &table)
{
    std::string bytes;
    ItemWriter out(bytes);
    out.begin_item();
    put_text(out, "Name", table.name);
    put_text(out, "Id", table.id);
    put_integer(out, "Keyspace", table.keyspace);
    put_integer(out, "CollectionsKeyspace", table.collections_keyspace);
    put_integer(out, "LogKeyspace", table.log_keyspace);
    out.name("Attributes");
    out.begin_list();
    for (const auto &attribute : table.attributes) {
        out.begin_map();
        put_text(out, "Name", attribute.name);
        put_text(out, "Type", model::type_name(attribute.type));
        out.end();
    }
    out.end();
    put_key_elements(out, "Hash", table.keys.hash);
    put_key_elements(out, "Range", table.keys.range);
    put_indexes(out, "LocalIndexes", table.local_indexes);
    put_indexes(out, "GlobalIndexes", table.global_indexes);
    put_indexes(out, "DeletedIndexes", table.deleted_indexes);
    put_settings(out, table);
    out.name("Tags");
    out.begin_list();
    for (const auto &tag : table.tags) {
        out.begin_map();
        put_text(out, "Key", tag.key);
        put_text(out, "Value", tag.value);
        out.end();
    }
    out.end();
    out.end();
    return bytes;
}

Result<model::TableDescription> decode_table(Bytes bytes)
{
    if (!is_valid_item(bytes)) {
        return fail(ErrorCode::corruption, "a table description in the catalog does not decode");
    }
    MapReader in(model::ItemView(bytes).attributes());
    model::TableDescription table;
    table.name = in.text("Name");
    table.id = in.text("Id");
    table.keyspace = in.keyspace("Keyspace");
    table.collections_keyspace = in.keyspace("CollectionsKeyspace");
    table.log_keyspace = in.keyspace("LogKeyspace");
    in.maps("Attributes", [&](MapReader &element) {
        table.attributes.push_back({element.text("Name"), element.key_type("Type")});
    });
    table.keys.hash = get_key_elements(in, "Hash");
    table.keys.range = get_key_elements(in, "Range");
    in.fail_if(table.keys.hash.size() != 1 || table.keys.range.size() > 1);
    table.local_indexes = get_indexes(in, "LocalIndexes");
    in.fail_if(table.local_indexes.empty() != (table.collections_keyspace == 0));
    table.global_indexes = get_indexes(in, "GlobalIndexes");
    in.fail_if(!table.global_indexes.empty() && table.log_keyspace == 0);
    table.deleted_indexes = get_indexes(in, "DeletedIndexes");
    get_settings(in, table);
    in.maps("Tags", [&](MapReader &element) { table.tags.push_back({element.text("Key"), element.text("Value")}); });
    if (!in.ok()) {
        return fail(ErrorCode::corruption,
                    "the description of table '" + table.name + "' in the catalog is incomplete");
    }
    return table;
}

} // namespace basalt::codec

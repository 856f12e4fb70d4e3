#include "unit/engine/store_fixture.h"

#include "contract/toy_store.h"
#include "engine/index_entry.h"
#include "model/decimal.h"
#include "storage/rocksdb/rocksdb_store.h"

#include <utility>

namespace basalt::engine {

std::unique_ptr<storage::Store> open_backend(Backend backend)
{
    if (backend == Backend::toy) {
        return storage::make_toy_store();
    }
    storage::RocksdbOptions options;
    options.in_memory = true;
    return std::move(storage::open_rocksdb(options).value());
}

std::string backend_name(const testing::TestParamInfo<Backend> &info)
{
    return info.param == Backend::toy ? "toy" : "rocksdb_in_memory";
}

model::TableDescription pair_table(std::string name)
{
    using model::AttributeType;
    model::TableDescription table;
    table.name = std::move(name);
    table.attributes = {{"pk", AttributeType::string}, {"sk", AttributeType::string}};
    table.keys.hash = {{"pk", AttributeType::string}};
    table.keys.range = {{"sk", AttributeType::string}};
    table.billing_mode = model::BillingMode::pay_per_request;
    return table;
}

model::TableDescription indexed_table(std::string name)
{
    using model::AttributeType;
    auto table = pair_table(std::move(name));
    model::IndexDescription local;
    local.name = "by_l";
    local.keys.hash = table.keys.hash;
    local.keys.range = {{"l", AttributeType::number}};
    table.local_indexes.push_back(local);
    model::IndexDescription global;
    global.name = "by_g";
    global.keys.hash = {{"g", AttributeType::string}};
    global.keys.range = {{"b", AttributeType::binary}};
    table.global_indexes.push_back(global);
    return table;
}

Item::Item()
    : writer_(bytes_)
{
    writer_.begin_item();
}

Item &Item::s(std::string_view name, std::string_view text)
{
    writer_.name(name);
    writer_.string(text);
    return *this;
}

Item &Item::n(std::string_view name, std::string_view number)
{
    writer_.name(name);
    writer_.number(model::Decimal::parse(number).value());
    return *this;
}

Item &Item::b(std::string_view name, std::string_view bytes)
{
    writer_.name(name);
    writer_.binary(bytes);
    return *this;
}

Item &Item::null(std::string_view name)
{
    writer_.name(name);
    writer_.null();
    return *this;
}

model::ItemView Item::view()
{
    if (open_) {
        writer_.end();
        open_ = false;
    }
    return model::ItemView(bytes_);
}

std::string entry_of(const model::TableDescription &table, const model::IndexDescription &index, model::ItemView item)
{
    std::string bytes;
    codec::ItemWriter writer(bytes);
    writer.begin_item();
    for (const auto attribute : item.attributes()) {
        if (is_projected(table, index, attribute.name)) {
            writer.name(attribute.name);
            writer.value(attribute.value);
        }
    }
    writer.end();
    return bytes;
}

} // namespace basalt::engine

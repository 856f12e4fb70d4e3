#include "unit/engine/engine_fixture.h"

#include <array>

namespace basalt::engine {
namespace {

std::optional<std::string> copy(std::optional<model::ItemView> item)
{
    return item ? std::optional(std::string(item->bytes())) : std::nullopt;
}

} // namespace

DecidedWrite DecidedWrite::refuse(Error error)
{
    DecidedWrite write{ItemChange{}};
    write.error_ = std::move(error);
    return write;
}

Result<ItemChange> DecidedWrite::evaluate(std::optional<model::ItemView> item)
{
    ++evaluations;
    evaluated_on = copy(item);
    if (error_) {
        return fail(*error_);
    }
    return change_;
}

void DecidedWrite::accepted(const AcceptedChange &change)
{
    ++acceptances;
    old_item = copy(change.old_item);
    new_item = copy(change.new_item);
    collection_bytes = change.collection_bytes;
}

EngineTest::EngineTest()
{
    EXPECT_TRUE(engine_.load());
}

TablePtr EngineTest::create(model::TableDescription description)
{
    EXPECT_TRUE(engine_.catalog().create(storage::Wait::allowed, description).result);
    table_ = engine_.catalog().find_active(description.name).value();
    return table_;
}

PrimaryKey EngineTest::key_of(Item &item) const
{
    return key_from_stored(table_->description.keys, item.view().attributes());
}

PrimaryKey EngineTest::key_of(std::string_view pk, std::string_view sk) const
{
    Item item;
    return key_of(item.s("pk", pk).s("sk", sk));
}

void EngineTest::put(Item &item)
{
    auto decided = DecidedWrite::put(item);
    ASSERT_TRUE(write(key_of(item), decided));
}

void EngineTest::remove(std::string_view pk, std::string_view sk)
{
    auto decided = DecidedWrite::remove();
    ASSERT_TRUE(write(key_of(pk, sk), decided));
}

Result<void> EngineTest::write(const PrimaryKey &key, ItemWrite &write)
{
    const std::array targets{ItemWriteTarget{*table_, key, write}};
    return engine_.write_items(storage::Wait::allowed, targets).result;
}

std::vector<std::string> EngineTest::rows(storage::KeyspaceId keyspace)
{
    std::vector<std::string> found;
    auto outcome = store_.read(storage::Wait::allowed, storage::View::latest, storage::Consistency::strong,
                               [&](storage::Reader &reader) -> Result<void> {
                                   found.clear();
                                   auto scanned = reader.scan(keyspace, {}, [&](const storage::Row &row) {
                                       found.emplace_back(row.value);
                                       return true;
                                   });
                                   return scanned ? Result<void>() : fail(scanned.error());
                               });
    EXPECT_TRUE(outcome.result);
    return found;
}

std::optional<std::string> EngineTest::row(storage::KeyspaceId keyspace, const storage::Key &key)
{
    std::optional<std::string> found;
    auto outcome = store_.read(storage::Wait::allowed, storage::View::latest, storage::Consistency::strong,
                               [&](storage::Reader &reader) -> Result<void> {
                                   auto value = reader.get(keyspace, key);
                                   if (!value) {
                                       return fail(value.error());
                                   }
                                   found = *value ? std::optional(std::string(**value)) : std::nullopt;
                                   return {};
                               });
    EXPECT_TRUE(outcome.result);
    return found;
}

std::optional<std::uint64_t> EngineTest::collection_bytes(std::string_view pk)
{
    const auto key = key_of(pk, "any");
    const auto value = row(table_->collections_keyspace(), {key.hash, key.partition, {}, {}});
    if (!value) {
        return std::nullopt;
    }
    EXPECT_EQ(value->size(), 8U);
    std::uint64_t bytes = 0;
    for (std::size_t i = value->size(); i-- > 0;) {
        bytes = bytes << 8U | static_cast<unsigned char>((*value)[i]);
    }
    return bytes;
}

std::string bytes_of(Item &item)
{
    return std::string(item.view().bytes());
}

} // namespace basalt::engine

// An engine with one table on either backend, and writes whose effects tests look at.
#pragma once

#include "engine/engine.h"
#include "unit/engine/store_fixture.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace basalt::engine {

/// A write that is decided beforehand and notes what it is told.
class DecidedWrite final : public ItemWrite {
public:
    static DecidedWrite put(Item &item) { return DecidedWrite({ItemChange::Kind::put, item.view()}); }
    static DecidedWrite remove() { return DecidedWrite({ItemChange::Kind::remove, std::nullopt}); }
    static DecidedWrite nothing() { return DecidedWrite({}); }
    static DecidedWrite refuse(Error error);

    explicit DecidedWrite(ItemChange change)
        : change_(change)
    {}
    DecidedWrite &see_old()
    {
        needs_old_ = true;
        return *this;
    }

    DecidedWrite &costing(std::uint32_t cost)
    {
        cost_ = cost;
        return *this;
    }

    [[nodiscard]] bool needs_old_item() const override { return needs_old_; }
    [[nodiscard]] std::uint32_t cost() const override { return cost_; }
    [[nodiscard]] Result<ItemChange> evaluate(std::optional<model::ItemView> old_item) override;
    void accepted(const AcceptedChange &change) override;

    // Bytes of the last evaluation's item, and of the last accepted change.
    int evaluations = 0;
    int acceptances = 0;
    std::optional<std::string> evaluated_on;
    std::optional<std::string> old_item;
    std::optional<std::string> new_item;
    std::uint64_t collection_bytes = 0;

private:
    ItemChange change_;
    std::optional<Error> error_;
    bool needs_old_ = false;
    std::uint32_t cost_ = 1;
};

class EngineTest : public BackendTest {
protected:
    EngineTest();

    /// Creates the table that the other members work on.
    TablePtr create(model::TableDescription description);

    [[nodiscard]] PrimaryKey key_of(Item &item) const;
    [[nodiscard]] PrimaryKey key_of(std::string_view pk, std::string_view sk) const;

    void put(Item &item);
    void remove(std::string_view pk, std::string_view sk);
    Result<void> write(const PrimaryKey &key, ItemWrite &write);

    /// All rows of a keyspace, in order.
    std::vector<std::string> rows(storage::KeyspaceId keyspace);
    std::optional<std::string> row(storage::KeyspaceId keyspace, const storage::Key &key);
    /// What is stored under a key of the table.
    std::optional<std::string> stored(const PrimaryKey &key) { return row(table_->keyspace(), key.view()); }
    /// The stored size of the collection of a partition; nothing: there is no row.
    std::optional<std::uint64_t> collection_bytes(std::string_view pk);

    [[nodiscard]] const model::IndexDescription &local_index(std::size_t number = 0) const
    {
        return table_->description.local_indexes.at(number);
    }
    [[nodiscard]] storage::KeyspaceId local_keyspace(std::size_t number = 0) const
    {
        return storage::KeyspaceId{local_index(number).keyspace};
    }

    Engine engine_{store_, clock_, random_, EngineOptions{}};
    TablePtr table_;
};

/// Bytes of an item, to compare with what is stored.
[[nodiscard]] std::string bytes_of(Item &item);

} // namespace basalt::engine

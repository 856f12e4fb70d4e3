// Single-item writes: one lock, at most one read, one commit.
#include "engine/engine.h"

#include <array>

namespace basalt::engine {

storage::Outcome Engine::write(storage::Wait wait, const Table &table, const PrimaryKey &key,
                               const ItemConsumer *old_item, std::optional<model::ItemView> new_item)
{
    const auto keyspace = table.keyspace();
    const auto row_key = key.view();
    const std::array locks{storage::LockKey{keyspace, row_key}};
    return store_.mutate(wait, locks, [&](storage::Mutation &mutation) -> Result<void> {
        if (old_item != nullptr) {
            auto row = mutation.get(keyspace, row_key);
            if (!row) {
                return fail(std::move(row).error());
            }
            (*old_item)(*row ? std::optional(model::ItemView(**row)) : std::nullopt);
        }
        if (new_item) {
            mutation.put(keyspace, row_key, new_item->bytes());
        } else {
            mutation.remove(keyspace, row_key);
        }
        return {};
    });
}

storage::Outcome Engine::put_item(storage::Wait wait, const Table &table, const PrimaryKey &key, model::ItemView item,
                                  const ItemConsumer *old_item)
{
    return write(wait, table, key, old_item, item);
}

storage::Outcome Engine::delete_item(storage::Wait wait, const Table &table, const PrimaryKey &key,
                                     const ItemConsumer *old_item)
{
    return write(wait, table, key, old_item, std::nullopt);
}

} // namespace basalt::engine

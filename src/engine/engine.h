// The engine: reads and writes of items on top of a store, for one attempt of an operation at a time. Plain synchronous
// code; what would have to wait says so (would_block) when waiting is not allowed.
#pragma once

#include "base/clock.h"
#include "base/function_ref.h"
#include "base/random.h"
#include "engine/catalog.h"
#include "engine/primary_key.h"
#include "engine/table.h"
#include "model/item_view.h"
#include "storage/store.h"

#include <cstdint>
#include <optional>

namespace basalt::engine {

/// Receives the stored item, or nothing if there is none. Called inside the store's body: views die with the call, and
/// the body may run again, so each call starts from scratch.
using ItemConsumer = function_ref<void(std::optional<model::ItemView>)>;

/// Where a page stops.
struct PageLimits {
    std::uint64_t items = 0; // evaluated items; 0: no limit
    std::uint64_t bytes = 0; // evaluated bytes by DynamoDB's size rule
};

/// What a page was.
struct Page {
    std::uint64_t items = 0;
    std::uint64_t bytes = 0;
    bool exhausted = false; // nothing follows in the range
};

/// Receives what a page evaluates, in order; restart() comes before the first item of each run of the body.
class PageConsumer {
public:
    virtual void restart() = 0;
    /// ends_page: a limit is reached with this item, so that the next page has to start behind it.
    virtual void item(model::ItemView item, bool ends_page) = 0;

protected:
    ~PageConsumer() = default;
};

/// Thread-safe. Outcomes carry the ticket that a reply must wait for.
class Engine {
public:
    /// transition_ms: how long tables are CREATING and DELETING. The references must outlive the engine.
    Engine(storage::Store &store, const Clock &clock, RandomSource &random, std::int64_t transition_ms);

    /// Call once before anything else.
    Result<void> load() { return catalog_.load(); }

    [[nodiscard]] Catalog &catalog() { return catalog_; }
    [[nodiscard]] const Catalog &catalog() const { return catalog_; }

    storage::Outcome get_item(storage::Wait wait, const Table &table, const PrimaryKey &key,
                              storage::Consistency consistency, ItemConsumer consumer);

    /// Replaces the whole item. old_item: called with what was there, or null if the caller does not need it (the old
    /// item is then not read).
    storage::Outcome put_item(storage::Wait wait, const Table &table, const PrimaryKey &key, model::ItemView item,
                              const ItemConsumer *old_item);

    storage::Outcome delete_item(storage::Wait wait, const Table &table, const PrimaryKey &key,
                                 const ItemConsumer *old_item);

    /// Walks a range of the table's items until a limit is reached. With Wait::never, pages that turn out to be long
    /// give would_block.
    storage::Outcome read_page(storage::Wait wait, const Table &table, const storage::Range &range,
                               const PageLimits &limits, storage::Consistency consistency, PageConsumer &consumer,
                               Page &page);

private:
    storage::Outcome write(storage::Wait wait, const Table &table, const PrimaryKey &key, const ItemConsumer *old_item,
                           std::optional<model::ItemView> new_item);

    storage::Store &store_;
    Catalog catalog_;
};

} // namespace basalt::engine

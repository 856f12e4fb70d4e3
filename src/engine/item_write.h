// A write of one item as the engine runs it: decided on the old item, inside the store's body.
#pragma once

#include "basalt/result.h"
#include "engine/primary_key.h"
#include "engine/table.h"
#include "model/item_view.h"

#include <cstdint>
#include <optional>

namespace basalt::engine {

/// What becomes of an item.
struct ItemChange {
    enum class Kind : std::uint8_t { none, put, remove };
    Kind kind = Kind::none;
    /// put: the whole new item; valid until the write is over or evaluated again.
    std::optional<model::ItemView> item = {};
};

/// A change that is about to be committed. Views die with the call.
struct AcceptedChange {
    std::optional<model::ItemView> old_item; // also empty if nobody needed it and it was not read
    std::optional<model::ItemView> new_item; // what stands there afterwards, changed or not; empty as old_item
    /// On a table with local indexes: what the item's collection holds afterwards, items and index entries, in bytes.
    std::uint64_t collection_bytes = 0;
};

/// Called inside the store's body, which may run again: each evaluate() starts from scratch. Used by one thread.
class ItemWrite {
public:
    /// Whether evaluate() or accepted() look at the old item. (It is read for tables with local indexes anyway.)
    [[nodiscard]] virtual bool needs_old_item() const = 0;

    /// How much evaluate() does, in steps of about 5 nanoseconds, for each 64 bytes of the old item and once without
    /// it: the operands of the condition and the update. What would take long is not run on a thread that must not
    /// wait.
    [[nodiscard]] virtual std::uint32_t cost() const { return 1; }

    /// Errors end the whole write, with nothing changed: conditional_check_failed, validation.
    [[nodiscard]] virtual Result<ItemChange> evaluate(std::optional<model::ItemView> old_item) = 0;

    /// After the evaluate() of every write of the commit, in their order.
    virtual void accepted(const AcceptedChange &change) = 0;

protected:
    ~ItemWrite() = default;
};

/// The references must outlive the call.
struct ItemWriteTarget {
    const Table &table;
    const PrimaryKey &key;
    ItemWrite &write;
};

} // namespace basalt::engine

// What a table's change log is told of a change of one item.
#pragma once

#include "engine/index_entries.h"
#include "model/item_view.h"
#include "model/table_description.h"

#include <optional>
#include <span>
#include <string>

namespace basalt::engine {

/// For one version of a table with global indexes, whose description must outlive it. Thread-safe.
class ChangeRecorder {
public:
    explicit ChangeRecorder(const model::TableDescription &table);
    ChangeRecorder(const ChangeRecorder &) = delete;
    ChangeRecorder &operator=(const ChangeRecorder &) = delete;

    /// Replaces out with the record of the change. False: no global index has anything to do. At least one of the items
    /// is there.
    bool record(std::optional<model::ItemView> old_item, std::optional<model::ItemView> new_item,
                std::string &out) const;

private:
    [[nodiscard]] bool touches_an_index(std::optional<model::ItemView> old_item,
                                        std::optional<model::ItemView> new_item) const;

    const model::TableDescription &table_;
    IndexNames indexes_;
    /// Records are made like the entries of an index: of the table's key attributes, and with those of global indexes.
    model::IndexDescription keys_;
    model::IndexDescription all_keys_;
    IndexNames keys_names_;
    IndexNames all_keys_names_;
};

} // namespace basalt::engine

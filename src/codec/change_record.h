// The records of a table's change log:
//
//   record   := format:u8 (1) kind:u8 item
//   kind     := 0: the item is new; `item` holds its key attributes
//             | 1: the item was there; `item` holds, of what it was, its key attributes and those of global indexes
//
// What the item became is not in the record: whoever applies it reads the item as it is by then.
#pragma once

#include "base/bytes.h"
#include "model/item_view.h"

#include <optional>
#include <string>

namespace basalt::codec {

struct ChangeRecord {
    bool was_there = false;
    model::ItemView item;
};

/// Appends the record. item: encoded.
void append_change_record(bool was_there, Bytes item, std::string &out);
/// Nothing: not such bytes.
[[nodiscard]] std::optional<ChangeRecord> decode_change_record(Bytes record);

} // namespace basalt::codec

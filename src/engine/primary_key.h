// From the attributes of a request to the key of a row, with the checks that need the table's schema.
#pragma once

#include "basalt/result.h"
#include "model/item_view.h"
#include "model/table_description.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace basalt::engine {

/// The order-preserving key of one item.
struct PrimaryKey {
    std::uint64_t hash = 0;
    std::string partition;
    std::string sort;

    /// Valid while this object stays where it is, unchanged.
    [[nodiscard]] storage::Key view() const { return storage::Key{hash, partition, sort, {}}; }
};

/// From a Key parameter: exactly the key attributes, with their types, not empty, not too long.
/// Errors (validation): the service's texts.
[[nodiscard]] Result<PrimaryKey> key_from_parameter(const model::KeySchema &schema, model::MapView key);

/// From a whole item. Errors (validation): as above, in the words of PutItem.
[[nodiscard]] Result<PrimaryKey> key_from_item(const model::KeySchema &schema, model::MapView item);

/// From attributes that are known to fit, such as a stored item.
[[nodiscard]] PrimaryKey key_from_stored(const model::KeySchema &schema, model::MapView item);

/// One key value: S or B not empty, hash at most 2,048 bytes, range at most 1,024.
[[nodiscard]] Result<void> check_key_value(const model::KeyElement &element, model::ValueView value, bool is_hash);

/// The key attributes among the given ones that have the schema's types: as check_key_value each. Missing and mistyped
/// ones are not looked at.
[[nodiscard]] Result<void> check_key_values(const model::KeySchema &schema, model::MapView attributes);

/// Bytes that a key value counts for in those limits.
[[nodiscard]] std::size_t key_bytes(model::ValueView value);

/// Whether a value has the element's type and is a legal key by itself.
[[nodiscard]] bool is_key_value(model::AttributeType type, model::ValueView value, bool is_hash);

/// Whether every index key attribute that an item carries has the index's type.
[[nodiscard]] bool has_index_key_types(const model::TableDescription &table, model::MapView item);

/// Index key attributes that an item carries must have the index's type and be legal keys, and all range attributes of
/// an index together at most 1,024 bytes; absent ones are fine.
/// Errors (validation): the service's texts, naming index and attribute.
[[nodiscard]] Result<void> check_index_keys(const model::TableDescription &table, model::MapView item);
[[nodiscard]] Result<void> check_index_keys(std::span<const model::IndexDescription> indexes, model::MapView item);

/// All range attributes together at most 1,024 bytes; missing and mistyped ones do not count. Error (validation).
[[nodiscard]] Result<void> check_range_size(const model::KeySchema &schema, model::MapView item);

} // namespace basalt::engine

// Tables and global indexes as the tests know them, the requests that make them, and the entries that an index has to
// have for given items.
#pragma once

#include "indexes/values.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace basalt::indexes {

struct KeyAttribute {
    std::string name;
    std::string type; // S, N or B
};

struct IndexShape {
    std::string name;
    std::vector<KeyAttribute> hash;  // 1 to 4
    std::vector<KeyAttribute> range; // 0 to 4
    std::string projection = "ALL";
    std::vector<std::string> included;

    [[nodiscard]] std::vector<KeyAttribute> keys() const;
};

struct TableShape {
    std::string name;
    std::vector<KeyAttribute> keys; // 1 or 2
    std::vector<IndexShape> indexes;

    /// The types of all attributes that are keys of the table or of an index.
    [[nodiscard]] std::map<std::string, std::string> types() const;
    [[nodiscard]] Json key_of(const Json &item) const;
};

/// The attributes, besides the table's keys, that indexes may have as keys.
[[nodiscard]] const std::vector<std::string> &index_attributes();
/// Those that never are.
[[nodiscard]] const std::vector<std::string> &plain_attributes();

/// Any index that the table may get. types: of attributes that are in no key yet; an attribute that is not in there
/// has any type.
[[nodiscard]] IndexShape random_index(Random &random, const TableShape &table, const std::string &name,
                                      const std::map<std::string, std::string> &types = {});

[[nodiscard]] Json create_table_request(const TableShape &table);
[[nodiscard]] Json create_index_request(const TableShape &table, const IndexShape &index);
[[nodiscard]] Json delete_index_request(const TableShape &table, const std::string &index);

/// Whether writes may give the attribute that value, as far as indexes have it as a key.
[[nodiscard]] bool is_legal(const TableShape &table, const std::string &attribute, const Json &value);
/// The same for a whole item; together its values may be too long where each is not.
[[nodiscard]] bool is_legal_item(const TableShape &table, const Json &item);

/// Whether the sort key of the item's entry is no longer than a key may be.
[[nodiscard]] bool has_short_range(const IndexShape &index, const Json &item);

/// What the index holds of the item.
[[nodiscard]] std::optional<Json> entry_of(const TableShape &table, const IndexShape &index, const Json &item);

} // namespace basalt::indexes

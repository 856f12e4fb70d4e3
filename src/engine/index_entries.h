// The entries of one item in all indexes of a table, found in one walk over the item: an item may have 75,000
// attributes, and a table 25 indexes.
#pragma once

#include "base/bytes.h"
#include "model/item_view.h"
#include "model/table_description.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::engine {

/// The attributes that some indexes of one table look at, so that a walk over an item need not ask each index about
/// each of them. At most 64 indexes; they and the table outlive this object.
class IndexNames {
public:
    IndexNames(const model::TableDescription &table, std::span<const model::IndexDescription> indexes);

    /// What one index does with an attribute of that name.
    struct Use {
        std::string_view name;
        std::uint8_t index = 0; // position among the indexes
        bool projects = false;  // entries hold the attribute; for an index that holds whole items never set
        bool is_key = false;    // of the index, which has an entry only for legal values of this type
        bool is_sort = false;
        model::AttributeType type{};
    };
    /// The uses of a name, often none.
    [[nodiscard]] std::span<const Use> uses(std::string_view name) const;
    /// How many different names there are.
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::span<const model::IndexDescription> indexes() const { return indexes_; }

private:
    void add(std::uint8_t number);
    [[nodiscard]] static std::uint64_t mark(std::string_view name);

    const model::TableDescription &table_;
    std::span<const model::IndexDescription> indexes_;
    std::vector<Use> uses_; // shorter names first, then by bytes
    std::size_t count_ = 0;
    std::uint64_t marks_ = 0; // of all names
};

/// The entries of one item in several indexes, found in one walk. Names and item outlive this object.
class IndexEntries {
public:
    IndexEntries(const IndexNames &names, model::ItemView item);

    /// Indexes are counted as in IndexNames. Whether the item has every key attribute, each with its type and a legal
    /// value.
    [[nodiscard]] bool has(std::size_t index) const { return states_[index].has; }
    /// DynamoDB's size of the entry: names and values of the projected attributes. 0 without an entry.
    [[nodiscard]] std::uint64_t size_bytes(std::size_t index) const;
    /// Of all entries together.
    [[nodiscard]] std::uint64_t size_bytes() const;
    /// Appends the sort part of the entry's row; only with an entry, of a local index.
    void append_sort(std::size_t index, std::string &out) const;
    /// The entry as an encoded item, only with an entry; the buffer is used unless the index holds whole items.
    [[nodiscard]] Bytes bytes(std::size_t index, std::string &buffer) const;

    /// Whether the entries of two versions of an item, both there, hold the same attributes in the same order, or in
    /// any order.
    [[nodiscard]] bool same_bytes(std::size_t index, const IndexEntries &other) const;
    [[nodiscard]] bool same_attributes(std::size_t index, const IndexEntries &other) const;
    /// Whether they have the same values in every key attribute of the index.
    [[nodiscard]] bool same_keys(std::size_t index, const IndexEntries &other) const;

private:
    struct State {
        std::size_t keys_found = 0;
        std::size_t sort_bytes = 0;
        std::uint64_t projected_bytes = 0;
        bool has = false;
    };
    /// An attribute of the item that some index looks at.
    struct Found {
        model::Attribute attribute;
        std::uint64_t projecting = 0; // bit set of indexes
        std::uint64_t keys = 0;
        std::uint64_t sorts = 0;
    };

    void take(const model::Attribute &attribute, std::span<const IndexNames::Use> uses);
    [[nodiscard]] bool holds_all(std::size_t index) const
    {
        return names_.indexes()[index].projection == model::ProjectionType::all;
    }
    [[nodiscard]] std::vector<model::Attribute> attributes(std::size_t index) const;

    const IndexNames &names_;
    model::ItemView item_;
    std::vector<State> states_;
    std::vector<Found> found_; // in the order of the item
};

} // namespace basalt::engine

#include "engine/index_entries.h"

#include "base/check.h"
#include "codec/item_encoding.h"
#include "codec/key_encoding.h"
#include "engine/primary_key.h"
#include "model/limits.h"

#include <algorithm>

namespace basalt::engine {
namespace {

using model::Attribute;
using model::IndexDescription;
using model::TableDescription;

constexpr std::size_t kMostIndexes = 64; // bits of a set
constexpr std::size_t kMostKeys = 10;    // of an index and its table

constexpr std::uint64_t bit(std::size_t index)
{
    return std::uint64_t{1} << index;
}

/// Most names differ in their length already.
bool is_before(std::string_view left, std::string_view right)
{
    return left.size() != right.size() ? left.size() < right.size() : left < right;
}

bool is_same(const Attribute &left, const Attribute &right)
{
    return left.name == right.name && left.value.bytes() == right.value.bytes();
}

} // namespace

IndexNames::IndexNames(const TableDescription &table, std::span<const IndexDescription> indexes)
    : table_(table),
      indexes_(indexes)
{
    BASALT_CHECK(indexes.size() <= kMostIndexes);
    std::size_t most = 0;
    for (const auto &index : indexes) {
        most += kMostKeys + index.non_key_attributes.size();
    }
    uses_.reserve(most);
    for (std::size_t i = 0; i < indexes.size(); ++i) {
        add(static_cast<std::uint8_t>(i));
    }
    std::sort(uses_.begin(), uses_.end(), [](const Use &left, const Use &right) {
        if (left.name != right.name) {
            return is_before(left.name, right.name);
        }
        return left.index != right.index ? left.index < right.index : left.is_key && !right.is_key;
    });
    for (std::size_t i = 0; i < uses_.size(); ++i) {
        const bool is_new = i == 0 || uses_[i].name != uses_[i - 1].name;
        if (is_new) {
            ++count_;
            marks_ |= mark(uses_[i].name);
        } else if (uses_[i].index == uses_[i - 1].index) {
            uses_[i].projects = false; // a key of table and index
        }
    }
}

void IndexNames::add(std::uint8_t number)
{
    const auto &index = indexes_[number];
    const bool chooses = index.projection != model::ProjectionType::all;
    for (const auto &element : index.keys.hash) {
        uses_.push_back({element.name, number, chooses, true, false, element.type});
    }
    for (const auto &element : index.keys.range) {
        uses_.push_back({element.name, number, chooses, true, true, element.type});
    }
    if (!chooses) {
        return;
    }
    for (const auto *elements : {&table_.keys.hash, &table_.keys.range}) {
        for (const auto &element : *elements) {
            uses_.push_back({element.name, number, true});
        }
    }
    if (index.projection == model::ProjectionType::include) {
        for (const auto &name : index.non_key_attributes) {
            uses_.push_back({name, number, true});
        }
    }
}

std::uint64_t IndexNames::mark(std::string_view name)
{
    if (name.empty()) {
        return 1;
    }
    const auto ends = static_cast<unsigned char>(name.front()) + 7U * static_cast<unsigned char>(name.back());
    return bit((ends + 13U * name.size()) % 64);
}

std::span<const IndexNames::Use> IndexNames::uses(std::string_view name) const
{
    if ((marks_ & mark(name)) == 0) {
        return {};
    }
    const auto first = std::lower_bound(uses_.begin(), uses_.end(), name, [](const Use &use, std::string_view wanted) {
        return is_before(use.name, wanted);
    });
    auto end = first;
    while (end != uses_.end() && end->name == name) {
        ++end;
    }
    return {first, end};
}

IndexEntries::IndexEntries(const IndexNames &names, model::ItemView item)
    : names_(names),
      item_(item),
      states_(names.indexes().size())
{
    if (names.count() == 0) {
        return;
    }
    found_.reserve(std::min<std::size_t>(names.count(), item.attributes().count()));
    for (const auto attribute : item.attributes()) {
        if (const auto uses = names.uses(attribute.name); !uses.empty()) {
            take(attribute, uses);
            if (found_.size() == names.count()) {
                break;
            }
        }
    }
    for (std::size_t i = 0; i < states_.size(); ++i) {
        const auto &keys = names.indexes()[i].keys;
        states_[i].has = states_[i].keys_found == keys.hash.size() + keys.range.size() &&
                         states_[i].sort_bytes <= model::kMaxSortKeyBytes;
    }
}

void IndexEntries::take(const Attribute &attribute, std::span<const IndexNames::Use> uses)
{
    auto &found = found_.emplace_back(Found{attribute});
    std::uint64_t bytes = 0;
    for (const auto &use : uses) {
        auto &state = states_[use.index];
        if (use.projects) {
            if (bytes == 0) {
                bytes = attribute.name.size() + codec::value_size_bytes(attribute.value);
            }
            found.projecting |= bit(use.index);
            state.projected_bytes += bytes;
        }
        if (use.is_key && is_key_value(use.type, attribute.value, !use.is_sort)) {
            ++state.keys_found;
            state.sort_bytes += use.is_sort ? key_bytes(attribute.value) : 0;
            found.keys |= bit(use.index);
            found.sorts |= use.is_sort ? bit(use.index) : 0;
        }
    }
}

std::uint64_t IndexEntries::size_bytes(std::size_t index) const
{
    if (!has(index)) {
        return 0;
    }
    return holds_all(index) ? item_.size_bytes() : states_[index].projected_bytes;
}

std::uint64_t IndexEntries::size_bytes() const
{
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < states_.size(); ++i) {
        bytes += size_bytes(i);
    }
    return bytes;
}

void IndexEntries::append_sort(std::size_t index, std::string &out) const
{
    for (const auto &found : found_) {
        if ((found.sorts & bit(index)) != 0) {
            codec::append_key_part(found.attribute.value, out);
            return;
        }
    }
}

Bytes IndexEntries::bytes(std::size_t index, std::string &buffer) const
{
    if (holds_all(index)) {
        return item_.bytes();
    }
    buffer.clear();
    codec::ItemWriter writer(buffer);
    writer.begin_item();
    for (const auto &found : found_) {
        if ((found.projecting & bit(index)) != 0) {
            writer.name(found.attribute.name);
            writer.value(found.attribute.value);
        }
    }
    writer.end();
    return buffer;
}

std::vector<Attribute> IndexEntries::attributes(std::size_t index) const
{
    std::vector<Attribute> attributes;
    if (holds_all(index)) {
        attributes.reserve(item_.attributes().count());
        for (const auto attribute : item_.attributes()) {
            attributes.push_back(attribute);
        }
        return attributes;
    }
    for (const auto &found : found_) {
        if ((found.projecting & bit(index)) != 0) {
            attributes.push_back(found.attribute);
        }
    }
    return attributes;
}

bool IndexEntries::same_bytes(std::size_t index, const IndexEntries &other) const
{
    if (holds_all(index)) {
        return item_.bytes() == other.item_.bytes();
    }
    const auto left = attributes(index);
    const auto right = other.attributes(index);
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), is_same);
}

bool IndexEntries::same_attributes(std::size_t index, const IndexEntries &other) const
{
    if (size_bytes(index) != other.size_bytes(index)) {
        return false;
    }
    if (item_.bytes() == other.item_.bytes()) {
        return true;
    }
    auto left = attributes(index);
    auto right = other.attributes(index);
    if (left.size() != right.size()) {
        return false;
    }
    const auto differing = std::mismatch(left.begin(), left.end(), right.begin(), is_same);
    const auto by_name = [](const Attribute &a, const Attribute &b) { return a.name < b.name; };
    std::sort(differing.first, left.end(), by_name);
    std::sort(differing.second, right.end(), by_name);
    return std::equal(differing.first, left.end(), differing.second, is_same);
}

bool IndexEntries::same_keys(std::size_t index, const IndexEntries &other) const
{
    return std::all_of(found_.begin(), found_.end(), [&](const Found &found) {
        return (found.keys & bit(index)) == 0 ||
               std::any_of(other.found_.begin(), other.found_.end(),
                           [&](const Found &there) { return is_same(found.attribute, there.attribute); });
    });
}

} // namespace basalt::engine

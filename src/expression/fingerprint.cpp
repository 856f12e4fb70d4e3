// Members of sets and maps are hashed one by one and summed, so that their order does not matter.
#include "expression/fingerprint.h"

#include "base/check.h"
#include "base/random.h"
#include "expression/value_order.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace basalt::expression {

namespace {

using model::AttributeType;
using model::ValueView;

__extension__ using uint128 = unsigned __int128;

// Odd, with about half of their bits set.
constexpr std::uint64_t kWordFactor = 0x9E37'79B9'7F4A'7C15;
constexpr std::uint64_t kEndFactor = 0xD1B5'4A32'D192'ED03;

/// Both halves of the product, so that every bit of the value reaches every bit of the result.
std::uint64_t folded(std::uint64_t value, std::uint64_t factor)
{
    const uint128 product = uint128{value} * factor;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

std::uint64_t hash_text(Bytes text, std::uint64_t key)
{
    std::uint64_t hash = key + text.size();
    std::uint64_t word = 0;
    while (text.size() >= sizeof word) {
        std::memcpy(&word, text.data(), sizeof word);
        hash = folded(hash ^ word, kWordFactor);
        text.remove_prefix(sizeof word);
    }
    word = 0;
    std::memcpy(&word, text.data(), text.size());
    return folded(folded(hash ^ word, kWordFactor) ^ key, kEndFactor);
}

std::uint64_t hash_value(ValueView value, std::uint64_t process_key);

std::uint64_t hash_map(model::MapView map, std::uint64_t key, std::uint64_t process_key)
{
    std::uint64_t sum = 0;
    for (const model::Attribute attribute : map) {
        sum += hash_text(attribute.name, key ^ hash_value(attribute.value, process_key));
    }
    return folded(sum ^ key, kEndFactor);
}

std::uint64_t hash_list(model::ListView list, std::uint64_t key, std::uint64_t process_key)
{
    std::uint64_t hash = key;
    for (const ValueView element : list) {
        hash = folded(hash ^ hash_value(element, process_key), kWordFactor);
    }
    return folded(hash ^ key, kEndFactor);
}

std::uint64_t hash_set(model::SetView set, std::uint64_t key)
{
    std::uint64_t sum = 0;
    for (const Bytes member : set) {
        sum += hash_text(member, key);
    }
    return folded(sum ^ key, kEndFactor);
}

std::uint64_t hash_value(ValueView value, std::uint64_t process_key)
{
    const std::uint64_t key = folded(process_key + static_cast<std::uint64_t>(value.type()), kEndFactor);
    switch (value.type()) {
    case AttributeType::string:
    case AttributeType::number:
    case AttributeType::binary:
        return hash_text(value.text(), key);
    case AttributeType::boolean:
        return folded(key + (value.boolean() ? 1U : 0U), kWordFactor);
    case AttributeType::null:
        return key;
    case AttributeType::map:
        return hash_map(value.map(), key, process_key);
    case AttributeType::list:
        return hash_list(value.list(), key, process_key);
    case AttributeType::string_set:
    case AttributeType::number_set:
    case AttributeType::binary_set:
        return hash_set(value.set(), key);
    }
    BASALT_CHECK(false && "unknown attribute type");
    return 0;
}

std::vector<ValueView> large_literals(const Tree &tree)
{
    std::vector<ValueView> values;
    for (const Node &node : tree.nodes()) {
        if (node.kind == NodeKind::value && node.value.size() > kMaxFewBytes &&
            is_container(ValueView(node.value).type())) {
            values.emplace_back(node.value);
        }
    }
    const auto address = [](ValueView value) { return value.bytes().data(); };
    std::ranges::sort(values, {}, address);
    // std::ranges::unique of GCC's library 12 does not compile with clang 14.
    const auto same = [&](ValueView a, ValueView b) { return address(a) == address(b); };
    values.erase(std::unique(values.begin(), values.end(), same), values.end());
    return values;
}

} // namespace

std::uint64_t fingerprint(ValueView value)
{
    static const std::uint64_t process_key = SystemRandom().next();
    return hash_value(value, process_key);
}

LiteralFingerprints::LiteralFingerprints(const Tree &tree)
{
    for (const ValueView value : large_literals(tree)) {
        literals_.push_back({value.bytes().data(), fingerprint(value)});
    }
}

std::optional<std::uint64_t> LiteralFingerprints::find(ValueView value) const
{
    const char *const address = value.bytes().data();
    const auto at = std::ranges::lower_bound(literals_, address, {}, &Literal::address);
    return at != literals_.end() && at->address == address ? std::optional(at->fingerprint) : std::nullopt;
}

} // namespace basalt::expression

// Small values are matched member by member. Large ones are told apart by their fingerprints; equal fingerprints are
// not trusted, so that then both are written in one order and compared.
#include "expression/value_equality.h"

#include "base/check.h"
#include "expression/value_order.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

namespace basalt::expression {

namespace {

using model::AttributeType;
using model::ValueView;

/// Of values that are equal in type and length of encoding but not in bytes.
bool equal_few(ValueView left, ValueView right);

/// What the bytes alone decide. Lengths and numbers have one spelling, so equal values have encodings of equal length,
/// and only members of sets and maps may stand in another order.
std::optional<bool> equal_by_bytes(ValueView left, ValueView right)
{
    if (left.bytes().size() != right.bytes().size() || left.type() != right.type()) {
        return false;
    }
    if (left.bytes() == right.bytes()) {
        return true;
    }
    return is_container(left.type()) ? std::nullopt : std::optional(false);
}

bool equal(ValueView left, ValueView right)
{
    const auto decided = equal_by_bytes(left, right);
    return decided ? *decided : equal_few(left, right);
}

bool equal_lists(model::ListView left, model::ListView right)
{
    if (left.count() != right.count()) {
        return false;
    }
    auto other = right.begin();
    for (const ValueView element : left) {
        if (!equal(element, *other)) {
            return false;
        }
        ++other;
    }
    return true;
}

bool equal_maps(model::MapView left, model::MapView right)
{
    if (left.count() != right.count()) {
        return false;
    }
    for (const model::Attribute attribute : left) {
        const auto other = right.find(attribute.name);
        if (!other || !equal(attribute.value, *other)) {
            return false;
        }
    }
    return true;
}

bool has_member(model::SetView set, Bytes member)
{
    for (const Bytes other : set) {
        if (other == member) {
            return true;
        }
    }
    return false;
}

bool equal_sets(model::SetView left, model::SetView right)
{
    if (left.count() != right.count()) {
        return false;
    }
    for (const Bytes member : left) {
        if (!has_member(right, member)) {
            return false;
        }
    }
    return true;
}

bool equal_few(ValueView left, ValueView right)
{
    switch (left.type()) {
    case AttributeType::map:
        return equal_maps(left.map(), right.map());
    case AttributeType::list:
        return equal_lists(left.list(), right.list());
    default:
        return equal_sets(left.set(), right.set());
    }
}

/// Writes values so that equal ones are equal as bytes and different ones differ.
class CanonicalWriter {
public:
    explicit CanonicalWriter(std::string &out)
        : out_(out)
    {}

    void value(ValueView value)
    {
        switch (value.type()) {
        case AttributeType::map:
            return map(value.map());
        case AttributeType::list:
            return list(value.list());
        case AttributeType::string_set:
        case AttributeType::number_set:
        case AttributeType::binary_set:
            return set(value.type(), value.set());
        default:
            out_.append(value.bytes());
        }
    }

private:
    void head(AttributeType type, std::uint32_t count)
    {
        out_.push_back(static_cast<char>(type));
        number(count);
    }

    void number(std::uint32_t number)
    {
        std::array<char, sizeof number> bytes;
        std::memcpy(bytes.data(), &number, bytes.size());
        out_.append(bytes.data(), bytes.size());
    }

    void text(Bytes text)
    {
        number(static_cast<std::uint32_t>(text.size()));
        out_.append(text);
    }

    void map(model::MapView map)
    {
        std::vector<model::Attribute> attributes;
        attributes.reserve(map.count());
        for (const model::Attribute attribute : map) {
            attributes.push_back(attribute);
        }
        std::ranges::sort(attributes, {}, &model::Attribute::name);
        head(AttributeType::map, map.count());
        for (const model::Attribute &attribute : attributes) {
            text(attribute.name);
            value(attribute.value);
        }
    }

    void list(model::ListView list)
    {
        head(AttributeType::list, list.count());
        for (const ValueView element : list) {
            value(element);
        }
    }

    void set(AttributeType type, model::SetView set)
    {
        std::vector<Bytes> members;
        members.reserve(set.count());
        for (const Bytes member : set) {
            members.push_back(member);
        }
        std::ranges::sort(members);
        head(type, set.count());
        for (const Bytes member : members) {
            text(member);
        }
    }

    std::string &out_;
};

} // namespace

bool ValueEquality::operator()(ValueView left, ValueView right)
{
    if (const auto decided = equal_by_bytes(left, right)) {
        return *decided;
    }
    if (left.bytes().size() <= kMaxFewBytes) {
        return equal_few(left, right);
    }
    return fingerprint_of(left) == fingerprint_of(right) && canonical_of(left) == canonical_of(right);
}

std::uint64_t ValueEquality::fingerprint_of(ValueView value)
{
    if (const auto literal = literals_.find(value)) {
        return *literal;
    }
    auto &known = known_[value.bytes().data()].fingerprint;
    if (!known) {
        known = fingerprint(value);
    }
    return *known;
}

const std::string &ValueEquality::canonical_of(ValueView value)
{
    std::string &canonical = known_[value.bytes().data()].canonical;
    if (canonical.empty()) {
        CanonicalWriter(canonical).value(value);
    }
    return canonical;
}

} // namespace basalt::expression

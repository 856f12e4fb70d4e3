// JSON attribute values straight into the encoded item form: values, maps and lists. Sets are in set_decoder.cpp.
#include "protocol/attribute_decoder.h"

#include "model/limits.h"
#include "protocol/attribute_shapes.h"
#include "protocol/base64.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <functional>
#include <new>
#include <type_traits>

namespace basalt::protocol {
namespace {

using model::AttributeType;
using simdjson::dom::element_type;
using Kind = ValueFault::Kind;

constexpr std::string_view kEmptyValue =
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
constexpr std::string_view kSeveralTypes =
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes";
constexpr std::string_view kNullNotTrue =
    "One or more parameter values were invalid: Null attribute value types must have the value of true";
constexpr std::string_view kTooDeep = "Nesting Levels have exceeded supported limits: Attributes in the item have "
                                      "nested levels beyond supported limit";
constexpr std::string_view kEmptyName = "Empty attribute name";
constexpr std::size_t kFewNames = 16; // up to here comparing all pairs is faster than sorting

/// The type that a member of an AttributeValue names, or 0.
std::size_t type_index(std::string_view name) noexcept
{
    const auto index = [](AttributeType type) { return static_cast<std::size_t>(type); };
    if (name.size() == 1) {
        switch (name.front()) {
        case 'S':
            return index(AttributeType::string);
        case 'N':
            return index(AttributeType::number);
        case 'B':
            return index(AttributeType::binary);
        case 'M':
            return index(AttributeType::map);
        case 'L':
            return index(AttributeType::list);
        default:
            return 0;
        }
    }
    if (name.size() == 2 && name.back() == 'S') {
        switch (name.front()) {
        case 'S':
            return index(AttributeType::string_set);
        case 'N':
            return index(AttributeType::number_set);
        case 'B':
            return index(AttributeType::binary_set);
        default:
            return 0;
        }
    }
    return name == "BOOL" ? index(AttributeType::boolean) : name == "NULL" ? index(AttributeType::null) : 0;
}

} // namespace

void DecodeBuffers::release_above(std::size_t kept_bytes)
{
    const auto release = [kept_bytes](auto &buffer) {
        if (buffer.capacity() * sizeof(buffer[0]) > kept_bytes) {
            std::remove_reference_t<decltype(buffer)>().swap(buffer);
        }
    };
    release(encoded);
    release(bytes);
    release(names);
    release(texts);
    release(numbers);
}

RepeatedNames::RepeatedNames(simdjson::dom::object object, DecodeBuffers &buffers)
{
    auto &names = buffers.names;
    names.clear();
    std::uint32_t position = 0;
    for (const auto field : object) {
        names.emplace_back(field.key, position++);
    }
    if (names.size() <= kFewNames) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto same = [&](const auto &later) { return later.first == names[i].first; };
            if (std::any_of(names.begin() + static_cast<std::ptrdiff_t>(i) + 1, names.end(), same)) {
                positions_.push_back(names[i].second);
            }
        }
        return;
    }
    std::ranges::sort(names);
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
        if (names[i].first == names[i + 1].first) {
            positions_.push_back(names[i].second);
        }
    }
    std::ranges::sort(positions_);
}

bool RepeatedNames::overridden(std::uint32_t position) const
{
    return !positions_.empty() && std::ranges::binary_search(positions_, position);
}

bool AttributeDecoder::decode_value(Element given, Place place, EncodedAttributes &out)
{
    start();
    if (!write_value(given, place, 1)) {
        return false;
    }
    finish(out);
    return true;
}

bool AttributeDecoder::decode_item(const Shape &shape, simdjson::dom::object given, EncodedAttributes &out)
{
    start();
    writer_->begin_item();
    if (!write_members(given, shape.key->max, 1)) {
        return false;
    }
    writer_->end();
    finish(out);
    return true;
}

void AttributeDecoder::start()
{
    buffers_.encoded.clear();
    if (!buffers_.writer) {
        buffers_.writer.emplace(buffers_.encoded);
    }
    writer_ = &*buffers_.writer;
    fault_ = nullptr;
    too_deep_.reset();
    key_ = {};
    overlong_name_ = false;
    number_spelling_ = 0;
}

void AttributeDecoder::finish(EncodedAttributes &out)
{
    if (fault_ == nullptr && too_deep_) {
        key_ = *too_deep_;
        add_fault(Kind::other, kTooDeep);
    }
    const auto size = buffers_.encoded.size();
    auto *bytes = static_cast<char *>(arena_.allocate(std::max<std::size_t>(size, 1), 1));
    std::memcpy(bytes, buffers_.encoded.data(), size);
    out = {Bytes(bytes, size), fault_, overlong_name_, number_spelling_};
}

bool AttributeDecoder::write_value(Element given, Place place, int level)
{
    if (given.is_null()) {
        write_faulty(Kind::other, kEmptyValue);
        return true;
    }
    simdjson::dom::object object;
    if (given.get(object) != simdjson::SUCCESS) {
        return reject(kAttributeValueShape, given, place);
    }
    if (object.size() == 1) { // all but a few; spares collecting the members
        const auto field = *object.begin();
        const auto type = type_index(field.key);
        if (type != 0 && !field.value.is_null()) {
            return write_typed(static_cast<AttributeType>(type), field.value, level);
        }
    }
    Fields fields;
    for (const auto field : object) {
        const auto type = type_index(field.key);
        if (type != 0) {
            const auto bit = std::uint32_t{1} << type;
            fields.by_type[type] = field.value;
            fields.present = field.value.is_null() ? fields.present & ~bit : fields.present | bit;
        }
    }
    if (fields.present == 0) {
        write_faulty(Kind::other, kEmptyValue);
        return true;
    }
    if (std::has_single_bit(fields.present)) {
        const auto type = static_cast<std::size_t>(std::countr_zero(fields.present));
        return write_typed(static_cast<AttributeType>(type), fields.by_type[type], level);
    }
    return write_conflicting(fields, level);
}

bool AttributeDecoder::write_conflicting(const Fields &fields, int level)
{
    // The order in which faults inside the members would be reported, before the fault that there are several.
    constexpr std::array kOrder = {AttributeType::number,     AttributeType::null,       AttributeType::number_set,
                                   AttributeType::string_set, AttributeType::binary_set, AttributeType::string,
                                   AttributeType::binary,     AttributeType::boolean,    AttributeType::map,
                                   AttributeType::list};
    for (const auto type : kOrder) {
        const auto index = static_cast<std::size_t>(type);
        if ((fields.present >> index & 1) != 0 &&
            !write_unkept([&] { return write_typed(type, fields.by_type[index], level); })) {
            return false;
        }
    }
    write_faulty(Kind::other, kSeveralTypes);
    return true;
}

bool AttributeDecoder::write_typed(AttributeType type, Element given, int level)
{
    switch (type) {
    case AttributeType::string: {
        std::string_view text;
        if (given.get(text) != simdjson::SUCCESS) {
            return reject(kStringShape, given, Place::member);
        }
        writer_->string(text);
        return true;
    }
    case AttributeType::number:
        return write_number(given);
    case AttributeType::binary:
        return write_binary(given);
    case AttributeType::boolean:
    case AttributeType::null:
        return write_boolean(type, given);
    case AttributeType::map:
        return write_map(given, level);
    case AttributeType::list:
        return write_list(given, level);
    default:
        return write_set(type, given);
    }
}

bool AttributeDecoder::write_number(Element given)
{
    std::string_view text;
    if (given.get(text) != simdjson::SUCCESS) {
        return reject(kStringShape, given, Place::member);
    }
    const auto number = parse_number(text);
    if (!number) {
        write_faulty(Kind::number, number.error().message);
        return true;
    }
    writer_->number(number.value());
    note_spelling(text);
    return true;
}

Result<model::Decimal> AttributeDecoder::parse_number(std::string_view text) const
{
    auto number = model::Decimal::parse(text);
    const auto e = short_exponents_ ? text.find_first_of("eE") : std::string_view::npos;
    if (e == std::string_view::npos) {
        return number;
    }
    const auto digits = text.substr(e + (text.substr(e + 1).starts_with('+') ? 2 : 1));
    std::int32_t exponent = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec == std::errc::result_out_of_range) {
        return fail(ErrorCode::validation,
                    "The parameter cannot be converted to a numeric value: " + std::string(text));
    }
    return number;
}

void AttributeDecoder::note_spelling(std::string_view text)
{
    const auto digits = text.substr(text.starts_with('-') ? 1 : 0);
    const auto point = digits.find('.');
    const bool canonical = digits.find_first_not_of("0123456789.") == std::string_view::npos && text != "-0" &&
                           !digits.starts_with('.') && (!digits.starts_with('0') || digits == "0" || point == 1) &&
                           (point == std::string_view::npos || (!digits.ends_with('0') && !digits.ends_with('.')));
    if (!canonical) {
        // Never 0; where the number stands counts too.
        const auto hash = std::hash<std::string_view>{}(text) + 31U * number_spelling_;
        number_spelling_ = static_cast<std::uint16_t>(hash | 1U);
    }
}

bool AttributeDecoder::write_binary(Element given)
{
    buffers_.bytes.clear();
    if (!read_base64(kBlobShape, given, buffers_.bytes)) {
        return false;
    }
    writer_->binary(buffers_.bytes);
    return true;
}

bool AttributeDecoder::write_boolean(AttributeType type, Element given)
{
    const auto value = to_boolean(given);
    if (!value) {
        return reject(kBooleanShape, given, Place::member);
    }
    if (type == AttributeType::boolean) {
        writer_->boolean(*value);
    } else if (*value) {
        writer_->null();
    } else {
        write_faulty(Kind::other, kNullNotTrue);
    }
    return true;
}

bool AttributeDecoder::write_map(Element given, int level)
{
    simdjson::dom::object object;
    if (given.get(object) != simdjson::SUCCESS) {
        return reject(kMapShape, given, Place::member);
    }
    if (level >= model::kMaxNestingLevels && object.size() != 0) {
        too_deep_ = too_deep_.value_or(key_);
        writer_->null();
        return true;
    }
    writer_->begin_map();
    if (!write_members(object, kMapShape.key->max, level + 1)) {
        return false;
    }
    writer_->end();
    return true;
}

bool AttributeDecoder::write_list(Element given, int level)
{
    simdjson::dom::array array;
    if (given.get(array) != simdjson::SUCCESS) {
        return reject(kListShape, given, Place::member);
    }
    if (level >= model::kMaxNestingLevels && array.size() != 0) {
        too_deep_ = too_deep_.value_or(key_);
        writer_->null();
        return true;
    }
    writer_->begin_list();
    for (const auto element : array) {
        if (!write_value(element, Place::element, level + 1)) {
            return false;
        }
    }
    writer_->end();
    return true;
}

bool AttributeDecoder::write_members(simdjson::dom::object given, std::int64_t max_name, int level)
{
    const RepeatedNames repeated(given, buffers_);
    std::uint32_t position = 0;
    for (const auto field : given) {
        if (level == 1) {
            key_ = field.key;
        }
        if (repeated.overridden(position++)) {
            const auto *fault = fault_;
            const auto too_deep = too_deep_;
            if (!write_unkept([&] { return write_value(field.value, Place::element, level); })) {
                return false;
            }
            fault_ = fault;
            too_deep_ = too_deep;
            continue;
        }
        if (max_name != Shape::kNoMax) {
            if (field.key.empty()) {
                add_fault(Kind::other, kEmptyName);
            }
            overlong_name_ |= field.key.size() > static_cast<std::size_t>(max_name);
        }
        writer_->name(field.key);
        if (!write_value(field.value, Place::element, level)) {
            return false;
        }
    }
    return true;
}

bool AttributeDecoder::read_base64(const Shape &shape, Element given, std::string &out)
{
    std::string_view text;
    if (given.get(text) != simdjson::SUCCESS) {
        return reject(shape, given, Place::member);
    }
    const auto fault = append_decoded_base64(text, out);
    if (fault != Base64Fault::none) {
        error_ = wrong_base64_text(text, fault == Base64Fault::length);
        buffers_.writer.reset();
        return false;
    }
    return true;
}

bool AttributeDecoder::reject(const Shape &shape, Element given, Place place)
{
    error_ = wrong_type_text(shape, given, place);
    buffers_.writer.reset(); // it stands inside open containers
    return false;
}

void AttributeDecoder::add_fault(ValueFault::Kind kind, std::string_view message)
{
    if (fault_ != nullptr) {
        return;
    }
    auto *text = static_cast<char *>(arena_.allocate(message.size() + 1, 1));
    std::memcpy(text, message.data(), message.size());
    auto *fault = static_cast<ValueFault *>(arena_.allocate(sizeof(ValueFault), alignof(ValueFault)));
    fault_ = new (fault) ValueFault{kind, std::string_view(text, message.size()), key_};
}

void AttributeDecoder::write_faulty(ValueFault::Kind kind, std::string_view message)
{
    add_fault(kind, message);
    writer_->null();
}

template <typename Write>
bool AttributeDecoder::write_unkept(Write write)
{
    std::string discarded;
    codec::ItemWriter unkept(discarded);
    auto *const kept = std::exchange(writer_, &unkept);
    const bool done = write();
    writer_ = kept;
    return done;
}

} // namespace basalt::protocol

// The part of AttributeDecoder for sets: members are checked for type and value, then for duplicates.
#include "protocol/attribute_decoder.h"
#include "protocol/attribute_shapes.h"

#include <algorithm>

namespace basalt::protocol {
namespace {

using model::AttributeType;
using Kind = ValueFault::Kind;

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";
constexpr std::size_t kFewMembers = 8; // up to here comparing all pairs is faster than sorting

/// Reorders the members.
template <typename T>
bool has_duplicates(std::vector<T> &members)
{
    if (members.size() <= kFewMembers) {
        for (auto it = members.begin(); it != members.end(); ++it) {
            if (std::find(it + 1, members.end(), *it) != members.end()) {
                return true;
            }
        }
        return false;
    }
    std::ranges::sort(members);
    return std::ranges::adjacent_find(members) != members.end();
}

/// "[a, b]" of a JSON array of strings.
std::string collection_text(simdjson::dom::array given)
{
    std::string text = "[";
    for (const auto element : given) {
        if (text.size() > 1) {
            text += ", ";
        }
        text += std::string_view(element);
    }
    return text += ']';
}

} // namespace

bool AttributeDecoder::write_set(AttributeType type, Element given)
{
    simdjson::dom::array array;
    if (given.get(array) != simdjson::SUCCESS) {
        return reject(type == AttributeType::binary_set ? kBlobListShape : kStringListShape, given, Place::member);
    }
    if (array.size() == 0) {
        const std::string_view text = type == AttributeType::string_set   ? "An string set  may not be empty"
                                      : type == AttributeType::number_set ? "An number set  may not be empty"
                                                                          : "Binary sets should not be empty";
        const auto kind = type == AttributeType::number_set ? Kind::number : Kind::other;
        write_faulty(kind, std::string(kInvalid).append(text));
        return true;
    }
    switch (type) {
    case AttributeType::string_set:
        return write_string_set(array);
    case AttributeType::number_set:
        return write_number_set(array);
    default:
        return write_binary_set(array);
    }
}

bool AttributeDecoder::write_string_set(simdjson::dom::array given)
{
    auto &texts = buffers_.texts;
    texts.clear();
    for (const auto element : given) {
        std::string_view text;
        if (!element.is_null() && element.get(text) != simdjson::SUCCESS) {
            return reject(kStringShape, element, Place::element);
        }
        texts.push_back(element.is_null() ? std::string_view() : text);
        if (element.is_null()) {
            add_fault(Kind::other,
                      std::string(kInvalid).append("An string set may not have a null string as a member"));
        }
    }
    writer_->begin_set(AttributeType::string_set);
    for (const auto text : texts) {
        writer_->member(text);
    }
    writer_->end();
    if (fault_ == nullptr && has_duplicates(texts)) {
        add_fault(Kind::duplicates, std::string(kInvalid)
                                        .append("Input collection ")
                                        .append(collection_text(given))
                                        .append(" contains duplicates."));
    }
    return true;
}

bool AttributeDecoder::write_number_set(simdjson::dom::array given)
{
    auto &numbers = buffers_.numbers;
    numbers.clear();
    for (const auto element : given) {
        std::string_view text;
        if (!element.is_null() && element.get(text) != simdjson::SUCCESS) {
            return reject(kStringShape, element, Place::element);
        }
        const auto number = parse_number(text);
        if (!number) {
            add_fault(Kind::number, number.error().message);
        } else {
            numbers.push_back(number.value());
        }
    }
    if (fault_ != nullptr) {
        writer_->null();
        return true;
    }
    writer_->begin_set(AttributeType::number_set);
    for (const auto &number : numbers) {
        writer_->member(number);
    }
    writer_->end();
    if (has_duplicates(numbers)) {
        add_fault(Kind::number, "Input collection contains duplicates");
    }
    return true;
}

bool AttributeDecoder::write_binary_set(simdjson::dom::array given)
{
    auto &texts = buffers_.texts;
    texts.clear();
    writer_->begin_set(AttributeType::binary_set);
    for (const auto element : given) {
        buffers_.bytes.clear();
        if (element.is_null()) {
            add_fault(Kind::other, std::string(kInvalid).append("Binary sets may not contain null values"));
        } else if (!read_base64(kBlobShape, element, buffers_.bytes)) {
            return false;
        } else {
            texts.push_back(std::string_view(element)); // base64 is canonical, so equal bytes have equal texts
        }
        writer_->member(buffers_.bytes);
    }
    writer_->end();
    if (fault_ == nullptr && has_duplicates(texts)) {
        add_fault(Kind::duplicates, std::string(kInvalid)
                                        .append("Input collection ")
                                        .append(collection_text(given))
                                        .append("of type BS contains duplicates."));
    }
    return true;
}

} // namespace basalt::protocol

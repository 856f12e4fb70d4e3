// The shapes inside AttributeValue, for the texts of its wrong types. Internal to the decoder.
#pragma once

#include "protocol/service_model.h"

#include <cstdint>
#include <string_view>

namespace basalt::protocol {

inline constexpr std::int64_t kMaxNestedName = 65'535;

constexpr Shape attribute_shape(std::string_view name, Shape::Type type, const Shape *element = nullptr,
                                const Shape *key = nullptr, std::int64_t max = Shape::kNoMax)
{
    return {name, type, Shape::NameRule::none, false, Shape::kNoMin, max, {}, nullptr, {}, {}, {}, element, key, {}};
}

inline constexpr Shape kAttributeValueShape = attribute_shape("AttributeValue", Shape::Type::attribute_value);
inline constexpr Shape kStringShape = attribute_shape("String", Shape::Type::string);
inline constexpr Shape kNameShape =
    attribute_shape("AttributeName", Shape::Type::string, nullptr, nullptr, kMaxNestedName);
inline constexpr Shape kBlobShape = attribute_shape("Blob", Shape::Type::blob);
inline constexpr Shape kBooleanShape = attribute_shape("Boolean", Shape::Type::boolean);
inline constexpr Shape kStringListShape = attribute_shape("StringList", Shape::Type::list, &kStringShape);
inline constexpr Shape kBlobListShape = attribute_shape("BlobList", Shape::Type::list, &kBlobShape);
inline constexpr Shape kListShape = attribute_shape("List", Shape::Type::list, &kAttributeValueShape);
inline constexpr Shape kMapShape = attribute_shape("Map", Shape::Type::map, &kAttributeValueShape, &kNameShape);

} // namespace basalt::protocol

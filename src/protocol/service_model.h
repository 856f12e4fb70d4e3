// The service model: 61 operations, their shapes and constraints. The tables are generated at build time from
// src/protocol/model/*.json; nothing here is typed in by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace basalt::protocol {

struct Shape;

struct Member {
    std::string_view name;
    const Shape *shape;
    bool required;
};

/// A shape of the model with its constraints.
struct Shape {
    enum class Type : std::uint8_t {
        string,
        integer, // 32 bits
        long_integer,
        double_number,
        boolean,
        blob,
        timestamp,
        list,
        map,
        structure,
        attribute_value, // the structure AttributeValue, which has its own decoder
    };
    std::string_view name;
    Type type;
    // Lengths of strings, lists and maps, values of numbers; the sentinel values mean "no bound".
    std::int64_t min;
    std::int64_t max;
    std::string_view pattern;
    std::span<const std::string_view> enum_values; // in the order in which the service prints them
    std::span<const Member> members;               // structure
    const Shape *element;                          // list: element; map: value
    const Shape *key;                              // map
    static constexpr std::int64_t kNoMin = INT64_MIN;
    static constexpr std::int64_t kNoMax = INT64_MAX;
};

struct OperationModel {
    std::string_view target; // "DynamoDB_20120810.PutItem"
    std::string_view name;   // "PutItem"
    const Shape *input;
};

/// All operations, sorted by target.
[[nodiscard]] std::span<const OperationModel> operations() noexcept;
/// By the value of X-Amz-Target, exactly; null if the model has no such operation.
[[nodiscard]] const OperationModel *find_operation(std::string_view target) noexcept;

} // namespace basalt::protocol

// The service model: 61 operations, their shapes and constraints. The tables are generated at build time from
// src/protocol/model/*.json; nothing here is typed in by hand.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace basalt::protocol {

struct Shape;

struct Member {
    /// Bounds of this member that the service reports without the value and with the member's wire name.
    enum class BareBound : std::uint8_t {
        none,
        min,
        max,
    };
    std::string_view name;
    const Shape *shape;
    bool required;
    BareBound bare;
};

/// A state of a compiled pattern: the next state by ASCII character, for any other character, and whether the text may
/// end here. State 0 is dead, state 1 is the start.
struct PatternRow {
    static constexpr std::size_t kOtherCharacter = 128;
    static constexpr std::size_t kAccepts = 129;
    std::array<std::uint8_t, 130> cells;
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
    /// How a table name is constrained; see table_name.h.
    enum class NameRule : std::uint8_t {
        none,
        item,    // a name within the shape's constraints, or an ARN
        control, // the same, but absence and length have their own texts
    };
    std::string_view name;
    Type type;
    NameRule name_rule;
    bool constrained; // check_constraints may find something inside a value of this shape
    // Lengths of strings, lists and maps, values of numbers; the sentinel values mean "no bound".
    std::int64_t min;
    std::int64_t max;
    std::string_view pattern;
    const PatternRow *pattern_rows;                // null without a pattern
    std::span<const std::string_view> enum_values; // in the order in which the service prints them
    std::span<const Member> members;               // structure
    std::span<const std::uint8_t> report_order;    // structure: positions of members in the order of reported failures
    const Shape *element;                          // list: element; map: value
    const Shape *key;                              // map
    std::string_view text_suffix;                  // printed behind the members of a structure
    static constexpr std::int64_t kNoMin = INT64_MIN;
    static constexpr std::int64_t kNoMax = INT64_MAX;
};

struct OperationModel {
    std::string_view target; // "DynamoDB_20120810.PutItem"
    std::string_view name;   // "PutItem"
    const Shape *input;
    /// A number's exponent beyond 32 bits is no number there; elsewhere beyond 64 bits.
    bool short_exponents;
};

/// All operations, sorted by target.
[[nodiscard]] std::span<const OperationModel> operations() noexcept;
/// By the value of X-Amz-Target, exactly; null if the model has no such operation.
[[nodiscard]] const OperationModel *find_operation(std::string_view target) noexcept;

/// Whether the whole text (UTF-8) matches the shape's pattern; true without one.
[[nodiscard]] bool matches_pattern(const Shape &shape, std::string_view text) noexcept;

} // namespace basalt::protocol

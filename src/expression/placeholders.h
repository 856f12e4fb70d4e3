// ExpressionAttributeNames and ExpressionAttributeValues of one request, and which of them its expressions used.
#pragma once

#include "basalt/result.h"
#include "model/item_view.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace basalt::expression {

struct NameSubstitution {
    std::string_view placeholder; // "#n"
    std::string_view name;
};

/// Views into the request; used by one thread.
class Placeholders {
public:
    /// values: an encoded map from ":v" to values, empty if none were sent.
    Placeholders(std::span<const NameSubstitution> names, model::MapView values);

    /// Marks as used. Nothing if it was not sent.
    [[nodiscard]] std::optional<std::string_view> name(std::string_view placeholder);
    [[nodiscard]] std::optional<model::ValueView> value(std::string_view placeholder);

    /// Error (validation): the service's text naming the placeholders that no expression used, names before values.
    [[nodiscard]] Result<void> check_all_used() const;

private:
    std::span<const NameSubstitution> names_;
    std::vector<model::Attribute> values_;
    // Positions in the order of the placeholders' text; empty while there are few.
    std::vector<std::uint32_t> names_sorted_;
    std::vector<std::uint32_t> values_sorted_;
    std::vector<bool> names_used_;
    std::vector<bool> values_used_;
};

/// "#" or ":" and then 1 to 254 letters, digits and underscores.
[[nodiscard]] bool is_placeholder(char sigil, std::string_view text) noexcept;

} // namespace basalt::expression

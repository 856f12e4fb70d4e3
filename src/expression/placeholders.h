// ExpressionAttributeNames and ExpressionAttributeValues of one request, and which of them its expressions used.
#pragma once

#include "basalt/result.h"
#include "model/item_view.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
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
    /// Which entries of one parameter were used.
    class Marks {
    public:
        explicit Marks(std::size_t count);
        void set(std::size_t position);
        [[nodiscard]] bool operator[](std::size_t position) const;

    private:
        std::uint64_t few_ = 0;
        std::vector<bool> many_; // empty while there are few
    };

    template <typename Visit>
    void for_each_value(Visit visit) const;

    std::span<const NameSubstitution> names_;
    model::MapView values_;
    // Entries in the order of the placeholders' text, with their positions in the request; empty while there are few.
    std::vector<std::uint32_t> names_sorted_;
    std::vector<std::pair<model::Attribute, std::uint32_t>> values_sorted_;
    Marks names_used_;
    Marks values_used_;
};

/// "#" or ":" and then 1 to 254 letters, digits and underscores.
[[nodiscard]] bool is_placeholder(char sigil, std::string_view text) noexcept;

} // namespace basalt::expression

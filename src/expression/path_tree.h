// Several document paths merged by their common beginnings, so that one walk over an item serves all of them.
#pragma once

#include "expression/tree.h"
#include "model/item_view.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace basalt::expression {

/// Immutable once made. Views into the names of the paths, which must outlive it.
class PathTree {
public:
    static constexpr std::uint32_t kNoPath = 0xFFFF'FFFF;

    /// One name or list index at its place behind other steps. Paths are numbered in the order given.
    struct Step {
        std::string_view name; // empty: an index, or the root
        std::uint32_t index = 0;
        std::uint32_t path = kNoPath;        // the first path that ends here
        std::uint32_t second_path = kNoPath; // the second one
        std::uint32_t first_path = kNoPath;  // the first path that ends here or below
        // Positions of the steps below: names in the order of their bytes, then indexes, ascending.
        std::uint32_t names_begin = 0;
        std::uint32_t indexes_begin = 0;
        std::uint32_t below_end = 0;

        [[nodiscard]] bool has_below() const noexcept { return names_begin != below_end; }
    };

    PathTree() = default;
    /// Paths without placeholders, none empty. n log n in their number.
    explicit PathTree(std::span<const std::span<const PathElement>> paths);

    /// Without any path: a step with nothing below.
    [[nodiscard]] const Step &root() const noexcept { return steps_.front(); }
    /// Each step comes behind the step that it is below of; the root is the first.
    [[nodiscard]] std::span<const Step> steps() const noexcept { return steps_; }
    [[nodiscard]] std::span<const Step> names(const Step &step) const noexcept;
    [[nodiscard]] std::span<const Step> indexes(const Step &step) const noexcept;
    /// The step of that name below, or nullptr.
    [[nodiscard]] const Step *find(const Step &step, std::string_view name) const noexcept;
    [[nodiscard]] std::size_t position(const Step &step) const noexcept
    {
        return static_cast<std::size_t>(&step - steps_.data());
    }
    /// The position of the step at which a path ends.
    [[nodiscard]] std::uint32_t end_of(std::size_t path) const noexcept { return ends_[path]; }

    /// Sets, by the position of their steps, the values at the ends of the paths; what the item does not have stays as
    /// it is. One walk over what the paths go through. values: as many as steps().
    void read(model::MapView item, std::span<std::optional<model::ValueView>> values) const;

private:
    void read_below(const Step &step, model::ValueView value, std::span<std::optional<model::ValueView>> values) const;
    void read_map(const Step &step, model::MapView map, std::span<std::optional<model::ValueView>> values) const;

    std::vector<Step> steps_ = std::vector<Step>(1);
    std::vector<std::uint32_t> ends_;
};

} // namespace basalt::expression

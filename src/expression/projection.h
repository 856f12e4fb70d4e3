// Parts of an item named by document paths: ProjectionExpression, AttributesToGet, and what an update touched.
#pragma once

#include "basalt/result.h"
#include "expression/path_tree.h"
#include "expression/placeholders.h"
#include "expression/syntax_cache.h"
#include "expression/tree.h"
#include "model/item_view.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::expression {

/// Views into the request. Immutable once made; may be used by several threads.
class Projection {
public:
    /// Errors (validation), the service's texts, the first of: those of SyntaxCache::parse, undefined names, paths that
    /// are too deep, that overlap or conflict.
    [[nodiscard]] static Result<Projection> parse(SyntaxCache &cache, std::string_view text,
                                                  Placeholders &placeholders);

    /// Whole top-level attributes. Names may repeat.
    [[nodiscard]] static Projection of_attributes(std::span<const std::string_view> names);

    /// Resolved paths (no placeholders left) of which none is the beginning of another.
    [[nodiscard]] static Projection of_paths(std::span<const std::span<const PathElement>> paths);

    /// Appends to out an encoded item with just the parts that the paths name and that exist: structure kept, several
    /// paths merged, list elements moved together in the order of their indexes. A missing part is left out, and so is
    /// a map or list none of whose named parts exists; nothing at all gives an empty item. Cost: linear in the item for
    /// each level of the paths.
    void append_item(model::MapView item, std::string &out) const;

    /// The top-level attributes that the paths start with, each once, in the order of the paths.
    [[nodiscard]] const std::vector<std::string_view> &attributes() const noexcept { return attributes_; }

    /// Whether a path goes into that top-level attribute by '.' or '[]'.
    [[nodiscard]] bool reaches_into(std::string_view attribute) const noexcept;

    /// The paths, numbered in the order given.
    [[nodiscard]] const PathTree &paths() const noexcept { return paths_; }

private:
    explicit Projection(PathTree paths);

    PathTree paths_;
    std::vector<std::string_view> attributes_;
};

} // namespace basalt::expression

// Syntax trees by the text they were parsed from. Programs send the same few texts again and again; parsing is most of
// what a small expression costs.
#pragma once

#include "basalt/result.h"
#include "expression/expression_kind.h"
#include "expression/tree.h"

#include <cstddef>
#include <memory>
#include <string_view>

namespace basalt::expression {

/// Thread-safe. Holds at most about limit_bytes of texts and trees; what was not asked for lately goes first.
class SyntaxCache {
public:
    explicit SyntaxCache(std::size_t limit_bytes);
    SyntaxCache(const SyntaxCache &) = delete;
    SyntaxCache &operator=(const SyntaxCache &) = delete;
    ~SyntaxCache();

    /// The tree of a text in the grammar of its kind, with its placeholders not substituted yet; its views point into
    /// `text`. Everything that the text alone can have wrong has been checked. Errors (validation), the service's
    /// texts, the first of: empty, too long, syntax, redundant parentheses, too many operators; unknown functions;
    /// functions where they are not allowed; reserved words and list indexes; sections used twice (the order of an
    /// update's differs, see update.h). Texts with errors are not kept.
    [[nodiscard]] Result<Tree> parse(std::string_view text, ExpressionKind kind);

    /// What is held now, by the same estimate as the limit.
    [[nodiscard]] std::size_t size_bytes() const;

private:
    struct Shard;

    std::size_t shard_count_;
    std::unique_ptr<Shard[]> shards_;
};

} // namespace basalt::expression

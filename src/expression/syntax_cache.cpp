// A few shards, each with two generations of entries: whatever is asked for moves to the young one, and when that has
// filled its half of the shard's room, the old one is dropped and the young one becomes the old.
#include "expression/syntax_cache.h"

#include "expression/syntax.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

namespace basalt::expression {

namespace {

constexpr std::size_t kMaxShards = 16;
// Below that a shard would have no room for the trees of long texts.
constexpr std::size_t kMinShardBytes = 256 * 1024;
// Of the hash table and the allocator, for each entry.
constexpr std::size_t kEntryOverheadBytes = 128;

struct Key {
    ExpressionKind kind;
    std::size_t hash;
    std::string_view text;

    friend bool operator==(const Key &left, const Key &right) noexcept
    {
        return left.hash == right.hash && left.kind == right.kind && left.text == right.text;
    }
};

Key key_of(ExpressionKind kind, std::string_view text) noexcept
{
    return {kind, std::hash<std::string_view>{}(text) + static_cast<std::size_t>(kind), text};
}

struct KeyHash {
    std::size_t operator()(const Key &key) const noexcept { return key.hash; }
};

/// Makes views into one copy of a text views into another; leaves those that point elsewhere.
class Rebase {
public:
    Rebase(std::string_view from, const char *to) noexcept
        : from_(from),
          to_(to)
    {}

    void apply(Tree &tree) const
    {
        for (Node &node : tree.nodes()) {
            apply(node.text);
            if (node.kind == NodeKind::path) {
                for (PathElement &element : tree.path(node)) {
                    apply(element.text);
                }
            }
        }
    }

private:
    void apply(std::string_view &view) const noexcept
    {
        const std::less_equal<> not_behind;
        if (not_behind(from_.data(), view.data()) && not_behind(view.data(), from_.data() + from_.size())) {
            view = std::string_view(to_ + (view.data() - from_.data()), view.size());
        }
    }

    std::string_view from_;
    const char *to_;
};

/// Never changed once it can be found, so that readers need no lock.
struct Entry {
    Entry(std::string_view source, const Tree &source_tree)
        : text(source),
          tree(source_tree)
    {
        Rebase(source, text.data()).apply(tree);
    }

    [[nodiscard]] std::size_t size_bytes() const noexcept
    {
        return sizeof(Entry) + kEntryOverheadBytes + text.size() + tree.nodes().size_bytes() +
               tree.elements().size_bytes();
    }

    const std::string text;
    Tree tree;
};

/// The keys' texts are those of the entries.
using Generation = std::unordered_map<Key, std::shared_ptr<const Entry>, KeyHash>;

} // namespace

struct SyntaxCache::Shard {
    mutable std::mutex mutex;
    std::size_t young_limit_bytes = 0;
    std::size_t young_bytes = 0;
    std::size_t old_bytes = 0;
    Generation young;
    Generation old;

    [[nodiscard]] std::shared_ptr<const Entry> find(const Key &key)
    {
        std::unique_lock lock(mutex);
        if (const auto at = young.find(key); at != young.end()) {
            return at->second;
        }
        auto node = old.extract(key);
        if (node.empty()) {
            return nullptr;
        }
        auto entry = node.mapped();
        const std::size_t size = entry->size_bytes();
        old_bytes -= size;
        young_bytes += size;
        young.insert(std::move(node));
        const Generation dropped = age();
        lock.unlock(); // before the dropped entries are destroyed
        return entry;
    }

    void add(const Key &key, std::shared_ptr<const Entry> entry)
    {
        const std::size_t size = entry->size_bytes();
        if (size > young_limit_bytes) {
            return;
        }
        Generation dropped; // destroyed after the lock is released
        const std::lock_guard lock(mutex);
        if (young.try_emplace(Key{key.kind, key.hash, entry->text}, entry).second) {
            young_bytes += size;
            dropped = age();
        }
    }

    [[nodiscard]] std::size_t size_bytes() const
    {
        const std::lock_guard lock(mutex);
        return young_bytes + old_bytes;
    }

private:
    /// Returns what is no longer kept.
    [[nodiscard]] Generation age()
    {
        if (young_bytes <= young_limit_bytes) {
            return {};
        }
        old_bytes = std::exchange(young_bytes, 0);
        return std::exchange(old, std::exchange(young, {}));
    }
};

SyntaxCache::SyntaxCache(std::size_t limit_bytes)
    : shard_count_(std::clamp<std::size_t>(limit_bytes / kMinShardBytes, 1, kMaxShards)),
      shards_(std::make_unique<Shard[]>(shard_count_))
{
    for (std::size_t i = 0; i < shard_count_; ++i) {
        shards_[i].young_limit_bytes = limit_bytes / shard_count_ / 2;
    }
}

SyntaxCache::~SyntaxCache() = default;

std::size_t SyntaxCache::size_bytes() const
{
    std::size_t sum = 0;
    for (std::size_t i = 0; i < shard_count_; ++i) {
        sum += shards_[i].size_bytes();
    }
    return sum;
}

Result<Tree> SyntaxCache::parse(std::string_view text, ExpressionKind kind)
{
    const Key key = key_of(kind, text);
    Shard &shard = shards_[(key.hash >> 32U) % shard_count_];
    if (const auto entry = shard.find(key)) {
        Tree tree = entry->tree;
        Rebase(entry->text, text.data()).apply(tree);
        return tree;
    }
    Result<Tree> tree = parse_syntax(text, kind);
    if (tree) {
        shard.add(key, std::make_shared<const Entry>(text, *tree));
    }
    return tree;
}

} // namespace basalt::expression

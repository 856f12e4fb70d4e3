// The size of an item collection, all items of one partition key value with their local index entries, while a commit
// changes it. It is derived data: a stored size that cannot be true never stands in the way of a write.
#pragma once

#include "basalt/result.h"
#include "engine/primary_key.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace basalt::engine {

/// The size in a stored row. Nothing: it is no size.
[[nodiscard]] std::optional<std::uint64_t> decode_collection_bytes(Bytes row);

class ItemCollection {
public:
    /// key: of one of its items; must outlive this object. request: where the caller reads its row.
    ItemCollection(storage::KeyspaceId keyspace, const PrimaryKey &key, std::size_t request)
        : keyspace_(keyspace),
          item_key_(&key),
          request_(request)
    {}

    [[nodiscard]] bool is(storage::KeyspaceId keyspace, const PrimaryKey &key) const
    {
        return keyspace_ == keyspace && item_key_->hash == key.hash && item_key_->partition == key.partition;
    }
    [[nodiscard]] storage::Key key() const { return {item_key_->hash, item_key_->partition, {}, {}}; }
    [[nodiscard]] std::size_t request() const { return request_; }

    /// Begins with the stored row; one that is no size counts as none.
    void start(std::optional<Bytes> row);
    /// One of its items becomes another, appears or goes: what it and its index entries take before and afterwards.
    void replace(std::uint64_t old_bytes, std::uint64_t new_bytes);
    /// Call once all changes are known: a stored size that is smaller than what goes is taken for what goes, which the
    /// log tells once.
    void settle();
    /// Whether it may be left as it is now. limit_bytes 0: no limit. Error: item_collection_size_limit_exceeded.
    [[nodiscard]] Result<void> check(std::uint64_t limit_bytes) const;
    /// Items and index entries by DynamoDB's size rule.
    [[nodiscard]] std::uint64_t bytes() const { return before_ + added_ - removed_; }
    /// Puts, removes or leaves the row.
    void write(storage::Mutation &mutation) const;

private:
    storage::KeyspaceId keyspace_;
    const PrimaryKey *item_key_;
    std::size_t request_;
    bool is_wrong_ = false; // the stored row
    std::uint64_t before_ = 0;
    std::uint64_t added_ = 0;
    std::uint64_t removed_ = 0;
};

} // namespace basalt::engine

#include "engine/item_collection.h"

#include "base/log.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace basalt::engine {
namespace {

constexpr std::size_t kRowBytes = 8;

std::atomic_flag told; // a table may have many such rows

void tell_once(storage::KeyspaceId keyspace)
{
    if (!told.test_and_set()) {
        spdlog::error("the stored size of an item collection (keyspace {}) is wrong; it is corrected as far as changes "
                      "of its items show it, and further ones are not reported",
                      static_cast<std::uint32_t>(keyspace));
    }
}

} // namespace

std::optional<std::uint64_t> decode_collection_bytes(Bytes row)
{
    if (row.size() != kRowBytes) {
        return std::nullopt;
    }
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < kRowBytes; ++i) {
        bytes |= static_cast<std::uint64_t>(static_cast<unsigned char>(row[i])) << (8 * i);
    }
    return bytes;
}

void ItemCollection::start(std::optional<Bytes> row)
{
    const auto stored = row ? decode_collection_bytes(*row) : std::nullopt;
    before_ = stored.value_or(0);
    added_ = removed_ = 0;
    is_wrong_ = row && !stored;
}

void ItemCollection::replace(std::uint64_t old_bytes, std::uint64_t new_bytes)
{
    removed_ += old_bytes;
    added_ += new_bytes;
}

void ItemCollection::settle()
{
    if (added_ == 0 && removed_ == 0) {
        is_wrong_ = false; // nothing to correct it by
        return;
    }
    is_wrong_ = is_wrong_ || removed_ > before_;
    before_ = std::max(before_, removed_);
    if (is_wrong_) {
        tell_once(keyspace_);
    }
}

Result<void> ItemCollection::check(std::uint64_t limit_bytes) const
{
    if (limit_bytes != 0 && bytes() > limit_bytes && bytes() > before_) {
        return fail(ErrorCode::item_collection_size_limit_exceeded, "Collection size exceeded.");
    }
    return {};
}

void ItemCollection::write(storage::Mutation &mutation) const
{
    const auto after = bytes();
    if (after == before_ && !is_wrong_) {
        return;
    }
    if (after == 0) {
        mutation.remove(keyspace_, key());
        return;
    }
    std::array<char, kRowBytes> row{};
    for (std::size_t i = 0; i < kRowBytes; ++i) {
        row[i] = static_cast<char>(static_cast<unsigned char>(after >> (8 * i)));
    }
    mutation.put(keyspace_, key(), Bytes(row.data(), row.size()));
}

} // namespace basalt::engine

// Short forms of the store's calls for tests.
#pragma once

#include "storage/store.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace basalt::storage {

/// A key that owns its bytes.
struct OwnedKey {
    std::uint64_t hash = 0;
    std::string partition;
    std::string sort = {};
    std::string tail = {};

    [[nodiscard]] Key view() const { return {hash, partition, sort, tail}; }
    friend auto operator<=>(const OwnedKey &, const OwnedKey &) = default;
};

/// Gathers the one answer of when_durable().
class TestWaiter final : public Waiter {
public:
    void ready(const Result<void> &result) noexcept override;
    /// Waits for the answer.
    Result<void> wait();
    [[nodiscard]] bool told() const;

private:
    mutable std::mutex mutex_;
    std::condition_variable told_;
    std::optional<Result<void>> result_;
};

/// Waits until the ticket is durable; the answer.
Result<void> wait_until_durable(Store &store, Ticket ticket);

[[nodiscard]] KeyspaceId create_keyspace(Store &store, KeyspaceKind kind = KeyspaceKind::items);
Ticket put(Store &store, KeyspaceId keyspace, const Key &key, Bytes value);
Ticket remove(Store &store, KeyspaceId keyspace, const Key &key);
[[nodiscard]] std::optional<std::string> get(Store &store, KeyspaceId keyspace, const Key &key);
/// The values in the order of the scan, at most `limit`.
[[nodiscard]] std::vector<std::string> scan(Store &store, KeyspaceId keyspace, const Range &range,
                                            std::size_t limit = SIZE_MAX);

} // namespace basalt::storage

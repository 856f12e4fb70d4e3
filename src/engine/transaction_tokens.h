// Which transactions were made under which ClientRequestToken. Tokens are kept in windows of ten minutes, each a
// keyspace of its own, so that old ones go with their keyspace and not one by one; the catalog's family names the two
// windows that count. A row of a window: the token as partition, and as value the time of completion in milliseconds
// and the hash of the request, three numbers of eight bytes, little-endian.
#pragma once

#include "base/clock.h"
#include "storage/store.h"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

namespace basalt::engine {

/// How long a token counts after its transaction was made. Source: the service's documentation.
inline constexpr std::int64_t kTokenLifetimeMs = 10 * 60 * 1000;

/// Where the row that names the windows stands, under an empty key: beginning of the current window in milliseconds (8
/// bytes), its keyspace (4), the keyspace of the window before (4; 0: there is none), little-endian.
inline constexpr storage::KeyspaceId kTokenWindowsKeyspace =
    storage::make_keyspace_id(storage::KeyspaceKind::catalog, 1);

struct TokenWindows {
    std::int64_t begun_ms = 0;
    storage::KeyspaceId current{};
    std::optional<storage::KeyspaceId> previous = {};
};
/// Nothing: not the value of such a row.
[[nodiscard]] std::optional<TokenWindows> decode_token_windows(Bytes row);

struct TokenRow {
    std::int64_t made_ms = 0;
    std::array<std::uint64_t, 2> request_hash{};
};
/// Nothing: not the value of such a row.
[[nodiscard]] std::optional<TokenRow> decode_token_row(Bytes row);

/// The key of a token in its window.
[[nodiscard]] storage::Key token_key(std::string_view token);

/// Thread-safe.
class TransactionTokens {
public:
    /// The references must outlive the object.
    TransactionTokens(storage::Store &store, const Clock &clock)
        : store_(store),
          clock_(clock)
    {}

    /// Reads which windows there are; call once, before anything else. Errors: the store's, corruption.
    Result<void> load();

    /// Begins a new window if the current one is full; call before a transaction with a token. Errors: would_block,
    /// the store's.
    storage::Outcome prepare(storage::Wait wait);

    /// What a transaction with the token locks besides its items.
    [[nodiscard]] static storage::LockKey lock(std::string_view token)
    {
        return {kTokenWindowsKeyspace, token_key(token)};
    }

    // Inside the body of a mutation that holds the token's lock.

    /// The transaction made under the token, if that is not too long ago. Errors: the store's, corruption.
    [[nodiscard]] Result<std::optional<TokenRow>> find(storage::Mutation &mutation, std::string_view token) const;
    void put(storage::Mutation &mutation, std::string_view token, std::array<std::uint64_t, 2> request_hash) const;

private:
    [[nodiscard]] std::optional<TokenWindows> windows() const;
    [[nodiscard]] bool is_due(const std::optional<TokenWindows> &windows, std::int64_t now_ms) const;

    storage::Store &store_;
    const Clock &clock_;
    std::mutex change_mutex_; // one new window at a time; held across its commit
    mutable std::mutex windows_mutex_;
    std::optional<TokenWindows> windows_;
};

} // namespace basalt::engine

#include "engine/transaction_tokens.h"

#include "base/check.h"
#include "codec/key_encoding.h"

#include <cstdlib>
#include <string>

namespace basalt::engine {
namespace {

constexpr std::size_t kWindowsBytes = 16;
constexpr std::size_t kTokenRowBytes = 24;

void append_number(std::string &out, std::uint64_t value, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i) {
        out.push_back(static_cast<char>(static_cast<unsigned char>(value >> (8 * i))));
    }
}

std::uint64_t number_at(Bytes bytes, std::size_t offset, std::size_t size)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[offset + i])) << (8 * i);
    }
    return value;
}

std::string encode(const TokenWindows &windows)
{
    std::string out;
    append_number(out, static_cast<std::uint64_t>(windows.begun_ms), 8);
    append_number(out, static_cast<std::uint64_t>(windows.current), 4);
    append_number(out, windows.previous ? static_cast<std::uint64_t>(*windows.previous) : 0, 4);
    return out;
}

/// Also when the clock was set back: what lies in the future would otherwise count for ever.
bool is_over(std::int64_t since_ms, std::int64_t now_ms)
{
    return now_ms - since_ms >= kTokenLifetimeMs || since_ms - now_ms >= kTokenLifetimeMs;
}

Unexpected damaged(const char *what)
{
    return fail(ErrorCode::corruption, std::string("a row of ") + what + " does not decode");
}

} // namespace

std::optional<TokenWindows> decode_token_windows(Bytes row)
{
    if (row.size() != kWindowsBytes) {
        return std::nullopt;
    }
    TokenWindows windows{
        static_cast<std::int64_t>(number_at(row, 0, 8)), static_cast<storage::KeyspaceId>(number_at(row, 8, 4)), {}};
    if (const auto previous = number_at(row, 12, 4); previous != 0) {
        windows.previous = static_cast<storage::KeyspaceId>(previous);
    }
    return windows;
}

std::optional<TokenRow> decode_token_row(Bytes row)
{
    if (row.size() != kTokenRowBytes) {
        return std::nullopt;
    }
    return TokenRow{static_cast<std::int64_t>(number_at(row, 0, 8)), {number_at(row, 8, 8), number_at(row, 16, 8)}};
}

storage::Key token_key(std::string_view token)
{
    return {codec::partition_hash(token), token, {}, {}};
}

Result<void> TransactionTokens::load()
{
    auto outcome = store_.read(storage::Wait::allowed, storage::View::latest, storage::Consistency::strong,
                               [&](storage::Reader &reader) -> Result<void> {
                                   windows_.reset();
                                   auto row = reader.get(kTokenWindowsKeyspace, {});
                                   if (!row || !*row) {
                                       return row ? Result<void>() : Result<void>(fail(std::move(row).error()));
                                   }
                                   windows_ = decode_token_windows(**row);
                                   return windows_ ? Result<void>() : damaged("the token windows");
                               });
    return std::move(outcome.result);
}

std::optional<TokenWindows> TransactionTokens::windows() const
{
    const std::lock_guard lock(windows_mutex_);
    return windows_;
}

bool TransactionTokens::is_due(const std::optional<TokenWindows> &windows, std::int64_t now_ms) const
{
    return !windows || is_over(windows->begun_ms, now_ms);
}

storage::Outcome TransactionTokens::prepare(storage::Wait wait)
{
    if (!is_due(windows(), clock_.now_ms())) {
        return {};
    }
    std::unique_lock changing(change_mutex_, std::defer_lock);
    if (wait == storage::Wait::allowed) {
        changing.lock();
    } else if (!changing.try_lock()) {
        return {fail(ErrorCode::would_block, "a new token window"), {}};
    }
    const auto now_ms = clock_.now_ms();
    const auto before = windows();
    if (!is_due(before, now_ms)) {
        return {};
    }
    TokenWindows next;
    const storage::LockKey lock{kTokenWindowsKeyspace, {}};
    auto outcome = store_.mutate(wait, {&lock, 1}, [&](storage::Mutation &mutation) -> Result<void> {
        auto keyspace = mutation.create_keyspace(storage::KeyspaceKind::expiry);
        if (!keyspace) {
            return fail(std::move(keyspace).error());
        }
        next = {now_ms, *keyspace, before ? std::optional(before->current) : std::nullopt};
        mutation.put(kTokenWindowsKeyspace, {}, encode(next));
        if (before && before->previous) {
            mutation.drop_keyspace(*before->previous);
        }
        return {};
    });
    if (!outcome.result) {
        return outcome;
    }
    {
        const std::lock_guard publishing(windows_mutex_);
        windows_ = next;
    }
    if (before && before->previous) {
        store_.reclaim(*before->previous); // it was the current one at least ten minutes ago
    }
    return outcome;
}

Result<std::optional<TokenRow>> TransactionTokens::find(storage::Mutation &mutation, std::string_view token) const
{
    // Taken under the token's lock: whoever used the token before has written to one of these.
    const auto known = windows();
    BASALT_CHECK(known.has_value());
    for (const auto &keyspace : {std::optional(known->current), known->previous}) {
        if (!keyspace) {
            continue;
        }
        auto row = mutation.get(*keyspace, token_key(token));
        if (!row) {
            return fail(std::move(row).error());
        }
        if (!*row) {
            continue;
        }
        const auto made = decode_token_row(**row);
        if (!made) {
            return damaged("a token window");
        }
        return is_over(made->made_ms, clock_.now_ms()) ? std::nullopt : made;
    }
    return std::optional<TokenRow>();
}

void TransactionTokens::put(storage::Mutation &mutation, std::string_view token,
                            std::array<std::uint64_t, 2> request_hash) const
{
    std::string row;
    append_number(row, static_cast<std::uint64_t>(clock_.now_ms()), 8);
    append_number(row, request_hash[0], 8);
    append_number(row, request_hash[1], 8);
    mutation.put(windows()->current, token_key(token), row);
}

} // namespace basalt::engine

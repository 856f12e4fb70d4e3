// The storage contract: everything the engine asks of a backend. One contract for an embedded engine (RocksDB: fast,
// runs inline on the calling thread) and for a networked, transactional one (blocks, reruns bodies, is durable when it
// returns). tests/contract holds every backend to it.
#pragma once

#include "basalt/result.h"
#include "base/bytes.h"
#include "base/function_ref.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace basalt::storage {

/// Lets a backend choose a column family. The numbers are stored.
/// A keyspace of kind change_log is a log: records are appended to it and read in order, and nothing else.
enum class KeyspaceKind : std::uint8_t {
    catalog = 0,
    items = 1,
    local_index = 2,
    global_index = 3,
    expiry = 4,
    change_log = 5
};

/// A set of rows: one per table and per index. The kind is in the top four bits, the number below is never reused.
enum class KeyspaceId : std::uint32_t {};
[[nodiscard]] constexpr KeyspaceId make_keyspace_id(KeyspaceKind kind, std::uint32_t number)
{
    return static_cast<KeyspaceId>((static_cast<std::uint32_t>(kind) << 28U) | (number & 0x0FFFFFFFU));
}
[[nodiscard]] constexpr KeyspaceKind kind_of(KeyspaceId id)
{
    return static_cast<KeyspaceKind>(static_cast<std::uint32_t>(id) >> 28U);
}
/// The catalog's own keyspace; it exists from the start.
inline constexpr KeyspaceId kCatalogKeyspace = make_keyspace_id(KeyspaceKind::catalog, 0);

/// Where a row stands: by hash, then partition, then sort, then tail, each compared as unsigned bytes. codec makes the
/// parts order-preserving; the backend escapes and joins them. Partitions whose hashes collide stay apart. Partition is
/// at most 2,048 bytes, sort at most 1,024 for one attribute; tail is the base key of an index row, empty elsewhere.
struct Key {
    std::uint64_t hash = 0;
    Bytes partition = {};
    Bytes sort = {};
    Bytes tail = {};
};

struct LockKey {
    KeyspaceId keyspace{};
    Key key;
};

/// A row as a scan meets it; valid inside the callback only.
struct Row {
    Bytes raw_key; // the backend's own form, of use for debugging only
    Bytes value;
};

/// Stands for a commit whose durability may be waited for. 0: durable already. The larger of two covers both.
/// Monotonic over close and reopen.
struct Ticket {
    std::uint64_t value = 0;
    friend auto operator<=>(const Ticket &, const Ticket &) = default;
};

/// Where a record stands in its log: the commit that appended it, and its place among that commit's records. Later
/// commits have larger positions, over close and reopen too. The default comes before all records.
struct LogPosition {
    std::uint64_t commit = 0;
    std::uint32_t ordinal = 0;
    friend auto operator<=>(const LogPosition &, const LogPosition &) = default;
};

/// failed: the log write or fsync that should have covered the ticket failed.
enum class Durability : std::uint8_t { pending, durable, failed };

/// What read() and mutate() give. Errors carry a ticket too: a failed condition or an absent item is an observation of
/// other people's writes, and may be told to a client only once those are durable.
struct Outcome {
    Result<void> result;
    Ticket ticket;
    /// With lock_timeout: the position in `locks` of one that somebody else held; of several the last one.
    std::size_t busy_lock = 0;
    /// The position of the last record that the mutation appended; the default if it appended none.
    LogPosition appended = {};
};

/// never: would_block is returned, and nothing has changed, when a stripe is busy, a block is not cached, a write would
/// stall or a scan grows long. allowed: the call waits for it, within a bound (throttling).
enum class Wait : std::uint8_t { never, allowed };
/// latest: each read sees the newest state, no snapshot is taken. snapshot: all reads of the body see one state.
enum class View : std::uint8_t { latest, snapshot };
/// eventual: a replica may answer.
enum class Consistency : std::uint8_t { strong, eventual };

/// One end of a range of sort keys. Compares the sort part only: every tail of an inclusive bound is inside.
struct SortBound {
    Bytes sort;
    bool inclusive = true;
};

/// What a scan walks: the hashes first_hash..last_hash (inclusive) of a keyspace, or one partition of it.
struct Range {
    std::uint64_t first_hash = 0;
    std::uint64_t last_hash = ~std::uint64_t{0};
    /// Set: only this partition; first_hash == last_hash == its hash.
    std::optional<Bytes> partition = {};
    /// Only with partition.
    std::optional<SortBound> lower = {}, upper = {};
    /// Only sort keys that begin with these bytes; excludes lower and upper.
    std::optional<Bytes> sort_prefix = {};
    /// Start behind this row (before it when backward); the row need not exist. The end of the last page.
    std::optional<Key> after = {};
    bool backward = false;
    /// How many rows the caller expects to read; 0: unknown.
    std::uint32_t rows_hint = 0;
};

/// Used by one thread, inside a body. Returned bytes live until the body returns; later reads do not invalidate them.
class Reader {
public:
    virtual Result<std::optional<Bytes>> get(KeyspaceId keyspace, const Key &key) = 0;
    /// out[i] belongs to keys[i]; both have the same length.
    virtual Result<void> multi_get(KeyspaceId keyspace, std::span<const Key> keys,
                                   std::span<std::optional<Bytes>> out) = 0;
    /// Calls row for each row in order until it returns false. true: the range is exhausted.
    virtual Result<bool> scan(KeyspaceId keyspace, const Range &range, function_ref<bool(const Row &)> row) = 0;
    /// Calls record for each record behind a position, in order, until it returns false. true: there is none behind the
    /// last one. Only durable records are shown, and none can appear later before one that was shown.
    virtual Result<bool> read_log(KeyspaceId log, LogPosition after, function_ref<bool(LogPosition, Bytes)> record) = 0;

protected:
    ~Reader() = default;
};

/// Short of space, a backend refuses mutations that put rows. It lets pass what gives space back: mutations that remove
/// at least as many rows as they put, none of those with a value longer than this (the counters that a delete keeps).
inline constexpr std::size_t kCounterBytes = 16;

/// Reads see the state before this mutation, not its own puts.
class Mutation : public Reader {
public:
    virtual void put(KeyspaceId keyspace, const Key &key, Bytes value) = 0;
    virtual void remove(KeyspaceId keyspace, const Key &key) = 0;
    /// Appends a record to a log, in the same commit; its position is assigned then. The bytes are copied.
    virtual void append(KeyspaceId log, Bytes record) = 0;
    /// Removes the durable records behind `after` up to and with `last`: some thousands at a time. Whoever calls it
    /// again begins where it ended.
    virtual void trim_log(KeyspaceId log, LogPosition after, LogPosition last) = 0;
    /// A new keyspace, in the same commit as the catalog row that names it.
    virtual Result<KeyspaceId> create_keyspace(KeyspaceKind kind) = 0;
    /// The keyspace's rows are garbage once this is committed; their space comes back after Store::reclaim.
    virtual void drop_keyspace(KeyspaceId keyspace) = 0;

protected:
    ~Mutation() = default;
};

/// Called back once. ready() may run on any thread, must not block and may destroy the waiter.
struct Waiter {
    Waiter *next = nullptr; // for the store's list
    virtual void ready(const Result<void> &result) noexcept = 0;

protected:
    ~Waiter() = default;
};

/// Thread-safe.
class Store {
public:
    virtual ~Store() = default;

    /// Runs the body, which may run again, so it starts from scratch each time. The outcome's ticket covers every value
    /// that it saw, absence included. After a read of the body failed, the call fails with that error, whatever the
    /// body returns. Errors: would_block (Wait::never), io_error, corruption, internal_server_error (closed or failed);
    /// the body's.
    virtual Outcome read(Wait wait, View view, Consistency consistency, function_ref<Result<void>(Reader &)> body) = 0;

    /// Takes the locks (de-duplicated, in a fixed order), runs the body and commits what it wrote, all or nothing, if
    /// it succeeded; the body may run again, so it has no side effects outside its captures' results. The outcome's
    /// ticket covers the commit and every value the body saw. Locks are released before the commit is durable.
    /// Errors: as read(), internal_server_error also when short of space; lock_timeout (a lock was not had in the time
    /// that the backend was opened with; the body has not run); throttling (waited in vain for room to write);
    /// outcome_unknown from a networked backend that lost its connection at commit.
    virtual Outcome mutate(Wait wait, std::span<const LockKey> locks, function_ref<Result<void>(Mutation &)> body) = 0;

    [[nodiscard]] virtual Durability durability(Ticket ticket) const = 0;
    /// waiter.ready() is called once, from any thread, perhaps before this returns: with success when the ticket is
    /// durable, with an error if it failed or the store closed first.
    virtual void when_durable(Ticket ticket, Waiter &waiter) = 0;

    /// The store refuses writes for good, and closing and opening it anew is worth an attempt now. Asked after calls
    /// failed with internal_server_error.
    [[nodiscard]] virtual bool failed() { return false; }

    /// Deletes the rows of a dropped keyspace in the background. Call when nobody can write to it any more. Keyspaces
    /// dropped but not reclaimed before the store closed are reclaimed when it is opened again.
    virtual void reclaim(KeyspaceId keyspace) = 0;

    /// Makes all commits durable, answers every waiter, stops the threads. Idempotent, waits for the calls that are
    /// inside; later calls give internal_server_error.
    virtual void close() = 0;
};

} // namespace basalt::storage

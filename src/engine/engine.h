// The engine: reads and writes of items on top of a store, for one attempt of an operation at a time. Plain synchronous
// code; what would have to wait says so (would_block) when waiting is not allowed.
#pragma once

#include "base/clock.h"
#include "base/function_ref.h"
#include "base/random.h"
#include "engine/catalog.h"
#include "engine/index_applier.h"
#include "engine/item_commit.h"
#include "engine/item_write.h"
#include "engine/primary_key.h"
#include "engine/table.h"
#include "engine/transaction_tokens.h"
#include "model/item_view.h"
#include "storage/store.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace basalt::engine {

/// Receives the stored item, or nothing if there is none. Called inside the store's body: views die with the call, and
/// the body may run again, so each call starts from scratch.
using ItemConsumer = function_ref<void(std::optional<model::ItemView>)>;

/// One item to read or write. The references must outlive the call.
struct ItemKey {
    const Table &table;
    const PrimaryKey &key;
};

/// Receives the items of a batch, each with its position in the request; restart() comes before the first item of each
/// run of the body.
class BatchConsumer {
public:
    virtual void restart() = 0;
    /// False: the rest is not read.
    virtual bool item(std::size_t position, std::optional<model::ItemView> item) = 0;

protected:
    ~BatchConsumer() = default;
};

/// A ClientRequestToken with a hash of what was asked for under it.
struct IdempotencyToken {
    std::string_view token;
    std::array<std::uint64_t, 2> request_hash;
};

/// How a transaction came out.
struct TransactionReport {
    /// With transaction_canceled: why each write cannot be made, in the order of the writes; nothing for the others.
    Refusals refusals;
    /// The same transaction has been made before under its token; nothing was written.
    bool replayed = false;
};

/// Where a page stops.
struct PageLimits {
    std::uint64_t items = 0; // evaluated items; 0: no limit
    std::uint64_t bytes = 0; // evaluated bytes by DynamoDB's size rule
    /// How much the consumer does with a row, in steps of about 5 nanoseconds, once and again for each 64 bytes of it:
    /// the operands of the filter. What would take long is not run on a thread that must not wait.
    std::uint32_t cost = 1;
};

/// What a page is read from.
struct PageSource {
    const Table &table;
    /// An index of the table; null: the table itself.
    const model::IndexDescription *index = nullptr;
    /// With a local index: the whole item is read from the table for each entry.
    bool fetch_items = false;
};

/// One evaluated item of a page. Views die with the call.
struct PageItem {
    model::ItemView entry; // from the table, or the index entry
    std::optional<model::ItemView> fetched;
    /// A limit is reached with this item, so that the next page has to start behind it.
    bool ends_page = false;
};

/// What a page was.
struct Page {
    std::uint64_t items = 0;
    std::uint64_t bytes = 0; // of items or index entries
    /// Read units of fetched items: each is rounded up to whole units of 4 KB by itself.
    std::uint64_t fetched_units = 0;
    bool exhausted = false; // nothing follows in the range
};

/// Receives what a page evaluates, in order; restart() comes before the first item of each run of the body.
class PageConsumer {
public:
    virtual void restart() = 0;
    virtual void item(const PageItem &item) = 0;

protected:
    ~PageConsumer() = default;
};

struct EngineOptions {
    /// How long tables are CREATING and DELETING.
    std::int64_t transition_ms = 0;
    /// What an item collection of a table with local indexes may hold, items and index entries together; 0: no limit.
    std::uint64_t collection_limit_bytes = 0;
    /// Of a table's change log that is not applied to its global indexes yet; writes beyond it are throttled.
    std::uint64_t change_log_limit_bytes = std::uint64_t{64} << 20;
    /// How long changes are kept from the global indexes, so that a program meets them late, in milliseconds; read
    /// again and again. Null: not at all.
    const std::atomic<std::int64_t> *index_lag_ms = nullptr;
    /// Called by the applier's thread whenever indexes have come further.
    std::function<void()> on_index_progress = {};
};

/// Thread-safe. Outcomes carry the ticket that a reply must wait for.
class Engine {
public:
    /// The references must outlive the engine.
    Engine(storage::Store &store, const Clock &clock, RandomSource &random, const EngineOptions &options);

    ~Engine() { stop(); }
    Engine(const Engine &) = delete;
    Engine &operator=(const Engine &) = delete;

    /// Call once before anything else.
    Result<void> load();
    /// Ends the threads; call when no other call is inside, before the store is closed. Idempotent.
    void stop()
    {
        catalog_.stop();
        applier_.stop();
    }

    [[nodiscard]] Catalog &catalog() { return catalog_; }
    [[nodiscard]] const Catalog &catalog() const { return catalog_; }

    storage::Outcome get_item(storage::Wait wait, const Table &table, const PrimaryKey &key,
                              storage::Consistency consistency, ItemConsumer consumer);

    /// Several items, which may be of several tables, in the order given.
    storage::Outcome get_items(storage::Wait wait, std::span<const ItemKey> keys, storage::Consistency consistency,
                               BatchConsumer &consumer);

    /// Runs the writes, each on another item, in one commit: all or nothing. Index entries and the sizes of item
    /// collections are written with the items. With Wait::never, writes that would take long give would_block before
    /// they are evaluated. Errors: validation (two writes of one item); a write's own;
    /// item_collection_size_limit_exceeded; throttling (the global indexes are too far behind); the store's.
    storage::Outcome write_items(storage::Wait wait, std::span<const ItemWriteTarget> targets);

    /// Runs the writes as one transaction: like write_items, but every write is evaluated and report says of each why
    /// it was refused. A validation error hides all other refusals; the first one counts. With a token, a transaction
    /// made under it in the last ten minutes is not made again: `replay`, unless null, is given the items as they are
    /// now. Errors: transaction_canceled (see report; also when an item is held by another request for too long);
    /// transaction_in_progress, idempotent_parameter_mismatch; validation (two writes of one item); the store's.
    storage::Outcome transact_write_items(storage::Wait wait, std::span<const ItemWriteTarget> targets,
                                          const IdempotencyToken *token, BatchConsumer *replay,
                                          TransactionReport &report);

    /// What a read of the table's global indexes that begins now waits for, so that it sees every write that was
    /// answered before; nothing if that is applied already.
    [[nodiscard]] std::optional<IndexPosition> position_to_reach(const Table &table);

    /// Several items as they were at one moment, in the order given.
    storage::Outcome transact_get_items(storage::Wait wait, std::span<const ItemKey> keys, BatchConsumer &consumer);

    /// Walks a range of a table or index until a limit is reached. With Wait::never, pages that turn out to be long
    /// give would_block, before the consumer is given the row that makes them long.
    storage::Outcome read_page(storage::Wait wait, const PageSource &source, const storage::Range &range,
                               const PageLimits &limits, storage::Consistency consistency, PageConsumer &consumer,
                               Page &page);

private:
    void announce(const ItemCommit &commit, const storage::Outcome &outcome);
    storage::Outcome read_items(storage::Wait wait, storage::View view, std::span<const ItemKey> keys,
                                storage::Consistency consistency, BatchConsumer &consumer);

    storage::Store &store_;
    const std::uint64_t collection_limit_bytes_;
    const std::uint64_t change_log_limit_bytes_;
    Catalog catalog_;
    TransactionTokens tokens_;
    IndexApplier applier_; // its thread uses the others, and the catalog tells it of changes: see stop()
};

} // namespace basalt::engine

// Writes: one commit for all items of a call, with the locks before it and the words for those that were not had.
#include "base/check.h"
#include "base/metrics.h"
#include "engine/engine.h"
#include "engine/item_commit.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory_resource>
#include <vector>

namespace basalt::engine {
namespace {

/// What one write to a table with local indexes needs; larger batches go to the heap.
constexpr std::size_t kArenaBytes = 1024;

Counter throttled_writes("basalt_index_throttled_writes_total",
                         "Writes refused because the global indexes of their table were too far behind.");

Error conflict()
{
    return {ErrorCode::transaction_conflict, "Transaction is ongoing for the item"};
}

Unexpected indexes_are_behind()
{
    throttled_writes.add();
    return fail(ErrorCode::throttling, "Throughput exceeds the current capacity of your table or index. The global "
                                       "secondary indexes of the table have not caught up with earlier writes. "
                                       "Please retry.");
}

/// Gives the items of the writes as they are.
Result<void> show_items(storage::Mutation &mutation, std::span<const ItemWriteTarget> targets, BatchConsumer &consumer)
{
    std::vector<RowRequest> rows;
    rows.reserve(targets.size());
    for (const auto &target : targets) {
        rows.push_back({target.table.keyspace(), target.key.view()});
    }
    if (auto read = read_rows(mutation, rows); !read) {
        return read;
    }
    consumer.restart();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto &row = rows[i].value;
        if (!consumer.item(i, row ? std::optional(model::ItemView(*row)) : std::nullopt)) {
            break;
        }
    }
    return {};
}

} // namespace

void Engine::announce(const ItemCommit &commit, const storage::Outcome &outcome)
{
    if (outcome.appended != storage::LogPosition{}) {
        commit.announce(outcome, applier_);
    }
}

storage::Outcome Engine::write_items(storage::Wait wait, std::span<const ItemWriteTarget> targets)
{
    std::array<std::byte, kArenaBytes> buffer;
    std::pmr::monotonic_buffer_resource arena(buffer.data(), buffer.size());
    ItemCommit commit(wait, targets, collection_limit_bytes_, arena);
    if (auto planned = commit.plan(targets); !planned) {
        return {std::move(planned), {}};
    }
    if (!commit.may_append(change_log_limit_bytes_)) {
        return {indexes_are_behind(), {}};
    }
    auto outcome = store_.mutate(wait, commit.locks(),
                                 [&](storage::Mutation &mutation) -> Result<void> { return commit.run(mutation); });
    announce(commit, outcome);
    if (!outcome.result && outcome.result.error().code == ErrorCode::lock_timeout && targets.size() == 1) {
        outcome.result = fail(conflict());
    }
    return outcome;
}

storage::Outcome Engine::transact_write_items(storage::Wait wait, std::span<const ItemWriteTarget> targets,
                                              const IdempotencyToken *token, BatchConsumer *replay,
                                              TransactionReport &report)
{
    std::array<std::byte, kArenaBytes> buffer;
    std::pmr::monotonic_buffer_resource arena(buffer.data(), buffer.size());
    ItemCommit commit(wait, targets, collection_limit_bytes_, arena);
    if (auto planned = commit.plan(targets); !planned) {
        return {std::move(planned), {}};
    }
    if (!commit.may_append(change_log_limit_bytes_)) {
        return {indexes_are_behind(), {}};
    }
    if (token != nullptr) {
        if (auto prepared = tokens_.prepare(wait); !prepared.result) {
            return prepared;
        }
        commit.also_lock(TransactionTokens::lock(token->token));
    }
    auto outcome = store_.mutate(wait, commit.locks(), [&](storage::Mutation &mutation) -> Result<void> {
        report = {};
        if (token != nullptr) {
            auto made = tokens_.find(mutation, token->token);
            if (!made) {
                return fail(std::move(made).error());
            }
            if (*made && (*made)->request_hash != token->request_hash) {
                return fail(ErrorCode::idempotent_parameter_mismatch, {});
            }
            if (*made) {
                report.replayed = true;
                return replay == nullptr ? Result<void>() : show_items(mutation, targets, *replay);
            }
        }
        auto done = commit.run(mutation, &report.refusals);
        if (done && token != nullptr) {
            tokens_.put(mutation, token->token, token->request_hash);
        }
        return done;
    });
    announce(commit, outcome);
    if (!outcome.result && outcome.result.error().code == ErrorCode::lock_timeout) {
        if (token != nullptr && outcome.busy_lock + 1 == commit.locks().size()) {
            outcome.result = fail(ErrorCode::transaction_in_progress, {});
        } else {
            report.refusals.assign(targets.size(), std::nullopt);
            report.refusals[commit.write_of_lock(outcome.busy_lock)] = conflict();
            outcome.result = fail(ErrorCode::transaction_canceled, {});
        }
    }
    return outcome;
}

} // namespace basalt::engine

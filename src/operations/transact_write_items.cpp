// TransactWriteItems: up to 100 puts, updates, deletes and checks of items, all of them or none.
#include "codec/fingerprint.h"
#include "operations/item_target.h"
#include "operations/operation.h"
#include "operations/transacted_write.h"
#include "operations/transaction_cancellation.h"
#include "protocol/service_members.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace basalt::operations {

namespace members = protocol::transact_write_items_input;

namespace {

constexpr std::size_t kMaxTransactionBytes = std::size_t{4} << 20;

/// Transactional reads of the items of a transaction that was made before.
class ReplayedItems final : public engine::BatchConsumer {
public:
    ReplayedItems(std::deque<TableWrites> &tables, const std::deque<TransactedWrite> &writes)
        : tables_(tables),
          writes_(writes)
    {}

    void restart() override
    {
        for (auto &table : tables_) {
            table.capacity = CapacityUse(table.table->description, CapacityKind::transactional_read);
        }
    }
    bool item(std::size_t position, std::optional<model::ItemView> item) override
    {
        const auto *const read = &writes_[position].table();
        const auto table = std::ranges::find(tables_, read, [](const TableWrites &each) { return each.table.get(); });
        table->capacity.add_table(read_units(item ? item->size_bytes() : 0, true));
        return true;
    }

private:
    std::deque<TableWrites> &tables_;
    const std::deque<TransactedWrite> &writes_;
};

/// The whole request. Deques: what they hold is referred to.
class Transaction {
public:
    explicit Transaction(CapacityReport report)
        : report_(report)
    {}

    /// Everything that needs no table, action by action. Error (validation).
    Result<void> read(const Context &context, std::span<const protocol::Node> items)
    {
        std::size_t bytes = 0;
        for (const auto &item : items) {
            auto action = action_members(item);
            if (!action) {
                return fail(std::move(action).error());
            }
            auto &write = writes_.emplace_back(context, *action, reason_items_, writes_.empty());
            if (auto done = write.read(); !done) {
                return done;
            }
            bytes += write.size_bytes();
        }
        if (bytes > kMaxTransactionBytes) {
            return fail(ErrorCode::validation, "The aggregate size of the items in the transaction exceeded 4 MB");
        }
        return {};
    }

    /// Finds the tables. Errors: of item_table; validation; transaction_canceled.
    Result<void> bind(const Context &context)
    {
        for (auto &write : writes_) {
            auto table = item_table(context, write.table_name());
            if (!table) {
                return fail(std::move(table).error());
            }
            const auto tables = tables_.size();
            auto &writes = writes_of(write.table_name(), *std::move(table));
            if (auto bound = write.bind(writes, tables_.size() != tables, wants_capacity()); !bound) {
                return bound;
            }
        }
        for (std::size_t i = 0; i < writes_.size(); ++i) {
            if (auto checked = writes_[i].check_schema(); !checked) {
                return fail(cancellation(writes_.size(), i, std::move(checked).error()));
            }
        }
        return check_distinct();
    }

    storage::Outcome run(const Context &context, storage::Wait wait, const protocol::Node &token,
                         engine::TransactionReport &report)
    {
        std::vector<engine::ItemWriteTarget> targets;
        targets.reserve(writes_.size());
        for (auto &write : writes_) {
            targets.push_back({write.table(), write.key(), write});
        }
        if (!token.present()) {
            return context.engine.transact_write_items(wait, targets, nullptr, nullptr, report);
        }
        const engine::IdempotencyToken idempotency{token.text(), request_hash()};
        ReplayedItems replay(tables_, writes_);
        return context.engine.transact_write_items(wait, targets, &idempotency, wants_capacity() ? &replay : nullptr,
                                                   report);
    }

    void write_response(const protocol::Node &return_item_collection_metrics, bool replayed, std::string &body) const
    {
        body.clear();
        protocol::JsonWriter out(body);
        out.begin_object();
        write_consumed_capacity(out, report_, tables_);
        if (!replayed) {
            write_collection_metrics(out, return_item_collection_metrics, tables_);
        }
        out.end_object();
    }

private:
    [[nodiscard]] bool wants_capacity() const { return report_ != CapacityReport::none; }

    /// By table and not by name: a request may name one by its ARN too.
    TableWrites &writes_of(std::string_view name, engine::TablePtr table)
    {
        const auto found = std::ranges::find(tables_, table->keyspace(),
                                             [](const TableWrites &each) { return each.table->keyspace(); });
        return found != tables_.end() ? *found
                                      : tables_.emplace_back(name, std::move(table), CapacityKind::transactional_write);
    }

    [[nodiscard]] Result<void> check_distinct() const
    {
        std::vector<const TransactedWrite *> sorted;
        for (const auto &write : writes_) {
            sorted.push_back(&write);
        }
        const auto place = [](const TransactedWrite *write) {
            const auto &key = write->key();
            return std::tuple(write->table().keyspace(), std::string_view(key.partition), std::string_view(key.sort));
        };
        std::ranges::sort(sorted, {}, place);
        if (std::ranges::adjacent_find(sorted, {}, place) != sorted.end()) {
            return fail(ErrorCode::validation, std::string(kSeveralOperations));
        }
        return {};
    }

    [[nodiscard]] codec::Fingerprint request_hash() const
    {
        std::string text;
        for (const auto &write : writes_) {
            write.append_canonical(text);
        }
        return codec::fingerprint("Transaction", text);
    }

    const CapacityReport report_;
    std::deque<TableWrites> tables_;
    ReasonItems reason_items_;
    std::deque<TransactedWrite> writes_;
};

/// What the client reads of the engine's refusal.
Error refusal(Error error, const engine::TransactionReport &report)
{
    switch (error.code) {
    case ErrorCode::transaction_canceled:
        return cancellation(report.refusals);
    case ErrorCode::transaction_in_progress:
        error.message = "The transaction with the given request token is already in progress.";
        return error;
    case ErrorCode::idempotent_parameter_mismatch:
        error.message = "DynamoDB rejected the request because you retried a request with a different payload but with "
                        "an idempotent token that was already used.";
        return error;
    default:
        return error;
    }
}

} // namespace

storage::Outcome transact_write_items(const Context &context, storage::Wait wait, const protocol::Node &input,
                                      std::string &body)
{
    Transaction transaction(capacity_report(input[members::return_consumed_capacity]));
    if (auto checked = transaction.read(context, input[members::transact_items].elements()); !checked) {
        return reject(std::move(checked).error());
    }
    auto bound = transaction.bind(context);
    const auto seen = context.engine.catalog().ticket();
    if (!bound) {
        return reject(std::move(bound).error(), seen);
    }
    engine::TransactionReport report;
    auto outcome = transaction.run(context, wait, input[members::client_request_token], report);
    outcome.ticket = std::max(outcome.ticket, seen);
    if (!outcome.result) {
        return reject(refusal(std::move(outcome.result).error(), report), outcome.ticket);
    }
    transaction.write_response(input[members::return_item_collection_metrics], report.replayed, body);
    return outcome;
}

} // namespace basalt::operations

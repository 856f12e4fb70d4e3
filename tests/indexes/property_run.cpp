#include "indexes/property_run.h"

#include <algorithm>
#include <set>

namespace basalt::indexes {
namespace {

/// Longer than any run.
constexpr std::int64_t kHourMs = 3'600'000;

} // namespace

void RunCounts::add(const RunCounts &other)
{
    steps += other.steps;
    writes += other.writes;
    transactions += other.transactions;
    index_changes += other.index_changes;
    comparisons += other.comparisons;
    reopenings += other.reopenings;
    lags += other.lags;
    tables += other.tables;
}

PropertyRun::PropertyRun(std::uint64_t seed, std::size_t steps)
    : random_(seed),
      settings_(settings_of(seed, random_)),
      seed_(seed),
      steps_(steps)
{}

PropertyRun::Settings PropertyRun::settings_of(std::uint64_t seed, Random &random)
{
    static constexpr BackendKind kBackends[] = {
        BackendKind::async_files, BackendKind::async_files, BackendKind::memory,       BackendKind::toy,
        BackendKind::async_files, BackendKind::memory,      BackendKind::synced_files, BackendKind::async_files};
    Settings settings;
    settings.backend = kBackends[seed % std::size(kBackends)];
    settings.options.index_wait_ms = 60'000; // a read that is answered before its time would be wrong
    settings.options.table_transition_ms = random.percent(25) ? 1000 : 0;
    settings.options.worker_threads = 2;
    settings.tables = 1 + random.below(2);
    settings.large = random.percent(10);
    settings.many_indexes = random.percent(10);
    return settings;
}

std::string PropertyRun::describe_settings() const
{
    return "seed " + std::to_string(seed_) + ", " + to_text(settings_.backend) + ", " +
           std::to_string(settings_.tables) + " tables" + (settings_.large ? ", large" : "") +
           (settings_.many_indexes ? ", many indexes" : "") + ", transitions of " +
           std::to_string(settings_.options.table_transition_ms) + " ms";
}

std::string PropertyRun::run()
{
    try {
        database_ = std::make_unique<OpenedDatabase>(settings_.backend, settings_.options);
        for (std::size_t i = 0; i < settings_.tables; ++i) {
            tables_.push_back(std::make_unique<TableRun>(*database_, random_, "table-" + std::to_string(i),
                                                         settings_.large && i == 0, settings_.many_indexes));
            tables_.back()->create();
        }
        for (; counts_.steps < steps_; ++counts_.steps) {
            step();
        }
        compare_everything();
        if (database_->persists()) {
            reopen();
            compare_everything();
        }
    } catch (const std::exception &fault) {
        return "step " + std::to_string(counts_.steps) + " of " + describe_settings() + "\n" + fault.what();
    }
    return {};
}

void PropertyRun::step()
{
    const auto dice = random_.below(1000);
    if (dice < 850) {
        write_something();
    } else if (dice < 930) {
        some_table().compare_some_partition();
    } else if (dice < 955) {
        ++counts_.index_changes;
        some_table().create_or_delete_index();
    } else if (dice < 970) {
        some_table().read_building();
    } else if (dice < 990) {
        some_table().describe();
    } else {
        rare_step();
    }
}

void PropertyRun::rare_step()
{
    auto &table = some_table();
    const auto dice = random_.below(100);
    if (dice < 60) {
        if (!table.is_large() || random_.percent(10)) {
            table.compare_everything();
            ++counts_.comparisons;
        }
    } else if (dice < 80) {
        if (!settings_.large || random_.percent(20)) {
            lag_behind();
        }
    } else if (dice < 85) {
        lag_a_little();
    } else if (dice < 93) {
        if (database_->persists()) {
            reopen();
        }
    } else if (!table.is_large() || random_.percent(10)) {
        ++counts_.tables;
        table.create();
    }
}

void PropertyRun::write_something()
{
    const auto dice = random_.below(100);
    if (dice < 80) {
        ++counts_.writes;
        some_table().write_one();
    } else if (dice < 90) {
        write_batch();
    } else {
        write_transaction();
    }
}

std::vector<std::pair<TableRun *, Write>> PropertyRun::some_writes(std::size_t most, bool batch)
{
    const Habits habits{5, 2}; // one write that fails stops all
    std::set<std::pair<const TableRun *, std::string>> keys;
    std::vector<std::pair<TableRun *, Write>> writes;
    const auto count = 1 + random_.below(most);
    for (std::size_t i = 0; i < count; ++i) {
        auto &table = some_table();
        const auto key = table.random_key();
        if (!keys.emplace(&table, key.dump()).second) {
            continue;
        }
        writes.emplace_back(&table, batch ? random_batch_write(random_, table.shape(), key, habits)
                                          : random_write(random_, table.shape(), key, habits));
    }
    return writes;
}

void PropertyRun::write_batch()
{
    const auto writes = some_writes(10, true);
    Json request;
    bool legal = true;
    for (const auto &[table, write] : writes) {
        request["RequestItems"][table->shape().name].push_back(batched(write));
        legal = legal && is_legal(table->shape(), write);
    }
    ++counts_.writes;
    const auto answer = ask(**database_, "BatchWriteItem", request);
    const bool right =
        legal ? answer.ok() && answer.body.at("UnprocessedItems").empty() : answer.error == "ValidationException";
    if (!right) {
        throw Fault("BatchWriteItem " + request.dump() + " was answered by " + answer.body.dump());
    }
    for (const auto &[table, write] : writes) {
        if (legal) {
            apply(write, table->items());
        }
    }
}

void PropertyRun::write_transaction()
{
    auto writes = some_writes(6, false);
    Json request;
    bool legal = true;
    bool met = true;
    for (auto &[table, write] : writes) {
        if (random_.percent(10)) {
            write.kind = Write::Kind::check;
            write.condition = {random_.percent(80) == table->items().contains(write.key.dump())
                                   ? Condition::Kind::exists
                                   : Condition::Kind::not_exists,
                               {},
                               {}};
        }
        request["TransactItems"].push_back(transacted(table->shape(), write));
        legal = legal && (write.kind == Write::Kind::check || is_legal(table->shape(), write));
        met = met && is_met(write.condition, table->items(), write.key) && fits(table->shape(), write, table->items());
    }
    ++counts_.transactions;
    const auto answer = ask(**database_, "TransactWriteItems", request);
    const bool refused =
        answer.error == "TransactionCanceledException" || (!legal && answer.error == "ValidationException");
    if (legal && met ? !answer.ok() : !refused) {
        throw Fault("TransactWriteItems " + request.dump() + " was answered by " + answer.body.dump());
    }
    for (const auto &[table, write] : writes) {
        if (answer.ok()) {
            apply(write, table->items());
        }
    }
}

/// What is written while the lag lasts is not in the indexes, and all of it is as soon as it is over.
void PropertyRun::lag_behind()
{
    ++counts_.lags;
    compare_everything();
    std::vector<Items> before;
    for (const auto &table : tables_) {
        before.push_back(table->items());
    }
    (*database_)->set_index_lag_ms(kHourMs);
    (*database_)->set_index_reads(IndexReads::eventual);
    const auto writes = 1 + random_.below(30);
    for (std::size_t i = 0; i < writes; ++i) {
        write_something();
    }
    for (std::size_t i = 0; i < tables_.size(); ++i) {
        tables_[i]->compare_indexes(before[i]);
    }
    if (database_->persists() && random_.percent(30)) {
        reopen();
    } else {
        (*database_)->set_index_lag_ms(0);
        (*database_)->set_index_reads(IndexReads::caught_up);
    }
    for (auto &table : tables_) {
        table->compare_some_partition();
        table->compare_indexes(table->items());
    }
}

/// Caught-up reads wait for as long as that.
void PropertyRun::lag_a_little()
{
    (*database_)->set_index_lag_ms(1 + static_cast<std::int64_t>(random_.below(5)));
    for (std::size_t i = 0; i < 5; ++i) {
        write_something();
        some_table().compare_some_partition();
    }
    (*database_)->set_index_lag_ms(0);
}

void PropertyRun::reopen()
{
    ++counts_.reopenings;
    database_->reopen();
}

void PropertyRun::compare_everything()
{
    ++counts_.comparisons;
    for (auto &table : tables_) {
        table->compare_everything();
    }
}

} // namespace basalt::indexes

// Point reads.
#include "engine/engine.h"
#include "engine/inline_limits.h"
#include "engine/row_batch.h"

#include <algorithm>
#include <vector>

namespace basalt::engine {
namespace {

/// Rows are kept until the body returns, and a consumer may stop early: a batch is read bit by bit.
constexpr std::size_t kRowsAtOnce = 25;
constexpr std::size_t kInlineRowsAtOnce = 4;

} // namespace

Engine::Engine(storage::Store &store, const Clock &clock, RandomSource &random, const EngineOptions &options)
    : store_(store),
      collection_limit_bytes_(options.collection_limit_bytes),
      change_log_limit_bytes_(options.change_log_limit_bytes),
      catalog_(store, clock, random, options.transition_ms),
      tokens_(store, clock),
      applier_(store, catalog_, {options.index_lag_ms, options.on_index_progress})
{
    catalog_.on_indexes_changed([this](const std::string &table) { applier_.notify(table); });
}

Result<void> Engine::load()
{
    if (auto loaded = catalog_.load(); !loaded) {
        return loaded;
    }
    if (auto loaded = tokens_.load(); !loaded) {
        return loaded;
    }
    applier_.start();
    return {};
}

std::optional<IndexPosition> Engine::position_to_reach(const Table &table)
{
    if (!table.log) {
        return std::nullopt;
    }
    IndexPosition position{table.log->feed, table.log->feed->end()};
    if (position.is_reached()) {
        return std::nullopt;
    }
    applier_.expedite(table.description.name);
    return position;
}

storage::Outcome Engine::get_item(storage::Wait wait, const Table &table, const PrimaryKey &key,
                                  storage::Consistency consistency, ItemConsumer consumer)
{
    return store_.read(wait, storage::View::latest, consistency, [&](storage::Reader &reader) -> Result<void> {
        auto row = reader.get(table.keyspace(), key.view());
        if (!row) {
            return fail(std::move(row).error());
        }
        consumer(*row ? std::optional(model::ItemView(**row)) : std::nullopt);
        return {};
    });
}

storage::Outcome Engine::get_items(storage::Wait wait, std::span<const ItemKey> keys, storage::Consistency consistency,
                                   BatchConsumer &consumer)
{
    return read_items(wait, storage::View::latest, keys, consistency, consumer);
}

storage::Outcome Engine::transact_get_items(storage::Wait wait, std::span<const ItemKey> keys, BatchConsumer &consumer)
{
    return read_items(wait, storage::View::snapshot, keys, storage::Consistency::strong, consumer);
}

storage::Outcome Engine::read_items(storage::Wait wait, storage::View view, std::span<const ItemKey> keys,
                                    storage::Consistency consistency, BatchConsumer &consumer)
{
    const bool may_wait = wait == storage::Wait::allowed;
    std::vector<RowRequest> rows;
    rows.reserve(keys.size());
    for (const auto &key : keys) {
        rows.push_back({key.table.keyspace(), key.key.view()});
    }
    return store_.read(wait, view, consistency, [&](storage::Reader &reader) -> Result<void> {
        consumer.restart();
        std::uint64_t bytes = 0;
        for (std::size_t first = 0; first < rows.size();) {
            const auto count = std::min(rows.size() - first, may_wait ? kRowsAtOnce : kInlineRowsAtOnce);
            if (auto read = read_rows(reader, std::span(rows).subspan(first, count)); !read) {
                return read;
            }
            for (const auto end = first + count; first < end; ++first) {
                const auto &row = rows[first].value;
                bytes += row ? row->size() : 0;
                if (!may_wait && bytes > kInlinePageBytes) {
                    return fail(ErrorCode::would_block, "a large batch");
                }
                if (!consumer.item(first, row ? std::optional(model::ItemView(*row)) : std::nullopt)) {
                    return {};
                }
            }
        }
        return {};
    });
}

} // namespace basalt::engine

// Point reads and pages.
#include "engine/engine.h"

namespace basalt::engine {
namespace {

/// An I/O thread gives a page up after this much evaluated data and lets a worker run it: about 50 microseconds of
/// work, several times the cost of the hop.
constexpr std::uint64_t kInlinePageBytes = 64 * 1024;

} // namespace

Engine::Engine(storage::Store &store, const Clock &clock, RandomSource &random, std::int64_t transition_ms)
    : store_(store),
      catalog_(store, clock, random, transition_ms)
{}

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

storage::Outcome Engine::read_page(storage::Wait wait, const Table &table, const storage::Range &range,
                                   const PageLimits &limits, storage::Consistency consistency, PageConsumer &consumer,
                                   Page &page)
{
    return store_.read(wait, storage::View::latest, consistency, [&](storage::Reader &reader) -> Result<void> {
        page = Page{};
        consumer.restart();
        bool too_long = false;
        auto exhausted = reader.scan(table.keyspace(), range, [&](const storage::Row &row) {
            const model::ItemView item(row.value);
            ++page.items;
            page.bytes += item.size_bytes();
            const bool ends_page = (limits.items != 0 && page.items >= limits.items) || page.bytes >= limits.bytes;
            consumer.item(item, ends_page);
            too_long = wait == storage::Wait::never && page.bytes > kInlinePageBytes;
            return !too_long && !ends_page;
        });
        if (!exhausted) {
            return fail(std::move(exhausted).error());
        }
        if (too_long) {
            return fail(ErrorCode::would_block, "a long page");
        }
        page.exhausted = *exhausted;
        return {};
    });
}

} // namespace basalt::engine

// Pages of a table or an index.
#include "engine/engine.h"
#include "engine/index_entry.h"
#include "engine/inline_limits.h"
#include "engine/row_batch.h"
#include "model/limits.h"

#include <algorithm>
#include <string>
#include <vector>

namespace basalt::engine {
namespace {

/// Entries whose items are read in one go: few at first, then twice as many each time, as far as the page has room.
constexpr std::uint64_t kFirstFetches = 4;
/// Items are as large as they like, and what is read stays pinned until the page is done.
constexpr std::uint64_t kMostFetchedBytes = 4U << 20U;
constexpr std::uint64_t kMostFetches = kMostFetchedBytes / model::kMaxItemBytes;

Unexpected long_page()
{
    return fail(ErrorCode::would_block, "a long page");
}

/// A page on its way: what it holds so far and whether it is full.
class PageInProgress {
public:
    PageInProgress(storage::Wait wait, const PageLimits &limits, PageConsumer &consumer, Page &page)
        : wait_(wait),
          limits_(limits),
          consumer_(consumer),
          page_(page)
    {}

    void restart()
    {
        page_ = {};
        evaluated_bytes_ = 0;
        work_ = 0;
        fetches_ = kFirstFetches / 2;
        full_ = false;
        too_long_ = false;
        consumer_.restart();
    }
    /// Hands the row to the consumer, unless the page has become too long with it.
    void add(model::ItemView entry, std::optional<model::ItemView> fetched);
    void finish(bool exhausted) { page_.exhausted = exhausted; }

    [[nodiscard]] bool full() const { return full_; }
    [[nodiscard]] bool too_long() const { return too_long_; }
    /// How many items to fetch next, so that a page of large items does not read much more than it shows.
    [[nodiscard]] std::uint64_t next_fetches();

private:
    /// Counts the work on the row; false: a thread that must not wait has no time for it.
    [[nodiscard]] bool count_work(model::ItemView entry, const std::optional<model::ItemView> &fetched);

    const storage::Wait wait_;
    const PageLimits limits_;
    PageConsumer &consumer_;
    Page &page_;
    std::uint64_t evaluated_bytes_ = 0;
    std::uint64_t work_ = 0;
    std::uint64_t fetches_ = 0; // the last step
    bool full_ = false;
    bool too_long_ = false;
};

bool PageInProgress::count_work(model::ItemView entry, const std::optional<model::ItemView> &fetched)
{
    const auto bytes = std::max(entry.bytes().size(), fetched ? fetched->bytes().size() : 0);
    work_ += inline_work(limits_.cost, bytes);
    return wait_ == storage::Wait::allowed ||
           (work_ <= kInlineWork && evaluated_bytes_ <= kInlinePageBytes && !(fetched && page_.items > kInlineFetches));
}

void PageInProgress::add(model::ItemView entry, std::optional<model::ItemView> fetched)
{
    ++page_.items;
    page_.bytes += entry.size_bytes();
    evaluated_bytes_ += fetched ? std::max(entry.size_bytes(), fetched->size_bytes()) : entry.size_bytes();
    if (fetched) {
        page_.fetched_units += (fetched->size_bytes() + model::kReadUnitBytes - 1) / model::kReadUnitBytes;
    }
    full_ = (limits_.items != 0 && page_.items >= limits_.items) || evaluated_bytes_ >= limits_.bytes;
    too_long_ = !count_work(entry, fetched);
    if (!too_long_) {
        consumer_.item({entry, fetched, full_});
    }
}

std::uint64_t PageInProgress::next_fetches()
{
    fetches_ = std::min(2 * fetches_, wait_ == storage::Wait::never ? kFirstFetches : kMostFetches);
    auto count = fetches_;
    if (page_.items != 0) {
        const auto usual_bytes = std::max<std::uint64_t>(1, evaluated_bytes_ / page_.items);
        count = std::min(count, (limits_.bytes - evaluated_bytes_) / usual_bytes + 1);
    }
    return limits_.items == 0 ? count : std::min(count, limits_.items - page_.items);
}

Result<void> read_rows_of(storage::Reader &reader, storage::KeyspaceId keyspace, const storage::Range &range,
                          PageInProgress &page)
{
    page.restart();
    auto exhausted = reader.scan(keyspace, range, [&](const storage::Row &row) {
        page.add(model::ItemView(row.value), std::nullopt);
        return !page.full() && !page.too_long();
    });
    if (!exhausted) {
        return fail(std::move(exhausted).error());
    }
    if (page.too_long()) {
        return long_page();
    }
    page.finish(*exhausted);
    return {};
}

/// The items that some entries of an index stand for.
Result<void> fetch_entries(storage::Reader &reader, const Table &table, const std::vector<std::string> &entries,
                           PageInProgress &page)
{
    std::vector<PrimaryKey> keys;
    std::vector<RowRequest> rows;
    keys.reserve(entries.size());
    for (const auto &entry : entries) {
        keys.push_back(key_from_stored(table.description.keys, model::ItemView(entry).attributes()));
        rows.push_back({table.keyspace(), keys.back().view()});
    }
    if (auto read = read_rows(reader, rows); !read) {
        return read;
    }
    for (std::size_t i = 0; i < entries.size() && !page.full(); ++i) {
        if (!rows[i].value) {
            return fail(ErrorCode::corruption,
                        "table '" + table.description.name + "' lacks the item of an entry of a local index");
        }
        page.add(model::ItemView(entries[i]), model::ItemView(*rows[i].value));
        if (page.too_long()) {
            return long_page();
        }
    }
    return {};
}

/// Entries are copied, so that no read is made inside a scan.
Result<void> read_entries_with_items(storage::Reader &reader, const PageSource &source, storage::Range range,
                                     PageInProgress &page)
{
    page.restart();
    const auto keyspace = static_cast<storage::KeyspaceId>(source.index->keyspace);
    std::vector<std::string> entries;
    IndexRowKey last;
    while (true) {
        const auto count = page.next_fetches();
        entries.clear();
        auto exhausted = reader.scan(keyspace, range, [&](const storage::Row &row) {
            entries.emplace_back(row.value);
            return entries.size() < count;
        });
        if (!exhausted) {
            return fail(std::move(exhausted).error());
        }
        if (auto fetched = fetch_entries(reader, source.table, entries, page); !fetched) {
            return fetched;
        }
        if (*exhausted || page.full()) {
            page.finish(*exhausted && !page.full());
            return {};
        }
        last = local_index_key(source.table.description, *source.index, model::ItemView(entries.back()).attributes());
        range.after = last.view();
    }
}

} // namespace

storage::Outcome Engine::read_page(storage::Wait wait, const PageSource &source, const storage::Range &range,
                                   const PageLimits &limits, storage::Consistency consistency, PageConsumer &consumer,
                                   Page &page)
{
    PageInProgress progress(wait, limits, consumer, page);
    if (source.index != nullptr && source.fetch_items) {
        return store_.read(wait, storage::View::snapshot, consistency, [&](storage::Reader &reader) -> Result<void> {
            return read_entries_with_items(reader, source, range, progress);
        });
    }
    const auto keyspace =
        source.index != nullptr ? static_cast<storage::KeyspaceId>(source.index->keyspace) : source.table.keyspace();
    return store_.read(wait, storage::View::latest, consistency, [&](storage::Reader &reader) -> Result<void> {
        return read_rows_of(reader, keyspace, range, progress);
    });
}

} // namespace basalt::engine

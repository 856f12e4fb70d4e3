// As with local indexes, an index with as many rows as items led to has no others, pending ones left out on both sides;
// only if not, its rows are looked at one by one.
#include "engine/global_index_verification.h"

#include "codec/item_encoding.h"
#include "codec/key_encoding.h"
#include "engine/index_entry.h"

#include <utility>

namespace basalt::engine {
namespace {

constexpr std::string_view kMissingEntry = "a missing index entry";
constexpr std::string_view kWrongEntry = "a wrong index entry";
constexpr std::string_view kStrayEntry = "an index entry without its item";
constexpr std::size_t kMostPending = std::size_t{8} << 20U; // 64 MiB
constexpr storage::LogPosition kAllApplied{~std::uint64_t{0}, ~std::uint32_t{0}};

bool stands_at(const IndexRowKey &row, const StoredKey &key)
{
    return row.hash == key.hash && row.partition == key.partition && row.sort == key.sort && row.tail == key.tail;
}

} // namespace

GlobalIndexVerification::GlobalIndexVerification(VerificationContext &context, const model::TableDescription &table,
                                                 std::optional<storage::LogPosition> applied)
    : context_(context),
      table_(table),
      names_(table, table.global_indexes),
      pending_(kMostPending),
      entries_met_(table.global_indexes.size())
{
    if (table.log_keyspace != 0) {
        is_checked_ = pending_.read(context, table, applied.value_or(kAllApplied)) && applied;
    }
}

std::string GlobalIndexVerification::where(const model::IndexDescription &index) const
{
    return "table " + readable_text(table_.name) + ", index " + readable_text(index.name);
}

std::string GlobalIndexVerification::where(const model::IndexDescription &index, const StoredKey &key) const
{
    return where(index) + ", " + readable_global_key(table_, index, key);
}

void GlobalIndexVerification::check_item(const StoredKey &key, model::ItemView item)
{
    if (!is_checked_ || table_.global_indexes.empty() || pending_.contains(base_tail(table_, item.attributes()))) {
        return;
    }
    const IndexEntries entries(names_, item);
    const auto read = [&](storage::Reader &reader) -> Result<void> {
        for (std::size_t i = 0; i < table_.global_indexes.size(); ++i) {
            if (!entries.has(i)) {
                continue;
            }
            if (auto checked = check_entry(reader, i, entries, item); !checked) {
                return checked;
            }
        }
        return {};
    };
    context_.read(
        [&] {
            return "table " + readable_text(table_.name) + ", " + readable_key(table_, key) + ", its index entries";
        },
        read);
}

Result<void> GlobalIndexVerification::check_entry(storage::Reader &reader, std::size_t number,
                                                  const IndexEntries &entries, model::ItemView item)
{
    const auto &index = table_.global_indexes[number];
    const auto row = global_index_key(table_, index, item.attributes());
    auto stored = reader.get(storage::KeyspaceId{index.keyspace}, row.view());
    if (!stored) {
        return fail(std::move(stored).error());
    }
    const auto at = [&] { return where(index, StoredKey{{}, row.hash, row.partition, row.sort, row.tail}); };
    if (!*stored) {
        if (!index.building) {
            context_.error(kMissingEntry, at(), "the item has no entry");
        }
        return {};
    }
    ++entries_met_[number];
    if (**stored != entries.bytes(number, buffer_)) {
        context_.error(kWrongEntry, at(), "the entry does not hold what the item does");
    }
    return {};
}

void GlobalIndexVerification::check_rows()
{
    for (std::size_t i = 0; i < table_.global_indexes.size(); ++i) {
        check_index(i);
    }
}

void GlobalIndexVerification::check_index(std::size_t number)
{
    const auto &index = table_.global_indexes[number];
    const storage::KeyspaceId keyspace{index.keyspace};
    std::uint64_t rows = 0;
    const bool all_read = context_.scan(keyspace, where(index), {}, [&](const StoredKey &key, Bytes value) {
        ++context_.counts().index_entries;
        if (pending_.contains(key.tail)) {
            check_pending_row(index, key, value);
        } else {
            ++rows;
        }
        return true;
    });
    if (!is_checked_ || !all_read || rows == entries_met_[number]) {
        return;
    }
    context_.scan(keyspace, where(index), {}, [&](const StoredKey &key, Bytes value) {
        if (!pending_.contains(key.tail)) {
            check_row(number, key, value);
        }
        return true;
    });
}

/// It may be old, but it must have been right once.
void GlobalIndexVerification::check_pending_row(const model::IndexDescription &index, const StoredKey &key, Bytes value)
{
    if (!codec::is_valid_item(value)) {
        context_.error(kWrongEntry, where(index, key), "the entry does not decode");
        return;
    }
    const auto attributes = model::ItemView(value).attributes();
    if (!key_from_item(table_.keys, attributes) || !has_entry(index, attributes) ||
        !stands_at(global_index_key(table_, index, attributes), key)) {
        context_.error(kWrongEntry, where(index, key), "the entry that stands here has another key");
    }
}

void GlobalIndexVerification::check_row(std::size_t number, const StoredKey &key, Bytes value)
{
    const auto &index = table_.global_indexes[number];
    const auto base = codec::split_ended(key.tail);
    if (!base || base->size() != 2) {
        context_.error(kNoKey, where(index, key), "it names no item");
        return;
    }
    const storage::Key item_key{codec::partition_hash(base->front()), base->front(), base->back(), {}};
    const auto read = [&](storage::Reader &reader) -> Result<void> {
        auto item = reader.get(storage::KeyspaceId{table_.keyspace}, item_key);
        if (!item) {
            return fail(std::move(item).error());
        }
        judge_row(number, key, value, *item);
        return {};
    };
    context_.read([&] { return where(index, key) + ", its item"; }, read);
}

void GlobalIndexVerification::judge_row(std::size_t number, const StoredKey &key, Bytes value,
                                        std::optional<Bytes> item)
{
    const auto &index = table_.global_indexes[number];
    if (!item) {
        context_.error(kStrayEntry, where(index, key),
                       codec::is_valid_item(value) ? "there is no such item"
                                                   : "there is no such item, and the entry does not decode");
        return;
    }
    if (!codec::is_valid_item(*item)) {
        return; // told already
    }
    const auto attributes = model::ItemView(*item).attributes();
    if (!key_from_item(table_.keys, attributes)) {
        return; // told already
    }
    if (!has_entry(index, attributes)) {
        context_.error(kStrayEntry, where(index, key), "the item has no entry in this index");
    } else if (!stands_at(global_index_key(table_, index, attributes), key)) {
        context_.error(kStrayEntry, where(index, key), "the item's entry stands elsewhere");
    }
}

} // namespace basalt::engine

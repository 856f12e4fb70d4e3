// Items are read in order. Each leads to its index rows, and each partition to its collection's row. An index with as
// many rows as items led to has no others, since every one has its own key; only if not, its rows are looked at one by
// one.
#include "engine/table_verification.h"

#include "codec/item_encoding.h"
#include "engine/item_collection.h"
#include "model/limits.h"

#include <tuple>

namespace basalt::engine {
namespace {

constexpr std::string_view kItem = "an item that is not whole";
constexpr std::string_view kItemKey = "an item under a wrong key";
constexpr std::string_view kMissingEntry = "a missing index entry";
constexpr std::string_view kWrongEntry = "a wrong index entry";
constexpr std::string_view kStrayEntry = "an index entry without its item";
constexpr std::string_view kCollection = "a wrong item collection size";

auto order_of(const StoredKey &key)
{
    return std::tie(key.hash, key.partition);
}

} // namespace

TableVerification::TableVerification(VerificationContext &context, const model::TableDescription &table,
                                     std::optional<storage::LogPosition> applied)
    : context_(context),
      table_(table),
      names_(table, table.local_indexes),
      where_("table " + readable_text(table.name)),
      entries_met_(table.local_indexes.size()),
      global_indexes_(context, table, applied)
{}

std::string TableVerification::where(const model::IndexDescription &index) const
{
    return where_ + ", index " + readable_text(index.name);
}

std::string TableVerification::where_collection(const StoredKey &key) const
{
    return where_ + ", the item collection " + readable_partition(table_, key);
}

void TableVerification::run()
{
    auto &counts = context_.counts();
    const auto items = counts.items;
    const auto entries = counts.index_entries;
    check();
    if (!table_.local_indexes.empty() || !table_.global_indexes.empty()) {
        counts.indexed_tables.push_back(
            {table_.name, counts.items - items, counts.index_entries - entries, global_indexes_.pending_records()});
    }
}

void TableVerification::check()
{
    const bool all_read =
        context_.scan(storage::KeyspaceId{table_.keyspace}, where_, {}, [&](const StoredKey &key, Bytes value) {
            check_item(key, value);
            return true;
        });
    settle_partition();
    if (!all_read) {
        return; // what is derived from items that were not met would look stray
    }
    for (std::size_t i = 0; i < table_.local_indexes.size(); ++i) {
        check_index(i);
    }
    check_rest_of_collections();
    global_indexes_.check_rows();
}

void TableVerification::check_item(const StoredKey &key, Bytes value)
{
    ++context_.counts().items;
    enter_partition(key);
    if (!is_sound(key, value)) {
        partition_->is_known = false;
        return;
    }
    const model::ItemView item(value);
    context_.counts().item_bytes += item.size_bytes();
    partition_->bytes += item.size_bytes();
    if (!table_.local_indexes.empty()) {
        const IndexEntries entries(names_, item);
        partition_->bytes += entries.size_bytes();
        check_entries(key, entries);
    }
    global_indexes_.check_item(key, item);
}

bool TableVerification::is_sound(const StoredKey &key, Bytes value)
{
    const auto at = [&] { return where_ + ", " + readable_key(table_, key); };
    if (!codec::is_valid_item(value)) {
        context_.error(kItem, at(), "the stored bytes do not decode");
        return false;
    }
    const model::ItemView item(value);
    const auto computed = key_from_item(table_.keys, item.attributes());
    if (!computed) {
        context_.error(kItemKey, at(), "the item does not fit the table's keys (" + computed.error().message + ")");
        return false;
    }
    if (computed->hash != key.hash || computed->partition != key.partition || computed->sort != key.sort ||
        !key.tail.empty()) {
        StoredKey right{key.keyspace, computed->hash, computed->partition, computed->sort, {}};
        context_.error(kItemKey, at(), "the item that stands here has another key, " + readable_key(table_, right));
        return false;
    }
    if (item.size_bytes() > model::kMaxItemBytes) {
        context_.error(kItem, at(), "the item has " + std::to_string(item.size_bytes()) + " bytes, over the limit");
    }
    // An item may be older than a global index.
    if (const auto fits = check_index_keys(table_.local_indexes, item.attributes()); !fits) {
        context_.error(kItem, at(), "the item does not fit an index (" + fits.error().message + ")");
    }
    return true;
}

void TableVerification::check_entries(const StoredKey &key, const IndexEntries &entries)
{
    std::string buffer;
    StoredKey row{{}, key.hash, key.partition, {}, key.sort};
    const auto read = [&](storage::Reader &reader) -> Result<void> {
        for (std::size_t i = 0; i < table_.local_indexes.size(); ++i) {
            if (!entries.has(i)) {
                continue;
            }
            const auto &index = table_.local_indexes[i];
            row.sort.clear();
            entries.append_sort(i, row.sort);
            auto stored = reader.get(storage::KeyspaceId{index.keyspace}, row.view());
            if (!stored) {
                return fail(std::move(stored).error());
            }
            if (!*stored) {
                context_.error(kMissingEntry, where(index) + ", " + readable_key(table_, index, row),
                               "the item has no entry");
                continue;
            }
            ++entries_met_[i];
            if (**stored != entries.bytes(i, buffer)) {
                context_.error(kWrongEntry, where(index) + ", " + readable_key(table_, index, row),
                               "the entry does not hold what the item does");
            }
        }
        return {};
    };
    context_.read([&] { return where_ + ", " + readable_key(table_, key) + ", its index entries"; }, read);
}

void TableVerification::check_index(std::size_t number)
{
    const auto &index = table_.local_indexes[number];
    const storage::KeyspaceId keyspace{index.keyspace};
    std::uint64_t rows = 0;
    const bool all_read = context_.scan(keyspace, where(index), {}, [&](const StoredKey &, Bytes) {
        ++rows;
        return true;
    });
    context_.counts().index_entries += rows;
    if (!all_read || rows == entries_met_[number]) {
        return;
    }
    context_.scan(keyspace, where(index), {}, [&](const StoredKey &key, Bytes value) {
        check_index_row(number, key, value);
        return true;
    });
}

void TableVerification::check_index_row(std::size_t number, const StoredKey &key, Bytes value)
{
    const auto &index = table_.local_indexes[number];
    const auto stray = [&](const std::string &what) {
        context_.error(kStrayEntry, where(index) + ", " + readable_key(table_, index, key), what);
    };
    const auto read = [&](storage::Reader &reader) -> Result<void> {
        auto item =
            reader.get(storage::KeyspaceId{table_.keyspace}, storage::Key{key.hash, key.partition, key.tail, {}});
        if (!item) {
            return fail(std::move(item).error());
        }
        if (!*item) {
            stray(codec::is_valid_item(value) ? "there is no such item"
                                              : "there is no such item, and the entry does not decode");
            return {};
        }
        if (!codec::is_valid_item(**item)) {
            return {}; // told already
        }
        const IndexEntries entries(names_, model::ItemView(**item));
        std::string sort;
        if (entries.has(number)) {
            entries.append_sort(number, sort);
        }
        if (!entries.has(number)) {
            stray("the item has no entry in this index");
        } else if (sort != key.sort) {
            stray("the item's entry stands elsewhere");
        }
        return {};
    };
    context_.read([&] { return where(index) + ", " + readable_key(table_, index, key) + ", its item"; }, read);
}

void TableVerification::enter_partition(const StoredKey &key)
{
    if (partition_ && order_of(partition_->key) == order_of(key)) {
        return;
    }
    settle_partition();
    partition_ = Partition{key};
}

/// Finds the row of the collection that the scan of the items has just left, and those before it that are too many.
void TableVerification::settle_partition()
{
    if (!partition_ || table_.local_indexes.empty()) {
        partition_.reset();
        return;
    }
    bool is_there = false;
    const StoredKey last = last_collection_.value_or(StoredKey{});
    storage::Range range;
    range.rows_hint = 1;
    if (last_collection_) {
        range.after = storage::Key{last.hash, last.partition, {}, {}};
    }
    const bool all_read =
        context_.scan(storage::KeyspaceId{table_.collections_keyspace}, where_ + ", item collections", range,
                      [&](const StoredKey &key, Bytes value) {
                          if (!key.sort.empty() || !key.tail.empty() || order_of(key) < order_of(partition_->key)) {
                              left_over(key);
                              return true;
                          }
                          is_there = order_of(key) == order_of(partition_->key);
                          if (is_there) {
                              check_collection(value);
                          }
                          return false;
                      });
    if (!is_there && all_read) {
        context_.error(kCollection, where_collection(partition_->key), "there is no stored size");
    }
    last_collection_ = partition_->key;
    partition_.reset();
}

void TableVerification::check_collection(Bytes value)
{
    ++context_.counts().collections;
    const auto bytes = decode_collection_bytes(value);
    if (!bytes || (partition_->is_known && *bytes != partition_->bytes)) {
        context_.error(
            kCollection, where_collection(partition_->key),
            (bytes ? "its size is stored as " + std::to_string(*bytes) : std::string("its size does not decode")) +
                " and should be " + std::to_string(partition_->bytes));
    }
}

void TableVerification::check_rest_of_collections()
{
    if (table_.local_indexes.empty()) {
        return;
    }
    storage::Range range;
    if (last_collection_) {
        range.after = storage::Key{last_collection_->hash, last_collection_->partition, {}, {}};
    }
    context_.scan(storage::KeyspaceId{table_.collections_keyspace}, where_ + ", item collections", range,
                  [&](const StoredKey &key, Bytes) {
                      left_over(key);
                      return true;
                  });
}

void TableVerification::left_over(const StoredKey &key)
{
    context_.error(kCollection, where_collection(key), "a size is stored and there are no such items");
}

} // namespace basalt::engine

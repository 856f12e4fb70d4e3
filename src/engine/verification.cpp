// The check of everything that is not inside one table: the catalog, who owns which keyspace, the tokens.
#include "engine/verification.h"

#include "codec/item_encoding.h"
#include "codec/key_encoding.h"
#include "codec/table_encoding.h"
#include "engine/log_cursor.h"
#include "engine/table_verification.h"
#include "engine/transaction_tokens.h"
#include "model/limits.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace basalt::engine {
namespace {

using model::AttributeType;
using storage::KeyspaceId;
using storage::KeyspaceKind;

constexpr std::string_view kDescription = "a wrong table description";
constexpr std::string_view kKeyspace = "a wrong keyspace";
constexpr std::string_view kStrayRows = "rows of no table";
constexpr std::string_view kCursor = "a wrong cursor of a change log";
constexpr std::string_view kToken = "a wrong transaction token";
constexpr std::uint32_t kNumberBits = 0x0FFFFFFF;
constexpr std::size_t kMostGlobalKeys = 4;

bool are_keys(const std::vector<model::KeyElement> &elements)
{
    return std::all_of(elements.begin(), elements.end(), [](const model::KeyElement &element) {
        return element.type == AttributeType::string || element.type == AttributeType::number ||
               element.type == AttributeType::binary;
    });
}

bool is_local_index(const model::TableDescription &table, const model::IndexDescription &index)
{
    return index.keys.hash.size() == 1 && index.keys.hash.front().name == table.keys.hash.front().name &&
           index.keys.hash.front().type == table.keys.hash.front().type && index.keys.range.size() == 1 &&
           are_keys(index.keys.range);
}

bool is_global_index(const model::IndexDescription &index)
{
    return !index.keys.hash.empty() && index.keys.hash.size() <= kMostGlobalKeys &&
           index.keys.range.size() <= kMostGlobalKeys && are_keys(index.keys.hash) && are_keys(index.keys.range);
}

/// Whether keys and indexes are such as CreateTable makes.
bool is_sound(const model::TableDescription &table)
{
    return table.keys.hash.size() == 1 && table.keys.range.size() <= 1 && are_keys(table.keys.hash) &&
           are_keys(table.keys.range) && table.local_indexes.size() <= model::kMaxLocalIndexes &&
           table.global_indexes.size() <= model::kMaxGlobalIndexes &&
           std::all_of(table.local_indexes.begin(), table.local_indexes.end(),
                       [&](const auto &index) { return is_local_index(table, index); }) &&
           std::all_of(table.global_indexes.begin(), table.global_indexes.end(), is_global_index);
}

std::string hexadecimal(KeyspaceId keyspace)
{
    const auto id = static_cast<std::uint32_t>(keyspace);
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) {
        bytes.push_back(static_cast<char>(id >> static_cast<unsigned>(shift)));
    }
    return "keyspace " + readable_bytes(bytes);
}

class StoreVerification {
public:
    StoreVerification(storage::Store &store, const StoreInventory &inventory, FindingSink found,
                      VerificationProgress progress)
        : context_(store, inventory, found, progress, counts_),
          found_(found)
    {}

    VerificationCounts run()
    {
        read_catalog();
        read_cursors();
        read_windows();
        find_stray_rows();
        for (const auto &table : tables_) {
            TableVerification(context_, table, applied_to(table)).run();
        }
        return counts_;
    }

private:
    void error(std::string_view kind, std::string text) { found_({Severity::error, kind, std::move(text)}); }

    void scan(KeyspaceId keyspace, const std::string &what, function_ref<void(const storage::Row &)> row);
    void read_catalog();
    void check_description(const storage::Row &row);
    [[nodiscard]] bool take_keyspaces(const model::TableDescription &table);
    [[nodiscard]] bool take(std::uint32_t keyspace, KeyspaceKind kind, const std::string &owner);
    void read_cursors();
    void check_cursor(const StoredKey &key, Bytes value);
    [[nodiscard]] std::optional<storage::LogPosition> applied_to(const model::TableDescription &table) const;
    void read_windows();
    void check_window(KeyspaceId window);
    void check_token(KeyspaceId window, const storage::Row &row);
    void find_stray_rows();

    VerificationCounts counts_;
    VerificationContext context_;
    FindingSink found_;
    std::vector<model::TableDescription> tables_; // the sound ones
    std::set<std::string> ids_;
    std::map<KeyspaceId, std::string> owners_;
    std::map<KeyspaceId, std::optional<storage::LogPosition>> cursors_; // by log; nothing: it does not decode
};

void StoreVerification::scan(KeyspaceId keyspace, const std::string &what, function_ref<void(const storage::Row &)> row)
{
    const auto read = [&](storage::Reader &reader) {
        auto scanned = reader.scan(keyspace, {}, [&](const auto &found) {
            row(found);
            return true;
        });
        return scanned ? Result<void>() : Result<void>(fail(std::move(scanned).error()));
    };
    context_.read([&] { return what; }, read);
}

void StoreVerification::read_catalog()
{
    scan(storage::kCatalogKeyspace, "the catalog", [&](const storage::Row &row) { check_description(row); });
}

void StoreVerification::check_description(const storage::Row &row)
{
    ++counts_.tables;
    const auto key = context_.inventory().parse_key(row.raw_key);
    if (!key || key->hash != 0 || !key->sort.empty() || !key->tail.empty()) {
        error(kDescription, "the catalog has a row without a proper key, " + readable_bytes(row.raw_key));
        return;
    }
    const std::string where = "table " + readable_text(key->partition);
    auto table = codec::decode_table(row.value);
    if (!table) {
        error(kDescription, where + ": " + table.error().message);
        return;
    }
    if (table->name != key->partition) {
        error(kDescription, where + ": the description is that of table " + readable_text(table->name));
    }
    if (codec::encode_table(*table) != row.value) {
        error(kDescription, where + ": the description has more in it than Basalt writes");
    }
    if (!ids_.insert(table->id).second) {
        error(kDescription, where + ": another table has the same id, " + readable_text(table->id));
    }
    if (!is_sound(*table)) {
        error(kDescription, where + ": its keys or indexes are none that a table can have; its items are not checked");
        return;
    }
    if (take_keyspaces(*table)) {
        tables_.push_back(std::move(*table));
    }
}

bool StoreVerification::take_keyspaces(const model::TableDescription &table)
{
    const std::string owner = "table " + readable_text(table.name);
    bool sound = take(table.keyspace, KeyspaceKind::items, owner);
    for (const auto &index : table.local_indexes) {
        sound =
            take(index.keyspace, KeyspaceKind::local_index, owner + ", index " + readable_text(index.name)) && sound;
    }
    if (!table.local_indexes.empty()) {
        sound = take(table.collections_keyspace, KeyspaceKind::local_index, owner + ", item collections") && sound;
    }
    for (const auto &index : table.global_indexes) {
        sound =
            take(index.keyspace, KeyspaceKind::global_index, owner + ", index " + readable_text(index.name)) && sound;
    }
    if (table.log_keyspace != 0) {
        sound = take(table.log_keyspace, KeyspaceKind::change_log, owner + ", change log") && sound;
    }
    return sound;
}

/// False: its rows cannot be told from those of others.
bool StoreVerification::take(std::uint32_t keyspace, KeyspaceKind kind, const std::string &owner)
{
    const KeyspaceId id{keyspace};
    const auto number = keyspace & kNumberBits;
    if (storage::kind_of(id) != kind || number == 0) {
        error(kKeyspace, owner + ": " + hexadecimal(id) + " is of the wrong kind");
        return false;
    }
    const auto [other, is_new] = owners_.emplace(id, owner);
    if (!is_new) {
        error(kKeyspace, owner + ": " + hexadecimal(id) + " belongs to " + other->second + " as well");
        return false;
    }
    if (number >= context_.inventory().next_number) {
        error(kKeyspace, owner + ": " + hexadecimal(id) + " will be given to another table, as the next number is " +
                             std::to_string(context_.inventory().next_number));
    }
    const auto &dropped = context_.inventory().dropped;
    if (std::find(dropped.begin(), dropped.end(), id) != dropped.end()) {
        error(kKeyspace, owner + ": " + hexadecimal(id) + " is marked as dropped, so that its rows will be deleted");
    }
    return true;
}

void StoreVerification::read_cursors()
{
    context_.scan(kCursorsKeyspace, "the cursors of change logs", {}, [&](const StoredKey &key, Bytes value) {
        check_cursor(key, value);
        return true;
    });
}

void StoreVerification::check_cursor(const StoredKey &key, Bytes value)
{
    std::uint32_t id = 0;
    for (const char byte : key.partition) {
        id = id << 8U | static_cast<unsigned char>(byte);
    }
    const KeyspaceId log{id};
    const auto owner = owners_.find(log);
    if (key.hash != 0 || key.partition != CursorKey(log).view().partition || !key.sort.empty() || !key.tail.empty()) {
        error(kCursor, "a cursor stands under a wrong key, " + readable_bytes(key.partition));
    } else if (storage::kind_of(log) != KeyspaceKind::change_log || owner == owners_.end()) {
        error(kCursor, hexadecimal(log) + " has a cursor and is the change log of no table");
    } else if (const auto applied = decode_cursor(value); !applied) {
        error(kCursor, owner->second + ": the cursor does not decode, so that the global indexes are not checked");
        cursors_.emplace(log, std::nullopt);
    } else {
        cursors_.emplace(log, *applied);
    }
}

std::optional<storage::LogPosition> StoreVerification::applied_to(const model::TableDescription &table) const
{
    const auto cursor = cursors_.find(KeyspaceId{table.log_keyspace});
    return cursor != cursors_.end() ? cursor->second : storage::LogPosition{};
}

void StoreVerification::read_windows()
{
    std::vector<KeyspaceId> windows;
    scan(kTokenWindowsKeyspace, "the token windows", [&](const storage::Row &row) {
        const auto key = context_.inventory().parse_key(row.raw_key);
        const auto decoded = decode_token_windows(row.value);
        if (!key || key->hash != 0 || !key->partition.empty() || !key->sort.empty() || !key->tail.empty()) {
            error(kToken, "the token windows have a row too many, " + readable_bytes(row.raw_key));
        } else if (!decoded) {
            error(kToken, "the row that names the token windows does not decode");
        } else {
            windows.push_back(decoded->current);
            if (decoded->previous) {
                windows.push_back(*decoded->previous);
            }
        }
    });
    for (const auto window : windows) {
        if (take(static_cast<std::uint32_t>(window), KeyspaceKind::expiry, "a token window")) {
            check_window(window);
        }
    }
}

void StoreVerification::check_window(KeyspaceId window)
{
    scan(window, "a token window", [&](const storage::Row &row) { check_token(window, row); });
}

void StoreVerification::check_token(KeyspaceId window, const storage::Row &row)
{
    ++counts_.tokens;
    const auto key = context_.inventory().parse_key(row.raw_key);
    if (!key || key->hash != token_key(key->partition).hash || !key->sort.empty() || !key->tail.empty()) {
        error(kToken, hexadecimal(window) + ": a token stands under a wrong key, " + readable_bytes(row.raw_key));
    } else if (!decode_token_row(row.value)) {
        error(kToken, hexadecimal(window) + ", token " + readable_text(key->partition) + ": the row does not decode");
    }
}

void StoreVerification::find_stray_rows()
{
    const auto &dropped = context_.inventory().dropped;
    for (const auto keyspace : context_.inventory().with_rows) {
        const bool is_known = keyspace == storage::kCatalogKeyspace || keyspace == kTokenWindowsKeyspace ||
                              keyspace == kCursorsKeyspace || owners_.contains(keyspace) ||
                              std::find(dropped.begin(), dropped.end(), keyspace) != dropped.end();
        if (!is_known) {
            error(kStrayRows, hexadecimal(keyspace) + " has rows, and no table or window that is there owns it");
        }
    }
}

} // namespace

VerificationCounts verify_store(storage::Store &store, const StoreInventory &inventory, FindingSink found,
                                VerificationProgress progress)
{
    return StoreVerification(store, inventory, found, progress).run();
}

} // namespace basalt::engine

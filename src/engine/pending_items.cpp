#include "engine/pending_items.h"

#include "codec/change_record.h"
#include "codec/key_encoding.h"
#include "engine/primary_key.h"

#include <algorithm>
#include <functional>

namespace basalt::engine {
namespace {

constexpr std::string_view kRecord = "a wrong record of a change log";
constexpr std::string_view kTooMany = "global indexes that are not checked";

std::uint64_t hash_of(Bytes tail)
{
    return std::hash<Bytes>{}(tail);
}

std::string text_of(storage::LogPosition position)
{
    return std::to_string(position.commit) + "." + std::to_string(position.ordinal);
}

} // namespace

std::string base_tail(const model::TableDescription &table, model::MapView attributes)
{
    const auto key = key_from_stored(table.keys, attributes);
    std::string tail;
    codec::append_ended(key.partition, tail);
    codec::append_ended(key.sort, tail);
    return tail;
}

bool PendingItems::read(VerificationContext &context, const model::TableDescription &table,
                        storage::LogPosition applied)
{
    const std::string where = "table " + readable_text(table.name) + ", change log";
    bool all_known = true;
    const auto take = [&](storage::LogPosition position, Bytes bytes) {
        const auto record = codec::decode_change_record(bytes);
        const bool is_sound = record && key_from_item(table.keys, record->item.attributes()).has_value();
        const bool is_pending = position > applied;
        records_ += is_pending ? 1 : 0;
        if (!is_sound) {
            context.error(kRecord, where + ", record " + text_of(position),
                          (record ? std::string("it names no item of the table") : std::string("it does not decode")) +
                              (is_pending ? ", so that the global indexes are not checked" : ""));
        }
        if (!is_pending) {
            return true;
        }
        all_known = all_known && is_sound;
        if (all_known && items_.size() < most_) {
            items_.push_back(hash_of(base_tail(table, record->item.attributes())));
        }
        return true;
    };
    const auto read_log = [&](storage::Reader &reader) -> Result<void> {
        auto ended = reader.read_log(storage::KeyspaceId{table.log_keyspace}, {}, take);
        return ended ? Result<void>() : Result<void>(fail(std::move(ended).error()));
    };
    const bool all_read = context.read([&] { return where; }, read_log);
    if (all_read && all_known && records_ > most_) {
        context.note(kTooMany, where,
                     std::to_string(records_) + " changes are not applied to the global indexes yet, too many to check "
                                                "the indexes; a server that runs applies them");
    }
    std::sort(items_.begin(), items_.end());
    items_.erase(std::unique(items_.begin(), items_.end()), items_.end());
    return all_read && all_known && records_ <= most_;
}

bool PendingItems::contains(Bytes tail) const
{
    return std::binary_search(items_.begin(), items_.end(), hash_of(tail));
}

} // namespace basalt::engine

#include "engine/record_batch.h"

#include "codec/change_record.h"

#include <map>
#include <utility>

namespace basalt::engine {
namespace {

constexpr std::size_t kMostRecords = 256; // a commit of some milliseconds keeps writers waiting
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;

} // namespace

void RecordBatch::clear()
{
    records_.clear();
    bytes_ = 0;
}

bool RecordBatch::add(storage::LogPosition position, Bytes record)
{
    records_.push_back({position, std::string(record)});
    bytes_ += record.size();
    return records_.size() < kMostRecords && bytes_ < kMostBytes;
}

RecordsHandled RecordBatch::first(std::size_t count) const
{
    RecordsHandled handled{records_[count - 1].position};
    for (std::size_t i = 0; i < count; ++i) {
        handled.bytes += records_[i].bytes.size();
    }
    return handled;
}

Result<std::vector<ItemChanges>> RecordBatch::by_item(const Table &table) const
{
    std::vector<ItemChanges> items;
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (std::size_t i = 0; i < records_.size(); ++i) {
        const auto record = codec::decode_change_record(records_[i].bytes);
        if (!record) {
            return fail(ErrorCode::corruption,
                        "a record of the change log of table '" + table.description.name + "' does not decode");
        }
        auto key = key_from_stored(table.description.keys, record->item.attributes());
        const auto [place, is_new] = places.try_emplace({key.partition, key.sort}, items.size());
        if (is_new) {
            items.push_back({std::move(key), {}, i});
        }
        if (record->was_there) {
            items[place->second].old_images.push_back(record->item);
        }
    }
    return items;
}

} // namespace basalt::engine

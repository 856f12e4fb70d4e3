#include "engine/record_batch.h"

#include "codec/change_record.h"

#include <map>
#include <utility>

namespace basalt::engine {
namespace {

constexpr std::size_t kMostRecords = 512;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;

} // namespace

void RecordBatch::clear()
{
    records_.clear();
    bytes_ = 0;
}

bool RecordBatch::add(storage::LogPosition position, Bytes record)
{
    records_.emplace_back(record);
    last_ = position;
    bytes_ += record.size();
    return records_.size() < kMostRecords && bytes_ < kMostBytes;
}

Result<std::vector<ItemChanges>> RecordBatch::by_item(const Table &table) const
{
    std::vector<ItemChanges> items;
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (const auto &bytes : records_) {
        const auto record = codec::decode_change_record(bytes);
        if (!record) {
            return fail(ErrorCode::corruption,
                        "a record of the change log of table '" + table.description.name + "' does not decode");
        }
        auto key = key_from_stored(table.description.keys, record->item.attributes());
        const auto [place, is_new] = places.try_emplace({key.partition, key.sort}, items.size());
        if (is_new) {
            items.push_back({std::move(key), {}});
        }
        if (record->was_there) {
            items[place->second].old_images.push_back(record->item);
        }
    }
    return items;
}

} // namespace basalt::engine

#include "codec/change_record.h"

#include "codec/item_encoding.h"

namespace basalt::codec {
namespace {

constexpr char kFormat = 1;
constexpr std::size_t kHeadBytes = 2;

} // namespace

void append_change_record(bool was_there, Bytes item, std::string &out)
{
    out.push_back(kFormat);
    out.push_back(was_there ? 1 : 0);
    out.append(item);
}

std::optional<ChangeRecord> decode_change_record(Bytes record)
{
    if (record.size() <= kHeadBytes || record[0] != kFormat || (record[1] != 0 && record[1] != 1)) {
        return std::nullopt;
    }
    const Bytes item = record.substr(kHeadBytes);
    if (!is_valid_item(item)) {
        return std::nullopt;
    }
    return ChangeRecord{record[1] == 1, model::ItemView(item)};
}

} // namespace basalt::codec

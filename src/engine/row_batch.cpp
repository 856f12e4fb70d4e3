#include "engine/row_batch.h"

#include <algorithm>
#include <vector>

namespace basalt::engine {

Result<void> read_rows(storage::Reader &reader, std::span<RowRequest> rows)
{
    if (rows.size() <= 1) {
        for (auto &row : rows) {
            auto value = reader.get(row.keyspace, row.key);
            if (!value) {
                return fail(std::move(value).error());
            }
            row.value = *value;
        }
        return {};
    }
    std::vector<RowRequest *> order;
    order.reserve(rows.size());
    for (auto &row : rows) {
        order.push_back(&row);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const RowRequest *left, const RowRequest *right) { return left->keyspace < right->keyspace; });
    std::vector<storage::Key> keys;
    std::vector<std::optional<Bytes>> values;
    for (auto first = order.begin(); first != order.end();) {
        const auto keyspace = (*first)->keyspace;
        const auto end =
            std::find_if(first, order.end(), [&](const RowRequest *row) { return row->keyspace != keyspace; });
        keys.clear();
        std::transform(first, end, std::back_inserter(keys), [](const RowRequest *row) { return row->key; });
        values.assign(keys.size(), std::nullopt);
        if (auto read = reader.multi_get(keyspace, keys, values); !read) {
            return read;
        }
        auto value = values.begin();
        for (; first != end; ++first, ++value) {
            (*first)->value = *value;
        }
    }
    return {};
}

} // namespace basalt::engine

// The stored form of a table description: an encoded item whose attributes are named like the members of the API.
#pragma once

#include "basalt/result.h"
#include "base/bytes.h"
#include "model/table_description.h"

#include <string>

namespace basalt::codec {

[[nodiscard]] std::string encode_table(const model::TableDescription &table);

/// Error (corruption): not what encode_table writes.
[[nodiscard]] Result<model::TableDescription> decode_table(Bytes bytes);

} // namespace basalt::codec

// What tags may be, for CreateTable and the tag operations.
#pragma once

#include "basalt/result.h"
#include "model/table_description.h"
#include "protocol/document.h"

#include <vector>

namespace basalt::operations {

/// A list of Tag. Errors (validation): a missing key or value, a character that tags do not have, the prefix of the
/// service's own tags, a key twice, more than a resource may have.
[[nodiscard]] Result<std::vector<model::Tag>> read_tags(const protocol::Node &given);

/// A key in a list of keys, by the same rules. Error (validation).
[[nodiscard]] Result<void> check_tag_key(const protocol::Node &key);

/// Gives tags with known keys their new values and appends the others. Error (validation): too many.
[[nodiscard]] Result<void> merge_tags(const std::vector<model::Tag> &added, std::vector<model::Tag> &tags);

} // namespace basalt::operations

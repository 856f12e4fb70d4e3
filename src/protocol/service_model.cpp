// Look-ups in the generated tables of the service model.
#include "protocol/service_model.h"

#include <algorithm>

namespace basalt::protocol {

const OperationModel *find_operation(std::string_view target) noexcept
{
    const auto all = operations();
    const auto found = std::ranges::lower_bound(all, target, {}, &OperationModel::target);
    return found != all.end() && found->target == target ? &*found : nullptr;
}

bool matches_pattern(const Shape &shape, std::string_view text) noexcept
{
    if (shape.pattern_rows == nullptr) {
        return true;
    }
    std::size_t state = 1;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0) == 0x80) {
            continue; // a continuation byte: its character was counted at the lead byte
        }
        state = shape.pattern_rows[state].cells[std::min<std::size_t>(byte, PatternRow::kOtherCharacter)];
        if (state == 0) {
            return false;
        }
    }
    return shape.pattern_rows[state].cells[PatternRow::kAccepts] != 0;
}

} // namespace basalt::protocol

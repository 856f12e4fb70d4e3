// What a check of stored data finds, one thing at a time.
#pragma once

#include "base/function_ref.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace basalt {

/// note: worth knowing, and what a crash may leave behind. error: not as it should be.
enum class Severity : std::uint8_t { note, error };

struct Finding {
    Severity severity = Severity::error;
    /// One of a few fixed texts that outlive everything, by which findings are counted.
    std::string_view kind;
    /// One line for a person, without control characters.
    std::string text;
};

using FindingSink = function_ref<void(Finding)>;

} // namespace basalt

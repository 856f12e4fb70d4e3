// Writes response JSON into a string, without whitespace, in one pass.
#pragma once

#include "base/bytes.h"
#include "model/item_view.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace basalt::protocol {

/// Appends to a buffer that outlives it; puts the commas. The caller nests correctly. Strings must be UTF-8.
class JsonWriter {
public:
    explicit JsonWriter(std::string &out)
        : out_(out)
    {}

    void begin_object();
    void end_object();
    void begin_array();
    void end_array();
    /// Name of the next member. Escaped like a string.
    void key(std::string_view name);
    void string(std::string_view text);
    void integer(std::int64_t value);
    void boolean(bool value);
    /// The shortest decimal that reads back equal (capacity units: 0.5, 1.0, 12.0).
    void real(double value);
    /// Epoch seconds with three decimals, from milliseconds.
    void timestamp_ms(std::int64_t ms);
    /// {"S":"..."} and so on; binary as base64.
    void attribute_value(model::ValueView value);
    /// {"name":{"S":"..."},...}
    void attributes(model::MapView attributes);
    /// {"S":"..."} from an S, N or B as for attribute_value; JSON text that is complete already.
    void raw(std::string_view json);

private:
    void separate();
    std::string &out_;
    bool needs_comma_ = false;
};

} // namespace basalt::protocol

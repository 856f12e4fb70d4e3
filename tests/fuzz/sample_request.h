// What surrounds the text of a fuzzed expression: placeholders of every type, and items to evaluate it on.
//
//   input := absent:u8 text     absent: a letter takes one placeholder away, 'a' to 'z' that value, 'A' to 'Z' that
//   name
#pragma once

#include "basalt/error.h"
#include "base/bytes.h"
#include "expression/placeholders.h"
#include "model/item_view.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::fuzz {

/// A request with that expression. Names are #a to #z, values :a to :z; most names stand for the attribute of the same
/// letter.
class SampleRequest {
public:
    /// The input must outlive the request.
    explicit SampleRequest(Bytes input);
    SampleRequest(const SampleRequest &) = delete;
    SampleRequest &operator=(const SampleRequest &) = delete;

    [[nodiscard]] std::string_view text() const noexcept { return text_; }
    /// With nothing marked as used yet.
    [[nodiscard]] expression::Placeholders placeholders() const { return {names_, model::ValueView(values_).map()}; }

    /// Aborts if the placeholders that were not used are reported without a text, or if an expression that was accepted
    /// did not use what it mentions.
    void check_used(const expression::Placeholders &placeholders, bool accepted) const;

private:
    std::string_view text_;
    bool only_mentioned_ = false;
    std::vector<expression::NameSubstitution> names_;
    std::string values_; // an encoded map
};

/// Encoded items: one with every type at several levels, an empty one, one of empty and extreme values, one that nests
/// as deeply as items may, a wide one.
[[nodiscard]] std::span<const model::ItemView> sample_items();

/// Aborts unless it is a validation error with a text, one in UTF-8 if the expression is.
void check_error(const Error &error, std::string_view expression);

} // namespace basalt::fuzz

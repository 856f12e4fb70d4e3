// ExpressionAttributeNames and ExpressionAttributeValues of a test, written as one line of text.
#pragma once

#include "expression/placeholders.h"

#include <string>
#include <string_view>
#include <vector>

namespace basalt::expression {

/// line: copied; entries separated by spaces, "#n=name" or ":v=TYPE:text". BOOL is true; L, M, SS, NS and BS have one
/// member, "1".
class RequestPlaceholders {
public:
    explicit RequestPlaceholders(std::string_view line);
    RequestPlaceholders(const RequestPlaceholders &) = delete;
    RequestPlaceholders &operator=(const RequestPlaceholders &) = delete;

    Placeholders &operator*() { return placeholders_; }
    Placeholders *operator->() { return &placeholders_; }

private:
    std::string line_;
    std::vector<NameSubstitution> names_;
    std::string values_;
    Placeholders placeholders_;
};

/// "TYPE:text" of an S, N or B value; only the type of another.
std::string describe(model::ValueView value);

} // namespace basalt::expression

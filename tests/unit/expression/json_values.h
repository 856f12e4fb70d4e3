// Items and placeholders of tests, written in DynamoDB JSON.
#pragma once

#include "expression/placeholders.h"
#include "model/item_view.h"

#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace basalt::expression {

/// Attributes from DynamoDB JSON, except that B and BS hold their bytes as they are, not as base64. Numbers become
/// canonical, everything else stays in the order of the text.
class JsonAttributes {
public:
    explicit JsonAttributes(std::string_view json);

    [[nodiscard]] model::MapView operator*() const { return model::ValueView(bytes_).map(); }
    /// The value of that attribute, which must exist.
    [[nodiscard]] model::ValueView operator[](std::string_view name) const;

private:
    std::string bytes_; // an M value
};

/// ExpressionAttributeNames and ExpressionAttributeValues in one object: {"#n": "name", ":v": {"S": "text"}}.
class JsonPlaceholders {
public:
    explicit JsonPlaceholders(std::string_view json);
    JsonPlaceholders(const JsonPlaceholders &) = delete;
    JsonPlaceholders &operator=(const JsonPlaceholders &) = delete;

    Placeholders &operator*() { return placeholders_; }
    Placeholders *operator->() { return &placeholders_; }

private:
    std::list<std::string> texts_;
    std::vector<NameSubstitution> names_;
    std::string values_; // an M value
    Placeholders placeholders_;
};

} // namespace basalt::expression

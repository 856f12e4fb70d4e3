// Visits every value that the inputs of all operations can hold, with a way to make a request that holds a given JSON
// text there and is valid otherwise.
#pragma once

#include "protocol/service_model.h"

#include <functional>
#include <string>
#include <string_view>

namespace basalt::protocol {

enum class Position {
    member,
    list_element,
    map_key,
    map_value,
};

/// One value of an operation's input.
struct ModelValue {
    const OperationModel *operation;
    const Shape *shape;
    const Shape *parent;  // of the structure, list or map that holds it
    const Member *member; // null unless position is member
    Position position;
    std::string path;        // as messages print it
    std::string parent_path; // the same of the holder
    /// The body with that JSON text in the value's place; empty leaves a member out.
    std::function<std::string(const std::string &)> body;
};

/// A JSON text that satisfies the shape and its constraints, as small as possible.
[[nodiscard]] std::string valid_json(const Shape &shape);
/// A text that satisfies a string shape.
[[nodiscard]] std::string valid_text(const Shape &shape);

/// Attribute values are visited, what is inside them is not.
void for_each_value(const std::function<void(const ModelValue &)> &visit);

} // namespace basalt::protocol

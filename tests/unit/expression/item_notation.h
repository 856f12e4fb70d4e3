// Items and placeholders of tests in a short notation, read and printed.
//
//   item   := '{' [ name ':' value ( ',' name ':' value )* ] '}'      spaces may stand anywhere
//   value  := number | "'" text "'" | 'b' "'" bytes "'" | 'true' | 'false' | 'null' | item
//           | '[' [ value ( ',' value )* ] ']' | ( 'SS' | 'NS' | 'BS' ) '(' value ( ',' value )* ')'
#pragma once

#include "codec/item_encoding.h"
#include "expression/placeholders.h"
#include "model/item_view.h"

#include <string>
#include <string_view>
#include <vector>

namespace basalt::expression {

/// The encoded item.
std::string item_from(std::string_view notation);

/// With one space behind ':' and ','; the inverse of item_from.
std::string notation_of(model::MapView attributes);
std::string notation_of(model::ValueView value);

/// names: "#a=x #b=y"; values: an item in the notation, with names that begin with ':'. Both are copied.
class NotedPlaceholders {
public:
    explicit NotedPlaceholders(std::string_view values, std::string_view names = "");
    NotedPlaceholders(const NotedPlaceholders &) = delete;
    NotedPlaceholders &operator=(const NotedPlaceholders &) = delete;

    Placeholders &operator*() { return placeholders_; }
    Placeholders *operator->() { return &placeholders_; }
    [[nodiscard]] model::ValueView value(std::string_view placeholder) const
    {
        return model::ItemView(item_).find(placeholder).value();
    }

private:
    std::string names_text_;
    std::string item_;
    std::vector<NameSubstitution> names_;
    Placeholders placeholders_;
};

} // namespace basalt::expression

// Applies an update and compares the item before with the item after.
#include "fuzz/checked_update.h"

#include "base/check.h"
#include "codec/item_encoding.h"
#include "fuzz/sample_request.h"

#include <algorithm>
#include <optional>
#include <string>

namespace basalt::fuzz {

namespace {

using expression::Update;

// Nothing: refused with a text.
std::optional<std::string> updated(const Update &update, model::MapView item, bool exists, std::string_view text)
{
    constexpr std::string_view kBefore = "before";
    std::string out(kBefore);
    const auto applied = update.apply(item, exists, out);
    if (!applied) {
        check_error(applied.error(), text);
        BASALT_CHECK(out == kBefore);
        return std::nullopt;
    }
    BASALT_CHECK(out.starts_with(kBefore));
    out.erase(0, kBefore.size());
    BASALT_CHECK(codec::is_valid_item(out));
    return out;
}

bool is_named(const Update &update, std::string_view attribute)
{
    return std::ranges::count(update.attributes(), attribute) != 0;
}

void check_difference(const Update &update, model::ItemView before, model::ItemView after)
{
    for (const model::Attribute attribute : before.attributes()) {
        const auto found = after.find(attribute.name);
        BASALT_CHECK(is_named(update, attribute.name) || (found && found->bytes() == attribute.value.bytes()));
    }
    for (const model::Attribute attribute : after.attributes()) {
        BASALT_CHECK(is_named(update, attribute.name) || before.find(attribute.name).has_value());
    }
    for (const std::string_view attribute : update.attributes()) {
        const auto found = after.find(attribute);
        if (const auto assigned = update.assigned_value(attribute)) {
            BASALT_CHECK(found && found->bytes() == assigned->bytes());
        }
        if (const auto type = update.assigned_type(attribute); type && found) { // a set may have become empty
            BASALT_CHECK(found->type() == *type);
        }
    }
    for (const model::ItemView item : {before, after}) {
        std::string changed;
        update.changed_parts().append_item(item.attributes(), changed);
        BASALT_CHECK(codec::is_valid_item(changed));
        for (const model::Attribute attribute : model::ItemView(changed).attributes()) {
            BASALT_CHECK(is_named(update, attribute.name));
        }
    }
}

// What was there before keeps its order, and what is new follows.
void check_order(model::ItemView before, model::ItemView after)
{
    const model::MapView attributes = after.attributes();
    auto next = attributes.begin();
    for (const model::Attribute attribute : before.attributes()) {
        if (after.find(attribute.name)) {
            BASALT_CHECK(next != attributes.end() && (*next).name == attribute.name);
            ++next;
        }
    }
}

void check_item(const Update &update, const Update &again, model::ItemView item, std::string_view text)
{
    const bool exists = !item.attributes().empty();
    const auto out = updated(update, item.attributes(), exists, text);
    BASALT_CHECK(updated(again, item.attributes(), exists, text) == out);
    if (out) {
        check_difference(update, item, model::ItemView(*out));
        check_order(item, model::ItemView(*out));
    }
}

} // namespace

void check_update(const Update &update, const Update &again, std::string_view text)
{
    BASALT_CHECK(!update.attributes().empty());
    BASALT_CHECK(update.creates_item() == again.creates_item());
    for (const model::ItemView item : sample_items()) {
        check_item(update, again, item, text);
    }
}

} // namespace basalt::fuzz

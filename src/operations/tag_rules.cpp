#include "operations/tag_rules.h"

#include "protocol/service_members.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace basalt::operations {
namespace {

constexpr std::size_t kMaxTags = 50;

Unexpected invalid(std::string_view what, std::string_view which)
{
    return fail(ErrorCode::validation, std::string(what).append(which));
}

Unexpected too_many()
{
    return invalid("Number of Tags exceed the current limit for the provided ResourceArn", "");
}

/// Letters (all beyond ASCII count as such), digits, space and some punctuation.
bool is_tag_text(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x80 || std::isalnum(byte) != 0 ||
               std::string_view(" +-=._:/").find(c) != std::string_view::npos;
    });
}

bool is_tag_text(const protocol::Node &node)
{
    return node.present() && is_tag_text(node.text());
}

Result<void> check_prefix(std::string_view key)
{
    if (key.starts_with("aws:")) {
        return invalid("Tag Key cannot be prefixed with aws:, Key: ", key);
    }
    return {};
}

Unexpected invalid_key(const protocol::Node &key)
{
    return invalid("The Tag Key provided is invalid, Key: ", key.text_or("null"));
}

} // namespace

Result<void> check_tag_key(const protocol::Node &key)
{
    if (!is_tag_text(key)) {
        return invalid_key(key);
    }
    return check_prefix(key.text());
}

Result<std::vector<model::Tag>> read_tags(const protocol::Node &given)
{
    std::vector<model::Tag> tags;
    std::set<std::string_view> keys;
    for (const auto &tag : given.elements()) {
        const auto &key = tag[protocol::tag::key];
        const auto &value = tag[protocol::tag::value];
        if (!is_tag_text(key)) {
            return invalid_key(key);
        }
        if (!is_tag_text(value)) {
            return invalid("The Tag Value provided is invalid, Value: ", value.text_or("null"));
        }
        if (auto checked = check_prefix(key.text()); !checked) {
            return fail(std::move(checked).error());
        }
        if (!keys.insert(key.text()).second) {
            return invalid("Duplicate Tag Keys provided as input: Duplicate Tag Key found ", key.text());
        }
        tags.push_back({std::string(key.text()), std::string(value.text())});
    }
    if (tags.size() > kMaxTags) {
        return too_many();
    }
    return tags;
}

Result<void> merge_tags(const std::vector<model::Tag> &added, std::vector<model::Tag> &tags)
{
    for (const auto &tag : added) {
        const auto known = std::ranges::find(tags, tag.key, &model::Tag::key);
        if (known != tags.end()) {
            known->value = tag.value;
        } else {
            tags.push_back(tag);
        }
    }
    return tags.size() > kMaxTags ? Result<void>(too_many()) : Result<void>();
}

} // namespace basalt::operations
